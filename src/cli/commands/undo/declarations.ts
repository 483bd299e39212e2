import { declare } from '../../parsing/declaration.ts';

const idArgument = {
  about: 'Id of the entry, or its beginning; default: the last one',
  optional: true,
} as const;

export const undoList = declare({
  words: 'undo list',
  about: 'List what deletes and overwrites took away and can be put back',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [
    ['undo list', 'the newest first, with ids'],
    ['undo list --sandbox', 'only those of the sandbox'],
  ],
  notes: [
    'The console saves what a single change replaces or deletes. So do commands: single deletes, and changes of a DNS record, a hostname or the fallback origin always; kv key put, objstore object put and copy on a terminal or with --undo. Never saved: many things at once, and secrets, which the platform does not return. To save nothing: --no-undo, or edgectl setting set undo off.',
    'Saved are values, objects of up to 25 MiB, DNS records, fallback origins and the settings of hostnames, in files that only you can read: for 14 days, up to 1,000 entries and 256 MiB. Entries made without a terminal have the same limits for themselves: they never evict those of a person.',
  ],
});

export const undoShow = declare({
  words: 'undo show',
  about: 'Show what one change took away',
  effect: 'none',
  needs: 'nothing',
  arguments: { ID: idArgument },
  flags: { value: { kind: 'boolean', about: 'Write the kept bytes to stdout instead' } },
  examples: [
    ['undo show', 'the last one: where it was, when it expires, how it begins'],
    ['undo show 3fa9 --value > old.json', 'the bytes alone'],
  ],
});

export const undoRestore = declare({
  words: 'undo restore',
  about: 'Put back what one change took away',
  effect: 'write',
  loss: { names: 'with --force, what is there now', keeps: 'by default' },
  needs: 'account',
  arguments: { ID: idArgument },
  flags: {
    force: { kind: 'boolean', about: 'Also where something else has been written there since' },
    'no-expiry': { kind: 'boolean', about: 'Where its expiry has passed, put it back without one' },
  },
  examples: [
    ['undo restore', 'the last one, where it was taken from'],
    ['undo restore --sandbox', 'the last one of the sandbox'],
    ['undo restore 3fa9 --force', 'over what is there now, which is kept in its turn'],
  ],
});

export const undoPurge = declare({
  words: 'undo purge',
  about: 'Forget everything that is kept for undo',
  effect: 'destroy',
  loss: { asks: 'forgetting the entries' },
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [
    ['undo purge --yes', 'nothing can be put back from then on'],
    ['undo purge --sandbox=DIR --yes', 'forget the entries of that sandbox only'],
  ],
});
