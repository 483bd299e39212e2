import { namespaceJurisdictions } from '../../../model/jurisdiction.ts';
import { declare } from '../../parsing/declaration.ts';
import {
  localFlags,
  namespaceFlags,
  undoFlags,
  undoOnRequestFlags,
  unsupportedLocalFlags,
} from '../../parsing/flags.ts';
import { destinationFlags, runFlags } from './flags.ts';

const keyArgument = { about: 'Name of the key' } as const;

export const namespaceCreate = declare({
  words: 'kv namespace create',
  about: 'Create a key-value namespace',
  effect: 'write',
  loss: {},
  needs: 'account',
  arguments: {
    NAMESPACE: {
      about: 'Name of the binding, a JavaScript identifier; the title of the namespace contains this name',
    },
  },
  flags: {
    preview: { kind: 'boolean', about: 'Create the preview namespace of the binding' },
    jurisdiction: {
      kind: 'text',
      placeholder: 'NAME',
      about: `Store the data only in this jurisdiction: ${namespaceJurisdictions.join(', ')}`,
      completes: namespaceJurisdictions,
    },
    'if-not-exists': { kind: 'boolean', about: 'Use an existing namespace with this title' },
    'update-config': { kind: 'boolean', about: 'Add the entry to the configuration file' },
    ...unsupportedLocalFlags,
  },
  examples: [
    ['kv namespace create SESSIONS', 'create <project>-SESSIONS and print its configuration entry'],
    [
      'kv namespace create SESSIONS --preview --update-config',
      'create the preview namespace, and add its id to the configuration file',
    ],
  ],
});

export const namespaceList = declare({
  words: 'kv namespace list',
  about: 'List all namespaces in the account',
  effect: 'read',
  needs: 'account',
  arguments: {},
  flags: unsupportedLocalFlags,
  examples: [['kv namespace list', 'print a JSON array of objects with id and title']],
});

export const namespaceRename = declare({
  words: 'kv namespace rename',
  about: 'Rename a namespace',
  effect: 'write',
  loss: { names: 'the title of the namespace' },
  needs: 'account',
  arguments: { TITLE: { about: 'New title' } },
  flags: { ...namespaceFlags, ...unsupportedLocalFlags },
  examples: [
    [
      'kv namespace rename sessions-old --namespace-id 0f2a…',
      'change the title; the id and the keys stay the same',
    ],
  ],
});

export const namespaceDelete = declare({
  words: 'kv namespace delete',
  about: 'Delete a namespace and all its keys',
  effect: 'destroy',
  loss: { asks: 'deleting the namespace and its keys' },
  needs: 'account',
  arguments: {},
  flags: {
    ...namespaceFlags,
    'update-config': {
      kind: 'boolean',
      about: 'Also remove the bindings of the namespace from the configuration file',
    },
    ...unsupportedLocalFlags,
  },
  examples: [
    ['kv namespace delete --binding SESSIONS', 'delete the namespace with all its keys, after confirmation'],
    ['kv namespace delete --namespace-id 0f2a… --yes', 'delete without confirmation, in a script'],
  ],
});

export const namespaceClear = declare({
  words: 'kv namespace clear',
  about: 'Delete all keys in a namespace',
  effect: 'destroy',
  loss: { asks: 'deleting the keys' },
  needs: 'account',
  arguments: {},
  flags: {
    ...namespaceFlags,
    ...localFlags,
    'dry-run': runFlags['dry-run'],
    verbose: runFlags.verbose,
  },
  examples: [
    [
      'kv namespace clear --binding KV',
      'show the number of keys, ask you to type the title, then delete the keys',
    ],
    ['kv namespace clear --namespace-id 0f2a… --yes', 'delete without confirmation, in a script'],
  ],
  notes: ['After an interruption, run the command again to delete the remaining keys.'],
});

