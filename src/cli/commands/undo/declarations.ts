import { declare } from '../../parsing/declaration.ts';

const idArgument = {
  about: 'Id of the entry, or its beginning; left out, the last one',
  optional: true,
} as const;

export const undoList = declare({
  words: 'undo list',
  about: 'List what deletes and overwrites took away and can be put back',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['undo list', 'the newest first, with ids']],
  notes: [
    'The console keeps what single changes take away; commands do so on a terminal, or with --undo, and never for many things at once. Setting undo to off ends it.',
    'Kept are values, objects of at most 25 MiB, DNS records and the settings of hostnames, in files that only you can read, for 14 days and up to 256 MiB. Secrets cannot be kept: the platform does not tell them.',
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
  needs: 'account',
  arguments: { ID: idArgument },
  flags: {
    force: { kind: 'boolean', about: 'Also where something else has been written there since' },
    'no-expiry': { kind: 'boolean', about: 'Where its expiry has passed, put it back without one' },
  },
  examples: [
    ['undo restore', 'the last one, where it was taken from'],
    ['undo restore 3fa9 --force', 'over what is there now, which is kept in its turn'],
  ],
});

export const undoPurge = declare({
  words: 'undo purge',
  about: 'Forget everything that is kept for undo',
  effect: 'none',
  asks: true,
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['undo purge --yes', 'nothing can be put back from then on']],
});
