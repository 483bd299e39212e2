import { confirmFlag, limitFlag } from '../../delete-limit.ts';
import { declare } from '../../parsing/declaration.ts';
import { exportFlag, localFlags, namespaceFlags } from '../../parsing/flags.ts';
import { destinationFlags, namespaceSurplus, runFlags } from './flags.ts';

const fileNotes = [
  'FILENAME is a JSON array or NDJSON (one entry per line), optionally compressed with gzip. - is standard input.',
  'An empty file is an error, because the program that should have written it has probably failed. An empty array is valid.',
  'All entries are checked before the first one is sent. If several entries have the same key, the last one is written.',
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
      about: 'File of entries: key, value and, optionally, metadata, expiration, expiration_ttl, base64',
    },
  },
  flags: {
    ...namespaceFlags,
    ...localFlags,
    ...runFlags,
    'any-key': { kind: 'boolean', about: 'Allow whitespace and non-printable characters in keys' },
  },
  examples: [
    ['kv bulk put entries.json --binding KV', 'write entries such as [{"key":"a","value":"1"}]'],
    ['kv bulk put - --binding KV --local', 'write entries from standard input to local data'],
    ['kv bulk put big.ndjson.gz --binding KV --resume', 'resume after an interruption'],
    [
      'kv bulk put entries.json --binding KV --dry-run --verbose',
      'show which keys would be created or changed',
    ],
  ],
  notes: [
    'An entry is {"key": "a", "value": "1"}. Optional fields: metadata (an object), expiration (UNIX seconds), expiration_ttl (seconds, minimum 60) and base64 (true if the value is base64). Other fields are errors.',
    ...fileNotes,
  ],
});

export const bulkGet = declare({
  words: 'kv bulk get',
  about: 'Print the values of many keys',
  effect: 'read',
  needs: 'account',
  arguments: {
    FILENAME: {
      kind: 'path',
      about: 'File of keys: strings, or objects with a name, as kv key list prints them',
    },
  },
  flags: { ...namespaceFlags, ...localFlags },
  examples: [
    ['kv bulk get keys.json --binding KV', 'print a JSON object of keys and values'],
    [
      'kv key list --binding KV --prefix user: | edgectl kv bulk get - --binding KV',
      'print the values of listed keys',
    ],
  ],
  notes: [
    'The result is one JSON object: {"key": "value"}. A missing key is null; a value that is not UTF-8 is {"base64": "…"}.',
    'To get entries for kv bulk put, with metadata and expiry, use kv export.',
    ...fileNotes.slice(0, 2),
  ],
});

export const bulkDelete = declare({
  words: 'kv bulk delete',
  about: 'Delete the keys in a file, or all keys with a prefix',
  effect: 'destroy',
  loss: { asks: 'deleting the keys' },
  needs: 'account',
  arguments: {
    FILENAME: {
      kind: 'path',
      about: 'File of keys: strings, or objects with a name, as kv key list prints them; or use --prefix',
      optional: true,
    },
  },
  flags: {
    ...namespaceFlags,
    ...localFlags,
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Delete all keys that start with this prefix' },
    ...limitFlag,
    ...confirmFlag,
    ...runFlags,
  },
  examples: [
    ['kv bulk delete keys.json --binding KV', 'delete the keys in a file, after confirmation'],
    [
      'kv key list --binding KV --prefix tmp: | edgectl kv bulk delete - --binding KV --yes',
      'delete listed keys',
    ],
    [
      'kv bulk delete --prefix tmp: --binding KV',
      'show the number of keys, ask you to type the title, then delete the keys',
    ],
    [
      'kv bulk delete --prefix tmp: --limit 500 --yes --binding KV',
      'delete without confirmation; delete nothing if there are more than 500 keys',
    ],
    [
      'kv bulk delete --prefix tmp: --confirm 9f86d081884c --binding KV',
      'delete only the keys that a dry run showed',
    ],
  ],
  notes: [
    ...fileNotes.slice(0, 2),
    'All keys are checked before the first one is deleted.',
    'With --prefix, --yes requires --limit N. To confirm a dry run instead, pass its hash with --confirm.',
  ],
});

export const kvExport = declare({
  words: 'kv export',
  about: 'Export keys, values, metadata and expiry for kv bulk put',
  effect: 'read',
  needs: 'account',
  arguments: {},
  surplus: ['output'],
  flags: {
    ...namespaceFlags,
    ...localFlags,
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Only keys that start with this prefix' },
    ...exportFlag,
    format: {
      kind: 'text',
      placeholder: 'ndjson|json',
      about:
        'One entry per line (ndjson) or one array (json); default: ndjson, or json with --json or a .json file',
    },
  },
  examples: [
    ['kv export --binding KV > backup.ndjson', 'export all keys with value, metadata and expiry'],
    [
      'kv export --binding KV --prefix user: --output users.ndjson.gz',
      'export keys with a prefix, compressed',
    ],
    ['kv bulk put backup.ndjson --binding KV', 'import the exported keys'],
  ],
  notes: [
    'An entry is {"key", "value", "base64", "metadata", "expiration"}. base64 is true if the value is not UTF-8 text. Fields that do not apply to a key are omitted.',
    'The export of a namespace without keys is [] with --format json, and an empty file with --format ndjson. kv bulk put refuses an empty file.',
  ],
});

export const kvCopy = declare({
  words: 'kv copy',
  about: 'Copy keys to another namespace, account or local data',
  effect: 'write',
  loss: { names: 'with --on-conflict overwrite, the values of the keys it copies' },
  needs: 'account',
  arguments: {},
  surplus: [namespaceSurplus(''), namespaceSurplus('to-')],
  flags: {
    ...namespaceFlags,
    ...localFlags,
    ...destinationFlags,
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Only keys that start with this prefix' },
    'on-conflict': {
      kind: 'text',
      placeholder: 'fail|skip|overwrite',
      about:
        'If a key exists in the destination: copy nothing (fail, the default), skip the key, or overwrite it',
    },
    'dry-run': { kind: 'boolean', about: 'Show what would change, without changing anything' },
    verbose: { kind: 'boolean', about: 'With --dry-run: list each key' },
    resume: { kind: 'boolean', about: 'Resume an interrupted copy' },
  },
  examples: [
    ['kv copy --binding KV --to-local --to-binding KV', 'copy production to local data'],
    [
      'kv copy --binding KV --to-binding KV --to-preview --prefix flag:',
      'copy keys with a prefix to the preview namespace',
    ],
    [
      'kv copy --namespace-id 0f2a… --to-profile acme --to-namespace-id 91bc… --on-conflict skip',
      'copy to another account',
    ],
  ],
  notes: [
    'Values, metadata and expiry are copied unchanged. Keys that expire within a minute are skipped.',
    'With --on-conflict overwrite, the destination is also listed (one request per 1,000 keys), to count the keys to overwrite.',
    'If there are conflicts, a dry run ends with exit code 0, and a copy with exit code 1. The number of conflicts is in the summary; with --json, in the field conflict.',
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
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Only keys that start with this prefix' },
    'keys-only': { kind: 'boolean', about: 'Compare names, metadata and expiry, without reading values' },
  },
  examples: [
    ['kv diff --binding KV --to-local --to-binding KV', 'compare production with local data'],
    [
      'kv diff --binding KV --to-binding KV --to-env staging --json',
      'compare with another environment, as a JSON array',
    ],
  ],
  notes: [
    'Each line is a key that differs. "+": the key exists only in the second namespace. "-": only in the first. "~": in both.',
    'The exit code is 7 if anything differs.',
  ],
});
