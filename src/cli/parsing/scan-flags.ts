import { Problem } from '../../model/problem.ts';
import { type FlagDeclaration, takesNext } from './declaration.ts';

/** A flag as it stands on a command line, before anything is checked. */
export interface ScannedFlag {
  readonly name: string;
  /** Written with two dashes. */
  readonly long: boolean;
  /** Positional arguments that stand before it. */
  readonly after: number;
}

type Declared = Readonly<Record<string, FlagDeclaration>>;

/**
 * The declared flags among the tokens of a command line. Stops at `--`, does not take a flag's value for a flag
 * (`--prefix -h`), and takes `-yq` for two.
 */
export function scanFlags(tokens: readonly string[], flags: Declared): ScannedFlag[] {
  let after = 0;
  return tokensOf(tokens, flags).flatMap(({ token, names }) => {
    if (names === undefined) after += 1;
    return (names ?? []).map((name) => ({ name, long: token.startsWith('--'), after }));
  });
}

/** The first flag that is not declared, without its value; undefined where all are. */
export function unknownFlag(tokens: readonly string[], flags: Declared): string | undefined {
  const found = tokensOf(tokens, flags).find(({ names }) => names?.length === 0);
  return found === undefined ? undefined : shownFlag(found.token);
}

/** The tokens with bare switches, and what stood behind the `=` of each. Refuses an empty text. */
export function takeSwitches(
  tokens: readonly string[],
  flags: Declared,
): { readonly rest: readonly string[]; readonly texts: ReadonlyMap<string, string> } {
  const rest = [...tokens];
  const texts = new Map<string, string>();
  for (const { token, at, names = [] } of tokensOf(tokens, flags)) {
    const [name = ''] = names;
    if (flags[name]?.kind !== 'switch' || !token.includes('=')) continue;
    const text = token.slice(token.indexOf('=') + 1);
    if (text === '') throw new Problem('usage', `--${name}= needs a ${flags[name].placeholder} behind it.`);
    texts.set(name, text);
    rest[at] = `--${name}`;
  }
  return { rest, texts };
}

/** A flag as it may be shown: its name, without what was typed behind it, whatever stands between (`--token:…`). */
export function shownFlag(token: string): string {
  if (token.startsWith('--')) return token.replace(/=.*/s, '').replace(/[^\p{L}\p{N}-].*/su, '…');
  return token.length === 2 ? token : `${token.slice(0, 2)}…`;
}

interface Scanned {
  readonly token: string;
  /** Its place among the tokens. */
  readonly at: number;
  /** The flags in it; undefined for a positional argument. */
  readonly names: readonly string[] | undefined;
}

/** All tokens before `--`, but for the values of flags. */
function tokensOf(tokens: readonly string[], flags: Declared): Scanned[] {
  const found: Scanned[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (token === '--') break;
    const names = namesIn(token, flags);
    found.push({ token, at, names });
    const last = flags[names?.at(-1) ?? ''];
    if (last !== undefined && takesNext(last) && !token.includes('=')) at += 1;
  }
  return found;
}

/** Names of the flags in one token; undefined for a positional argument. */
function namesIn(token: string, flags: Declared): readonly string[] | undefined {
  if (!token.startsWith('-') || token === '-') return undefined;
  if (token.startsWith('--')) {
    const name = token.slice(2).split('=', 1)[0] ?? '';
    return Object.hasOwn(flags, name) ? [name] : [];
  }
  const named = [...token.slice(1)].map((letter) =>
    Object.keys(flags).find((name) => flags[name]?.short === letter),
  );
  return named.filter((name) => name !== undefined);
}
