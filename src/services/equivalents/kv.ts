import type { Target } from '../../model/target.ts';
import { listKeys, readValue, removeKey, writeValue } from '../kv/kv.ts';
import { deleteNamespace, listNamespaces } from '../kv/namespaces.ts';
import type { Act } from './act.ts';

/** The file that a value comes from, in acts that write one. */
const valueFile = 'value';

/** Acts on the list of namespaces, and on one of them. */
export function namespaceActs(id: string | undefined): readonly Act[] {
  const list: Act = {
    about: 'List the namespaces',
    words: 'kv namespace list',
    accountOnly: true,
    send: (session) => listNamespaces(session).next(),
  };
  if (id === undefined) return [list];
  const flags = { 'namespace-id': id };
  return [
    keysAct(id),
    { about: 'Export all its keys', words: 'kv export', flags },
    {
      about: 'Delete the namespace',
      words: 'kv namespace delete',
      flags,
      accountOnly: true,
      send: (session) => deleteNamespace(session, id),
    },
    list,
  ];
}

/** Acts on one key, and on the list that it stands in. */
export function keyActs(namespaceId: string, key: string | undefined): readonly Act[] {
  if (key === undefined) return [keysAct(namespaceId)];
  const on = { flags: { 'namespace-id': namespaceId }, args: [key] };
  return [
    {
      about: 'Show its value',
      words: 'kv key get',
      ...on,
      send: (session) => readValue(session, namespaceId, key),
    },
    {
      about: `Store the file "${valueFile}"`,
      words: 'kv key put',
      flags: { ...on.flags, path: valueFile, 'any-key': true },
      args: on.args,
      bodyFrom: valueFile,
      send: (session) => writeValue(session, namespaceId, key, { value: new Uint8Array(), anyKey: true }),
    },
    {
      about: 'Delete the key',
      words: 'kv key delete',
      ...on,
      send: (session) => removeKey(session, namespaceId, key),
    },
    keysAct(namespaceId),
  ];
}

/** The flags that lead to the other side of a comparison. */
const otherSide: Readonly<Record<Target, Readonly<Record<string, true>>>> = {
  production: {},
  preview: {},
  local: { 'to-local': true },
};

/** The act of comparing a key with that of the same name elsewhere; without `target` where the session acts. */
export function comparisonActs(
  namespaceId: string,
  key: string,
  other: { readonly namespaceId: string; readonly target?: Target | undefined } | undefined,
): readonly Act[] {
  if (other === undefined) return keyActs(namespaceId, key);
  const compare: Act = {
    about: 'Compare it',
    words: 'kv key diff',
    flags: {
      'namespace-id': namespaceId,
      'to-namespace-id': other.namespaceId,
      ...(other.target !== undefined && otherSide[other.target]),
    },
    args: [key],
  };
  return [compare, ...keyActs(namespaceId, key)];
}

/** Acts on two namespaces that are compared. */
export function diffActs(
  namespaceId: string,
  other: { readonly namespaceId: string; readonly target?: Target | undefined },
): readonly Act[] {
  const flags = {
    'namespace-id': namespaceId,
    'to-namespace-id': other.namespaceId,
    ...(other.target !== undefined && otherSide[other.target]),
  };
  return [{ about: 'Compare their keys', words: 'kv diff', flags }, keysAct(namespaceId)];
}

function keysAct(namespaceId: string): Act {
  return {
    about: 'List the keys',
    words: 'kv key list',
    flags: { 'namespace-id': namespaceId },
    send: (session) => listKeys(session, namespaceId).next(),
  };
}
