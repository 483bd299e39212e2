import { commandLine } from '../../../../text/shell.ts';

/** Flags of reconcile that the plan keeps itself, and whether a value follows them. */
const keptFlags: ReadonlyMap<string, boolean> = new Map([
  ['--file', true],
  ['--apply', true],
  ['--plan', false],
  ['--prune', false],
]);

/** The command that carries a plan out, with the rest of what was typed: where to act and as whom. */
export function applyLine(argv: readonly string[], hash: string, path: string | undefined): string {
  const rest: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const [name = ''] = word.split('=', 1);
    const takesValue = keptFlags.get(name);
    if (takesValue === undefined) rest.push(word);
    else if (takesValue && name === word) at += 1;
  }
  const input = path === undefined ? ['--file', '-'] : [];
  return commandLine([...rest, '--apply', hash.slice(0, 12), ...input]);
}
