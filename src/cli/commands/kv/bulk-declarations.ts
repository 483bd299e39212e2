import { confirmFlag, limitFlag } from '../../delete-limit.ts';
import { declare } from '../../parsing/declaration.ts';
import { exportFlag, localFlags, namespaceFlags } from '../../parsing/flags.ts';
import { destinationFlags, namespaceSurplus, runFlags } from './flags.ts';

const fileNotes = [
  'FILENAME is a JSON array or NDJSON (one entry a line), may be compressed with gzip, and - is standard input.',
  'A file without anything in it is refused, because what should have written it has most likely failed; an empty array is no fault.',
  'Every entry is checked before the first one is sent. Of several entries with one key the last wins.',
];

export const bulkPut = declare({
  words: 'kv bulk put',
  about: 'Write many keys from a file',
  effect: 'write',
  loss: { names: 'the values of the keys in FILENAME' },
  needs: 'account',
  arguments: {
    FILENAME: {
      kind: 'path',
      about: 'File of entries: key, value, and optionally metadata, expiration, expiration_ttl, base64',
    },
  },
  flags: {
    ...namespaceFlags,
    ...localFlags,
    ...runFlags,
    'any-key': { kind: 'boolean', about: 'Allow white space and unprintable characters in keys' },
  },
  examples: [
    ['kv bulk put entries.json --binding KV', `'[{"key":"a","value":"1"}]'`],
    ['kv bulk put - --binding KV --local', 'entries from standard input'],
    ['kv bulk put big.ndjson.gz --binding KV --resume', 'go on after an interruption'],
    ['kv bulk put entries.json --binding KV --dry-run --verbose', 'what would be created and changed'],
  ],
  notes: [
    'An entry is {"key": "a", "value": "1"}, and may have metadata (an object), expiration (UNIX seconds), expiration_ttl (seconds, at least 60) and base64 (true: value is base64). Another field is refused.',
    ...fileNotes,
  ],
});

export const bulkGet = declare({
  words: 'kv bulk get',
  about: 'Print the values of many keys',
  effect: 'read',
  needs: 'account',
  arguments: {
    FILENAME: { kind: 'path', about: 'File of keys: texts, or objects with a name as key list prints' },
  },
  flags: { ...namespaceFlags, ...localFlags },
  examples: [
    ['kv bulk get keys.json --binding KV', 'a JSON object of key and value'],
    ['kv key list --binding KV --prefix user: | edgectl kv bulk get - --binding KV', 'what a list gives'],
  ],
  notes: [
    'The answer is one JSON object: {"key": "value"}. A key that does not exist has null; a value that is not UTF-8 is {"base64": "…"}.',
    'For entries that kv bulk put takes back, with metadata and expiry, use kv export.',
    ...fileNotes.slice(0, 2),
  ],
});

export const bulkDelete = declare({
  words: 'kv bulk delete',
  about: 'Delete many keys, named in a file or by a prefix',
  effect: 'destroy',
  loss: { asks: 'deleting the keys' },
  needs: 'account',
  arguments: {
    FILENAME: {
      kind: 'path',
      about: 'File of keys: texts, or objects with a name as key list prints; or --prefix instead',
      optional: true,
    },
  },
  flags: {
    ...namespaceFlags,
    ...localFlags,
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Delete every key that starts with this' },
    ...limitFlag,
    ...confirmFlag,
    ...runFlags,
  },
  examples: [
    ['kv bulk delete keys.json --binding KV', 'asks, then deletes'],
    [
      'kv key list --binding KV --prefix tmp: | edgectl kv bulk delete - --binding KV --yes',
      'what a list gives',
    ],
    ['kv bulk delete --prefix tmp: --binding KV', 'asks with the count, then deletes'],
    ['kv bulk delete --prefix tmp: --limit 500 --yes --binding KV', 'for scripts: no more than these'],
    ['kv bulk delete --prefix tmp: --confirm 9f86d081884c --binding KV', 'only what a dry run showed'],
  ],
  notes: [
    ...fileNotes.slice(0, 2),
    'Every key is checked before the first one is deleted.',
    'With --prefix, --yes needs --limit N too, or --confirm with the hash that --dry-run shows.',
  ],
});