export const keyPut = declare({
  words: 'kv key put',
  about: 'Write a value to a key',
  effect: 'write',
  loss: { names: 'the value of KEY', keeps: 'on request' },
  needs: 'account',
  arguments: {
    KEY: keyArgument,
    VALUE: { about: 'Value to write, as UTF-8 text', optional: true, mayBeSecret: true },
  },
  flags: {
    ...namespaceFlags,
    ...localFlags,
    path: {
      kind: 'path',
      placeholder: 'PATH',
      about: 'Read the value from this file instead of VALUE; - is standard input',
    },
    ttl: {
      kind: 'number',
      placeholder: 'SECONDS',
      about: 'Time until the key expires: seconds (minimum 60), or 1h, 7d; overrides --expiration',
    },
    expiration: {
      kind: 'number',
      placeholder: 'UNIX_SECONDS',
      about: 'Time at which the key expires, in UNIX seconds',
    },
    metadata: { kind: 'text', placeholder: 'JSON', about: 'Metadata: a JSON object (maximum 1,024 bytes)' },
    'keep-metadata': { kind: 'boolean', about: "Keep the key's existing metadata" },
    'keep-expiry': { kind: 'boolean', about: "Keep the key's existing expiry" },
    'any-key': { kind: 'boolean', about: 'Allow whitespace and non-printable characters in the key' },
    'if-unchanged': {
      kind: 'text',
      placeholder: 'SHA256',
      about: 'Write only if the stored value has this SHA-256 (printed by kv key get --json)',
    },
    ...undoOnRequestFlags,
  },
  examples: [
    ['kv key put greeting hello --binding KV', 'write a string'],
    ['kv key put logo --path logo.png --binding KV --ttl 3600', 'write a file; the key expires in an hour'],
    ['kv key put user:1 hello --binding KV --keep-metadata --keep-expiry', 'change only the value'],
    [
      `kv key put user:1 --path - --binding KV --metadata '{"plan":"pro"}'`,
      'write standard input, with metadata',
    ],
  ],
  notes: [
    'A write replaces the value, metadata and expiry. If a write drops metadata or an expiry, a warning is printed; with --json, the field "before" contains the old metadata and expiry.',
    'The platform has no conditional write. --if-unchanged reads, compares and then writes the value; another program can write in between.',
    'If the value differs or the key does not exist, --if-unchanged writes nothing (exit code 1).',
  ],
});

export const keyList = declare({
  words: 'kv key list',
  about: 'List keys as a JSON array',
  effect: 'read',
  needs: 'account',
  arguments: {},
  surplus: ['prefix'],
  flags: {
    ...namespaceFlags,
    ...localFlags,
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Only keys that start with this prefix' },
    limit: { kind: 'number', placeholder: 'COUNT', about: 'Maximum number of keys (default: all)' },
    metadata: { kind: 'boolean', about: "Include each key's metadata" },
    match: {
      kind: 'text',
      placeholder: 'GLOB',
      about: 'Only keys that match this glob: * matches any characters, ? matches one character',
    },
    'value-contains': {
      kind: 'text',
      placeholder: 'TEXT',
      about: 'Only keys whose value contains this text; reads every value',
    },
    'expires-within': {
      kind: 'text',
      placeholder: 'DURATION',
      about: 'Only keys that expire within this duration: 90m, 7d',
    },
  },
  examples: [
    ['kv key list --binding KV', 'list all keys, page by page'],
    [`kv key list --binding KV --match 'user:*:cart' --expires-within 7d`, 'list keys that expire soon'],
    [
      'kv key list --binding KV --prefix user: --limit 10 --metadata',
      'list the first ten keys with their metadata',
    ],
  ],
});

export const keyGet = declare({
  words: 'kv key get',
  about: 'Print the value of a key',
  effect: 'read',
  needs: 'account',
  arguments: { KEY: keyArgument },
  flags: {
    ...namespaceFlags,
    ...localFlags,
    text: { kind: 'boolean', about: 'Decode the value as UTF-8 text' },
    metadata: { kind: 'boolean', about: 'Print metadata and expiry as JSON instead of the value' },
  },
  examples: [
    ['kv key get greeting --binding KV', 'print only the stored bytes'],
    ['kv key get logo --binding KV > logo.png', 'save the value to a file'],
    ['kv key get user:1 --binding KV --metadata', 'print name, expiration and metadata'],
    [
      'kv key get user:1 --binding KV --json',
      'print value, metadata, expiration, and the SHA-256 for --if-unchanged',
    ],
  ],
  notes: [
    'On a terminal, control characters in a value are shown escaped. Through a pipe, the bytes are unchanged.',
    'If the key does not exist, the exit code is 3 and stdout is empty.',
  ],
});

export const keyDiff = declare({
  words: 'kv key diff',
  about: 'Compare two keys: value, metadata and expiry',
  effect: 'read',
  needs: 'account',
  arguments: { KEY: keyArgument },
  flags: {
    ...namespaceFlags,
    ...localFlags,
    ...destinationFlags,
    'to-key': { kind: 'text', placeholder: 'KEY', about: 'Name of the other key (default: KEY)' },
  },
  examples: [
    ['kv key diff greeting --binding KV --to-binding KV --to-preview', 'compare with the preview namespace'],
    ['kv key diff greeting --binding KV --to-local --to-binding KV', 'compare with local data'],
  ],
  notes: [
    'The result is a unified diff of value, metadata and expiry. Two JSON values are compared as data, so whitespace and the order of names do not matter.',
    'The exit code is 7 if anything differs.',
  ],
});

export const keyDelete = declare({
  words: 'kv key delete',
  about: 'Delete a key',
  effect: 'destroy',
  loss: { names: 'KEY', keeps: 'by default' },
  needs: 'account',
  arguments: { KEY: keyArgument },
  flags: { ...namespaceFlags, ...localFlags, ...undoFlags },
  examples: [
    ['kv key delete greeting --binding KV', 'delete a key; succeeds even if the key does not exist'],
  ],
  notes: ['With --json, deleted is false if the key did not exist.'],
});
