import type { CommandNode } from './command.ts';

/** Command words of other tools, and their equivalents here, most likely first. */
const foreignWords = new Map(
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

/** Command prefixes in other tools and in the API, and their equivalents here. */
const foreignPrefixes = new Map(
  Object.entries({
    dns: 'zone record',
    'custom-hostname': 'hostname',
    'custom-hostnames': 'hostname',
    custom_hostnames: 'hostname',
    buckets: 'objstore bucket',
  }),
);

const demoAdvice = 'To create demo data for --sandbox=DIR: edgectl sandbox exec --demo --dir DIR -- true';

/** Advice about commands of other tools that edgectl does not need. */
const foreignCommandAdvice = new Map(
  Object.entries({
    'sandbox demo': demoAdvice,
    'sandbox seed': `${demoAdvice}   To load a file: edgectl sandbox snapshot load FILE`,
    'sandbox stop':
      'A sandbox server runs until Ctrl-C. From another terminal: kill "$(edgectl sandbox status --json | jq .pid)"',
  }),
);

/** Flags of other tools and of other commands, and their equivalents here. */
const foreignFlags = new Map(
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

/** Returns the word at a node that is equivalent to a word of another tool. */
export function translateWord(word: string, { below }: CommandNode): string | undefined {
  return foreignWords.get(word)?.find((own) => below.has(own));
}

/** Returns the offered flag that is equivalent to a flag of another tool. */
export function translateFlag(name: string, offered: readonly string[]): string | undefined {
  return foreignFlags.get(name)?.find((own) => offered.includes(own));
}

/** Returns the top-level words that are equivalent to a prefix in another tool. */
export function translatePrefix(word: string): readonly string[] | undefined {
  return foreignPrefixes.get(word)?.split(' ');
}

/** Returns advice about a command that does not exist here. */
export function foreignCommandHint(words: readonly string[]): string | undefined {
  return foreignCommandAdvice.get(words.join(' '));
}

/** Suggested words, and the number of typed words that they replace. */
export interface Suggestion {
  readonly words: readonly string[];
  readonly taken: number;
}

/** Maximum number of matching commands and groups to suggest; if more match, nothing is suggested. */
const maxSuggestions = 3;

/**
 * Finds commands and groups below a node that contain the typed words in sequence (`namespace list`), or as many of the first words as
 * possible. For a single word, finds the commands that end in this word or in its equivalent. Returns an empty list if too many commands
 * match.
 */
export function findCommandsBelow(
  typed: readonly string[],
  { rows, words }: CommandNode,
): readonly Suggestion[] {
  const all = rows.map((row) => row.words.split(' '));
  for (let count = typed.length; count > 1; count -= 1) {
    const found = findMatches(typed.slice(0, count), all, words.length);
    if (found.length > 0) return limitReadings(found, count);
  }
  const [word = ''] = typed;
  for (const end of [word, ...(foreignWords.get(word) ?? [])]) {
    const ending = all.filter((one) => one.length > words.length && one.at(-1) === end);
    const found =
      ending.length > 0 ? ending.map((one) => one.join(' ')) : findMatches([end], all, words.length);
    if (found.length > 0) return limitReadings(found, 1);
  }
  return [];
}

/** Returns the commands and groups, as words from the root, that end with the given words. */
function findMatches(typed: readonly string[], all: readonly (readonly string[])[], from: number): string[] {
  const places = all.flatMap((words) => {
    const at = words.findIndex(
      (_, start) => start >= from && typed.every((word, index) => words[start + index] === word),
    );
    return at === -1 ? [] : [words.slice(0, at + typed.length).join(' ')];
  });
  return [...new Set(places)];
}

function limitReadings(found: readonly string[], taken: number): readonly Suggestion[] {
  return found.length > maxSuggestions ? [] : found.map((words) => ({ words: words.split(' '), taken }));
}
