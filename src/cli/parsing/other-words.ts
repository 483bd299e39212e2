import type { CommandNode } from './command.ts';

/** Words of other tools, and their equivalents here, most likely first. */
const wordsOfOthers = new Map(
  Object.entries({
    add: ['create', 'put', 'set'],
    cp: ['copy'],
    create: ['add', 'set'],
    describe: ['get', 'show'],
    download: ['get'],
    get: ['list'],
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

/** Beginnings of commands in other tools and in the API, and their equivalents here. */
const beginningsOfOthers = new Map(
  Object.entries({
    dns: 'zone record',
    'custom-hostname': 'hostname',
    'custom-hostnames': 'hostname',
    custom_hostnames: 'hostname',
    buckets: 'objstore bucket',
  }),
);

const demoAdvice = 'Demo data in a folder, for --sandbox=DIR: edgectl sandbox exec --demo --dir DIR -- true';

/** Advice on commands that other tools have and edgectl needs none for. */
const adviceOnOthers = new Map(
  Object.entries({
    'sandbox demo': demoAdvice,
    'sandbox seed': `${demoAdvice}. A file: edgectl sandbox snapshot load FILE`,
    'sandbox stop':
      'It runs until Ctrl-C. From another terminal: kill "$(edgectl sandbox status --json | jq .pid)"',
  }),
);

/** Flags of other commands and tools, and their equivalents here. */
const flagsOfOthers = new Map(
  Object.entries({
    'dry-run': ['plan'],
    'expiration-ttl': ['ttl'],
    'expires-in': ['ttl'],
    file: ['path'],
    force: ['yes'],
    format: ['json'],
    output: ['file'],
    path: ['file'],
    plan: ['dry-run'],
    'ssl-method': ['method'],
    worker: ['name'],
  }),
);

/** The word of a place that is equivalent to one of other tools. */
export function wordFor(word: string, { below }: CommandNode): string | undefined {
  return wordsOfOthers.get(word)?.find((own) => below.has(own));
}

/** The offered flag that is equivalent to one of other tools. */
export function flagFor(name: string, offered: readonly string[]): string | undefined {
  return flagsOfOthers.get(name)?.find((own) => offered.includes(own));
}

/** The words at the root that are equivalent to a beginning in other tools. */
export function beginningFor(word: string): readonly string[] | undefined {
  return beginningsOfOthers.get(word)?.split(' ');
}

/** Advice on a command that does not exist here. */
export function adviceOn(words: readonly string[]): string | undefined {
  return adviceOnOthers.get(words.join(' '));
}

/** Suggested words, and the number of typed ones that they replace. */
export interface Reading {
  readonly words: readonly string[];
  readonly taken: number;
}

/** Commands and groups are not named where more of them fit. */
const maxFound = 3;

/**
 * Commands and groups below a place that contain the typed words (`namespace list`) in sequence, or as many of the first of
 * them as any does; for one word, the commands that end in it or in its equivalent. Empty if too many fit.
 */
export function furtherBelow(typed: readonly string[], { rows, words }: CommandNode): readonly Reading[] {
  const all = rows.map((row) => row.words.split(' '));
  for (let count = typed.length; count > 1; count -= 1) {
    const found = placesOf(typed.slice(0, count), all, words.length);
    if (found.length > 0) return few(found, count);
  }
  const [word = ''] = typed;
  for (const end of [word, ...(wordsOfOthers.get(word) ?? [])]) {
    const ending = all.filter((one) => one.length > words.length && one.at(-1) === end);
    const found = ending.length > 0 ? ending.map((one) => one.join(' ')) : placesOf([end], all, words.length);
    if (found.length > 0) return few(found, 1);
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

function few(found: readonly string[], taken: number): readonly Reading[] {
  return found.length > maxFound ? [] : found.map((words) => ({ words: words.split(' '), taken }));
}
