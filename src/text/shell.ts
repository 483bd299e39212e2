/**
 * Quotes a word for a POSIX shell. A quote in the word is written with quotes instead of a backslash, because terminal escaping doubles
 * backslashes, and the result must still be one word.
 */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** Formats an edgectl command for pasting into a shell. */
export function commandLine(args: readonly string[]): string {
  return ['edgectl', ...args].map(shellWord).join(' ');
}

const quotedWord = /\s*((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+)/gy;

/** Splits a command into words as a POSIX shell does, but supports only quotes and backslashes. Undefined if a closing quote is missing. */
export function splitShellWords(command: string): readonly string[] | undefined {
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
