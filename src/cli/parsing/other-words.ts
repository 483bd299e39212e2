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

/** Commands and groups are not named where more of them fit. */
const maxFound = 3;

/**
 * Commands and groups below a place that have the typed words (`namespace list`) one after the other, or as many of the first
 * of them as any has; for one word, the commands that end in it or in a word that stands for it. Empty where too many fit.
 */
export function furtherBelow(typed: readonly string[], { rows, words }: CommandNode): readonly string[] {
  const all = rows.map((row) => row.words.split(' '));
  for (let count = typed.length; count > 1; count -= 1) {
    const found = placesOf(typed.slice(0, count), all, words.length);
    if (found.length > 0) return few(found);
  }
  const [word = ''] = typed;
  for (const end of [word, ...(wordsOfOthers.get(word) ?? [])]) {
    const ending = all.filter((one) => one.length > words.length && one.at(-1) === end);
    const found = ending.length > 0 ? ending.map((one) => one.join(' ')) : placesOf([end], all, words.length);
    if (found.length > 0) return few(found);
  }
  return [];
}

/** The places, from the root, at which the words end. */
function placesOf(typed: readonly string[], all: readonly (readonly string[])[], from: number): string[] {
  const places = all.flatMap((words) => {
    const at = words.findIndex(
      (_, start) => start >= from && typed.every((word, index) => words[start + index] === word),
    );
    return at === -1 ? [] : [words.slice(0, at + typed.length).join(' ')];
  });
  return [...new Set(places)];
}

function few(found: readonly string[]): readonly string[] {
  return found.length > maxFound ? [] : found;
}
