import type { FlagDeclaration } from './command.ts';

/** A flag as it stands on a command line, before anything is checked. */
export interface ScannedFlag {
  readonly name: string;
  /** Written with two dashes. */
  readonly long: boolean;
  /** Positional arguments that stand before it. */
  readonly after: number;
}

/**
 * The declared flags among the tokens of a command line. Stops at `--`, does not take a flag's value for a flag
 * (`--prefix -h`), and takes `-yq` for two.
 */
export function scanFlags(
  tokens: readonly string[],
  flags: Readonly<Record<string, FlagDeclaration>>,
): ScannedFlag[] {
  const found: ScannedFlag[] = [];
  let after = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (token === '--') break;
    const names = namesIn(token, flags);
    if (names === undefined) after += 1;
    else found.push(...names.map((name) => ({ name, long: token.startsWith('--'), after })));
    const last = names?.at(-1);
    if (last !== undefined && flags[last]?.kind !== 'boolean' && !token.includes('=')) at += 1;
  }
  return found;
}

/** Names of the flags in one token; undefined for a positional argument. */
function namesIn(
  token: string,
  flags: Readonly<Record<string, FlagDeclaration>>,
): readonly string[] | undefined {
  if (!token.startsWith('-') || token === '-') return undefined;
  if (token.startsWith('--')) {
    const name = token.slice(2).split('=', 1)[0] ?? '';
    return name in flags ? [name] : [];
  }
  const named = [...token.slice(1)].map((letter) =>
    Object.keys(flags).find((name) => flags[name]?.short === letter),
  );
  return named.filter((name) => name !== undefined);
}