export const kvExport = declare({
  words: 'kv export',
  about: 'Write keys with values, metadata and expiry as entries that bulk put takes back',
  effect: 'read',
  needs: 'account',
  arguments: {},
  surplus: ['output'],
  flags: {
    ...namespaceFlags,
    ...localFlags,
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Only keys that start with this' },
    ...exportFlag,
    format: {
      kind: 'text',
      placeholder: 'ndjson|json',
      about: 'One entry a line (ndjson), or one JSON array; ndjson unless --json or the name ends in .json',
    },
  },
  examples: [
    ['kv export --binding KV > backup.ndjson', 'every key with value, metadata and expiry'],
    ['kv export --binding KV --prefix user: --output users.ndjson.gz', 'a part, compressed'],
    ['kv bulk put backup.ndjson --binding KV', 'brings it back'],
  ],
  notes: [
    'An entry is {"key", "value", "base64", "metadata", "expiration"}: base64 is true where the value is not UTF-8 text, and what a key does not have is left out.',
    'Of a namespace without keys, NDJSON is a file without anything in it, which kv bulk put refuses; --format json gives [].',
  ],
});

export const kvCopy = declare({
  words: 'kv copy',
  about: 'Copy keys to another namespace, here or elsewhere',
  effect: 'write',
  loss: { names: 'with --on-conflict overwrite, the values of the keys it copies' },
  needs: 'account',
  arguments: {},
  surplus: [namespaceSurplus(''), namespaceSurplus('to-')],
  flags: {
    ...namespaceFlags,
    ...localFlags,
    ...destinationFlags,
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Only keys that start with this' },
    'on-conflict': {
      kind: 'text',
      placeholder: 'fail|skip|overwrite',
      about: 'When the destination has a key: copy nothing at all (fail), leave it, or replace it',
    },
    'dry-run': { kind: 'boolean', about: 'Say what would become of the keys, and change nothing' },
    verbose: { kind: 'boolean', about: 'With --dry-run: say it of each key' },
    resume: { kind: 'boolean', about: 'Go on where an interrupted copy stopped' },
  },
  examples: [
    ['kv copy --binding KV --to-local --to-binding KV', 'production to local data'],
    ['kv copy --binding KV --to-binding KV --to-preview --prefix flag:', 'to the preview namespace'],
    [
      'kv copy --namespace-id 0f2a… --to-profile acme --to-namespace-id 91bc… --on-conflict skip',
      'to another account',
    ],
  ],
  notes: [
    'Values, metadata and expiry are copied as they are. A key about to expire is left out.',
    'With --on-conflict overwrite the destination is listed too (a request per 1,000 keys), to count the keys it replaces.',
    'A --dry-run that finds conflicts ends with exit code 0, the copy itself with 1: the number of conflicts is in its summary, and with --json in conflict.',
  ],
});

export const kvDiff = declare({
  words: 'kv diff',
  about: 'Compare two namespaces',
  effect: 'read',
  needs: 'account',
  arguments: {},
  surplus: [namespaceSurplus(''), namespaceSurplus('to-')],
  flags: {
    ...namespaceFlags,
    ...localFlags,
    ...destinationFlags,
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Only keys that start with this' },
    'keys-only': { kind: 'boolean', about: 'Compare names, metadata and expiry, but read no values' },
  },
  examples: [
    ['kv diff --binding KV --to-local --to-binding KV', 'what local data have that production has not'],
    ['kv diff --binding KV --to-binding KV --to-env staging --json', 'an array for a program'],
  ],
  notes: [
    'A line for each key that differs: "+" is only in the second namespace, "-" only in the first, "~" is in both.',
    'Ends with exit code 7 when anything differs.',
  ],
});
