import { declare } from '../../parsing/declaration.ts';
import {
  localFlags,
  namespaceFlags,
  refusedLocalFlags,
  undoFlags,
  undoOnRequestFlags,
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
    NAMESPACE: { about: 'Name of the new namespace; also its binding, so a JavaScript identifier' },
  },
  flags: {
    preview: { kind: 'boolean', about: 'Create the preview namespace of the binding' },
    'if-not-exists': { kind: 'boolean', about: 'Take a namespace that already has the title' },
    'update-config': { kind: 'boolean', about: 'Write the entry into the configuration file' },
    ...refusedLocalFlags,
  },
  examples: [
    ['kv namespace create SESSIONS', 'create <project>-SESSIONS and print the snippet'],
    ['kv namespace create SESSIONS --preview --update-config', 'add its preview_id to the file'],
  ],
});

export const namespaceList = declare({
  words: 'kv namespace list',
  about: 'List all namespaces of the account',
  effect: 'read',
  needs: 'account',
  arguments: {},
  flags: refusedLocalFlags,
  examples: [['kv namespace list', 'a JSON array of id and title']],
});

export const namespaceRename = declare({
  words: 'kv namespace rename',
  about: 'Give a namespace another title',
  effect: 'write',
  loss: { names: 'the title of the namespace' },
  needs: 'account',
  arguments: { TITLE: { about: 'The new title' } },
  flags: { ...namespaceFlags, ...refusedLocalFlags },
  examples: [
    ['kv namespace rename sessions-old --namespace-id 0f2a…', 'the id and the keys stay as they are'],
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
    'update-config': { kind: 'boolean', about: 'Take its bindings out of the configuration file' },
    ...refusedLocalFlags,
  },
  examples: [
    ['kv namespace delete --binding SESSIONS', 'asks, then deletes it with all its keys'],
    ['kv namespace delete --namespace-id 0f2a… --yes', 'for scripts'],
  ],
});

export const namespaceClear = declare({
  words: 'kv namespace clear',
  about: 'Delete all keys of a namespace',
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
    ['kv namespace clear --binding KV', 'shows how many keys, and asks to type the title'],
    ['kv namespace clear --namespace-id 0f2a… --yes', 'for scripts'],
  ],
  notes: ['After an interruption, run it again: it goes on with the keys that are left.'],
});

export const keyPut = declare({
  words: 'kv key put',
  about: 'Write a value to a key',
  effect: 'write',
  loss: { names: 'the value of KEY', keeps: 'on request' },
  needs: 'account',
  arguments: {
    KEY: keyArgument,
    VALUE: { about: 'The value, as UTF-8 text', optional: true, mayBeSecret: true },
  },
  flags: {
    ...namespaceFlags,
    ...localFlags,
    path: {
      kind: 'path',
      placeholder: 'PATH',
      about: 'Read the value from this file instead; - is standard input',
    },
    ttl: {
      kind: 'number',
      placeholder: 'SECONDS',
      about: 'Expire after this many seconds, at least 60, or after 1h, 7d; wins over --expiration',
    },
    expiration: { kind: 'number', placeholder: 'UNIX_SECONDS', about: 'Expire at this time' },
    metadata: { kind: 'text', placeholder: 'JSON', about: 'A JSON object of at most 1,024 bytes' },
    'keep-metadata': { kind: 'boolean', about: 'Keep the metadata that the key has' },
    'keep-expiry': { kind: 'boolean', about: 'Keep the expiry that the key has' },
    'any-key': { kind: 'boolean', about: 'Allow white space and unprintable characters in the key' },
    'if-unchanged': {
      kind: 'text',
      placeholder: 'SHA256',
      about: 'Write only while the stored value has this SHA-256 (kv key get --json tells it)',
    },
    ...undoOnRequestFlags,
  },
  examples: [
    ['kv key put greeting hello --binding KV', 'write a text'],
    ['kv key put logo --path logo.png --binding KV --ttl 3600', 'write a file that expires in an hour'],
    ['kv key put user:1 hello --binding KV --keep-metadata --keep-expiry', 'change the value only'],
    [`kv key put user:1 --path - --binding KV --metadata '{"plan":"pro"}'`, 'write standard input'],
  ],
  notes: [
    'A write replaces value, metadata and expiry. Metadata and an expiry that it drops are reported; --json has them in before.',
    'The platform has no atomic form of --if-unchanged: the value is read, compared and written, and another writer can come between.',
    'Where the value is another one, or the key is missing, nothing is written: exit code 1.',
  ],
});

export const keyList = declare({
  words: 'kv key list',
  about: 'List keys, as a JSON array',
  effect: 'read',
  needs: 'account',
  arguments: {},
  surplus: ['prefix'],
  flags: {
    ...namespaceFlags,
    ...localFlags,
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Only keys that start with this' },
    limit: { kind: 'number', placeholder: 'COUNT', about: 'At most so many keys' },
    metadata: { kind: 'boolean', about: "Show each key's metadata as well" },
    match: { kind: 'text', placeholder: 'GLOB', about: 'Only keys that match: * any characters, ? one' },
    'value-contains': { kind: 'text', placeholder: 'TEXT', about: 'Only keys whose value contains this' },
    'expires-within': {
      kind: 'text',
      placeholder: 'DURATION',
      about: 'Only keys that expire within this: 90m, 7d',
    },
  },
  examples: [
    ['kv key list --binding KV', 'every key, streamed'],
    [`kv key list --binding KV --match 'user:*:cart' --expires-within 7d`, 'what is about to go'],
    ['kv key list --binding KV --prefix user: --limit 10 --metadata', 'the first ten with their metadata'],
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
    ['kv key get greeting --binding KV', 'the stored bytes and nothing else'],
    ['kv key get logo --binding KV > logo.png', 'into a file'],
    ['kv key get user:1 --binding KV --metadata', 'name, expiration and metadata'],
    [
      'kv key get user:1 --binding KV --json',
      'value, metadata, expiration, and the SHA-256 for --if-unchanged',
    ],
  ],
  notes: [
    'On a terminal, a value with control characters is shown escaped; through a pipe it is always the bytes.',
    'A missing key ends with exit code 3 and nothing on stdout.',
  ],
});

export const keyDiff = declare({
  words: 'kv key diff',
  about: 'Compare a key with the same key, or another one, elsewhere',
  effect: 'read',
  needs: 'account',
  arguments: { KEY: keyArgument },
  flags: {
    ...namespaceFlags,
    ...localFlags,
    ...destinationFlags,
    'to-key': { kind: 'text', placeholder: 'KEY', about: 'Name of the other key; the same when left out' },
  },
  examples: [
    ['kv key diff greeting --binding KV --to-binding KV --to-preview', 'with its preview namespace'],
    ['kv key diff greeting --binding KV --to-local --to-binding KV', 'with local data'],
  ],
  notes: [
    'Value, metadata and expiry as a unified difference. JSON on both sides is compared by what it says: the order of names and white space do not count.',
    'Ends with exit code 7 when anything differs.',
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
  examples: [['kv key delete greeting --binding KV', 'a missing key is no fault']],
  notes: ['With --json, deleted is false where there was no such key.'],
});
