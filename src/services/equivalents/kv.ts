import type { Target } from '../../model/target.ts';
import { listKeys, readValue, removeKey, writeValue } from '../kv/kv.ts';
import { deleteNamespace, listNamespaces } from '../kv/namespaces.ts';
import type { CliEquivalent } from './cli-equivalent.ts';

/** Name of the file that contains the value, for commands that write a key. */
const valueFile = 'value';

export const kvNamespaceList: CliEquivalent = {
  about: 'List the namespaces',
  words: 'kv namespace list',
  accountOnly: true,
  place: 'last',
  send: (session) => listNamespaces(session).next(),
};

export function kvNamespaceDelete(id: string): CliEquivalent {
  return {
    about: 'Delete the namespace',
    words: 'kv namespace delete',
    flags: { 'namespace-id': id },
    accountOnly: true,
    send: (session) => deleteNamespace(session, id),
  };
}

export function kvNamespaceClear(id: string): CliEquivalent {
  return { about: 'Delete all keys', words: 'kv namespace clear', flags: { 'namespace-id': id } };
}

export function kvExport(namespaceId: string): CliEquivalent {
  return { about: 'Export all keys', words: 'kv export', flags: { 'namespace-id': namespaceId } };
}

export function kvKeyList(namespaceId: string): CliEquivalent {
  return {
    about: 'List the keys',
    words: 'kv key list',
    flags: { 'namespace-id': namespaceId },
    place: 'last',
    send: (session) => listKeys(session, namespaceId).next(),
  };
}

export function kvKeyGet(namespaceId: string, key: string): CliEquivalent {
  return {
    about: 'Show the value',
    words: 'kv key get',
    flags: { 'namespace-id': namespaceId },
    args: [key],
    send: (session) => readValue(session, namespaceId, key),
  };
}

export function kvKeyPut(namespaceId: string, key: string): CliEquivalent {
  return {
    about: `Store the file "${valueFile}"`,
    words: 'kv key put',
    flags: { 'namespace-id': namespaceId, path: valueFile, 'any-key': true },
    args: [key],
    bodyFrom: valueFile,
    send: (session) => writeValue(session, namespaceId, key, { value: new Uint8Array(), anyKey: true }),
  };
}

export function kvKeyDelete(namespaceId: string, key: string): CliEquivalent {
  return {
    about: 'Delete the key',
    words: 'kv key delete',
    flags: { 'namespace-id': namespaceId },
    args: [key],
    send: (session) => removeKey(session, namespaceId, key),
  };
}

/** The other side of a comparison (default target: the session's target). */
interface OtherNamespace {
  readonly namespaceId: string;
  readonly target?: Target | undefined;
}

export function kvKeyDiff(namespaceId: string, key: string, other: OtherNamespace): CliEquivalent {
  return {
    about: 'Compare the key',
    words: 'kv key diff',
    flags: diffFlags(namespaceId, other),
    args: [key],
    place: 'first',
  };
}

export function kvDiff(namespaceId: string, other: OtherNamespace): CliEquivalent {
  return { about: 'Compare the keys', words: 'kv diff', flags: diffFlags(namespaceId, other) };
}

/** The flags for the other side of a comparison. */
const otherSide: Readonly<Record<Target, Readonly<Record<string, true>>>> = {
  production: {},
  preview: {},
  local: { 'to-local': true },
};

function diffFlags(namespaceId: string, other: OtherNamespace) {
  return {
    'namespace-id': namespaceId,
    'to-namespace-id': other.namespaceId,
    ...(other.target !== undefined && otherSide[other.target]),
  };
}
