import { matcherOf } from '../../src/text/search/pattern.ts';

/** Something that can be found by a few letters of its text. */
export interface Findable {
  readonly text: string;
  /** Its name in a word or two, if it has one: a user who types that means it. */
  readonly label?: string;
}

/** Characters after which a word begins. */
const between = /[\s/:._-]/;

/**
 * Finds the things whose string contains the letters of a search in this order, best first: whole pieces before scattered
 * letters, starts of words before their middles, whole words before their starts, short strings before long ones; equal ones in
 * their order. The words of a search are found one by one.
 */
export function ranked<T extends Findable>(all: Iterable<T>, search: string): T[] {
  const costs = search
    .split(' ')
    .filter((word) => word !== '')
    .map(costOf);
  if (costs.length === 0) return [...all];
  const found: { readonly one: T; readonly cost: number }[] = [];
  for (const one of all) {
    let cost = one.text.length / 200 - worthOf(one.label, search);
    for (const costIn of costs) {
      cost += costIn(one.text);
      if (cost === Number.POSITIVE_INFINITY) break;
    }
    if (cost < Number.POSITIVE_INFINITY) found.push({ one, cost });
  }
  return found.sort((left, right) => left.cost - right.cost).map(({ one }) => one);
}

/** How much nearer a name brings what has it: most where it was typed whole, less where it is begun. */
function worthOf(label: string | undefined, search: string): number {
  const [name, typed] = [label?.toLowerCase() ?? '', search.trim().toLowerCase()];
  if (name === typed) return 2;
  return name.startsWith(typed) ? 1 : 0;
}

/** The distance of strings from a typed word; infinite if a letter is missing. */
function costOf(word: string): (text: string) => number {
  const small = word.toLowerCase();
  const matcher = matcherOf({ how: 'fuzzy', text: small, isNegated: false });
  return (text) => {
    const at = text.toLowerCase().indexOf(small);
    if (at !== -1) {
      const isWord = at + small.length === text.length || between.test(text[at + small.length] ?? '');
      const whole = isWord ? 0 : 0.2;
      return whole + (at === 0 ? 0 : between.test(text[at - 1] ?? '') ? 0.5 : 1);
    }
    if ('fault' in matcher || !matcher.lets(text)) return Number.POSITIVE_INFINITY;
    const ranges = matcher.rangesIn(text);
    const [first, last] = [ranges[0]?.[0] ?? 0, ranges.at(-1)?.[1] ?? 0];
    return 2 + ranges.length + (last - first) / 20;
  };
}
