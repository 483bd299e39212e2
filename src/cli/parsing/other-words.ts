import type { CommandNode } from './command.ts';

/** Words of other tools, and those that stand for them here, the likeliest first. */
const wordsOfOthers = new Map(
  Object.entries({
    add: ['create', 'put', 'set'],
    cp: ['copy'],
    describe: ['get', 'show'],
    download: ['get'],
    info: ['get', 'show'],
    logs: ['tail'],
    ls: ['list'],
    mb: ['create'],
    mv: ['rename'],
    new: ['create', 'init'],
    r2: ['objstore'],
    rb: ['delete'],
    remove: ['delete', 'unset'],
    rm: ['delete', 'remove'],
    set: ['put', 'edit'],
    show: ['get', 'list'],
    update: ['edit', 'put', 'set'],
    upload: ['put'],
  }),
);

/** Flags of other commands and tools, and those that stand for them here. */
const flagsOfOthers = new Map(
  Object.entries({
    'dry-run': ['plan'],
    file: ['path'],
    force: ['yes'],
    output: ['file'],
    path: ['file'],
    plan: ['dry-run'],
    worker: ['name'],
  }),
);

/** The word of a place that stands for one that other tools have. */
export function wordFor(word: string, { below }: CommandNode): string | undefined {
  return wordsOfOthers.get(word)?.find((own) => below.has(own));
}

/** The flag among those that are offered that stands for one that others have. */
export function flagFor(name: string, offered: readonly string[]): string | undefined {
  return flagsOfOthers.get(name)?.find((own) => offered.includes(own));
}

/** Commands further below that end in a word, or in one that stands for it; none where there are too many to tell of. */
export function furtherBelow(word: string, { rows, words }: CommandNode): readonly string[] {
  const ends = [word, ...(wordsOfOthers.get(word) ?? [])];
  for (const end of ends) {
    const found = rows.filter((row) => row.words.split(' ').slice(words.length).at(-1) === end);
    if (found.length > 0) return found.length > 3 ? [] : found.map((row) => row.words);
  }
  return [];
}
