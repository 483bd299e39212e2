import { declare } from '../../parsing/declaration.ts';

const idArgument = {
  about: 'Entry id or its first characters (default: the last entry)',
  optional: true,
} as const;

export const undoList = declare({
  words: 'undo list',
  about: 'List deleted and overwritten data that can be restored',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [
    ['undo list', 'list all entries, newest first'],
    ['undo list --sandbox', 'list only entries from the sandbox'],
  ],
  notes: [
    'The console saves everything that a single change overwrites or deletes. Commands save single deletes, and single changes to a DNS record, a hostname or the fallback origin. kv key put, objstore object put and objstore object copy save the old data on a terminal or with --undo. A guard also saves what its programs delete or overwrite in bulk. Bulk changes that edgectl itself makes are not saved. Secrets are never saved, because the platform does not return them. To save nothing, use --no-undo, or edgectl setting set undo off.',
    'Undo saves values, objects of up to 25 MiB, DNS records, fallback origins and hostname settings, in files that only you can read. Limits: 14 days, 1,000 entries and 256 MiB. Entries made without a terminal or by programs through a guard have separate limits of the same size, so scripts never evict your entries.',
  ],
});

export const undoShow = declare({
  words: 'undo show',
  about: 'Show what a change deleted or overwrote',
  effect: 'none',
  needs: 'nothing',
  arguments: { ID: idArgument },
  flags: {
    value: {
      kind: 'boolean',
      about: 'Write the saved bytes to standard output instead; several values as a list for kv bulk put',
    },
  },
  examples: [
    ['undo show', 'show the last entry: place, time, expiry, and the start of the data'],
    ['undo show 3fa9 --value > old.json', 'save the bytes to a file'],
  ],
});

export const undoRestore = declare({
  words: 'undo restore',
  about: 'Restore what a change deleted or overwrote',
  effect: 'write',
  loss: { names: 'with --force, the current data', keeps: 'by default' },
  needs: 'account',
  arguments: { ID: idArgument },
  flags: {
    force: { kind: 'boolean', about: 'Overwrite data that has changed since the entry was saved' },
    'no-expiry': { kind: 'boolean', about: 'Restore an expired entry without its expiry' },
  },
  examples: [
    ['undo restore', 'restore the last entry'],
    ['undo restore --sandbox', 'restore the last entry from the sandbox'],
    ['undo restore 3fa9 --force', 'overwrite the current data, which is saved as a new entry'],
  ],
});

export const undoPurge = declare({
  words: 'undo purge',
  about: 'Delete all undo entries',
  effect: 'destroy',
  loss: { asks: 'deleting the entries' },
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [
    ['undo purge --yes', 'delete all entries; nothing can be restored afterwards'],
    ['undo purge --sandbox=DIR --yes', 'delete only the entries from that sandbox'],
  ],
});
