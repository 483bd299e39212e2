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
