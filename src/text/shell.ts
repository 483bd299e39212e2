/**
 * A word as a POSIX shell takes it unchanged. Quotes within are quoted by quotes and not by a backslash, so that the
 * word stays one word when it has been escaped for a terminal, which doubles backslashes.
 */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** A command of edgectl as it can be pasted into a shell. */
export function commandLine(args: readonly string[]): string {
  return ['edgectl', ...args].map(shellWord).join(' ');
}

const quotedWord = /\s*((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+)/gy;

/** The words of a command as a POSIX shell takes them apart: quotes and backslashes, and nothing else. Undefined for a quote without an end. */
export function wordsOf(command: string): readonly string[] | undefined {
  const matches = [...command.matchAll(quotedWord)];
  const last = matches.at(-1);
  const end = last === undefined ? 0 : last.index + last[0].length;
  if (command.slice(end).trim() !== '') return undefined;
  return matches.map(([, word = '']) =>
    word.replace(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
      (_, single?: string, double?: string, escaped?: string) =>
        single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
    ),
  );
}
