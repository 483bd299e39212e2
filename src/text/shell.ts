/** A word as a POSIX shell takes it unchanged. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command of edgectl as it can be pasted into a shell. */
export function commandLine(args: readonly string[]): string {
  return ['edgectl', ...args].map(shellWord).join(' ');
}
