import { createMatcher } from '../../src/text/search/pattern.ts';

/** Something that can be found by a few letters. */
export interface Findable {
  readonly text: string;
  /** A name of one or two words, if it has one. An entry whose name is typed ranks higher. */
  readonly label?: string;
}

/** Characters that separate words. */
const wordSeparator = /[\s/:._-]/;

/**
 * Returns the things whose text contains the letters of a search in this order, best first: contiguous matches before scattered
 * letters, starts of words before their middles, whole words before their starts, short texts before long ones; equal ones in
 * their order. The words of a search are matched one by one.
 */
export function rankMatches<T extends Findable>(all: Iterable<T>, search: string): T[] {
  const costs = search
    .split(' ')
    .filter((word) => word !== '')
    .map(createCost);
  if (costs.length === 0) return [...all];
  const found: { readonly one: T; readonly cost: number }[] = [];
  for (const one of all) {
    let cost = one.text.length / 200 - labelBonus(one.label, search);
    for (const costIn of costs) {
      cost += costIn(one.text);
      if (cost === Number.POSITIVE_INFINITY) break;
    }
    if (cost < Number.POSITIVE_INFINITY) found.push({ one, cost });
  }
  return found.sort((left, right) => left.cost - right.cost).map(({ one }) => one);
}

/** Returns the bonus of a name: higher if the whole name was typed, lower if only its start was. */
function labelBonus(label: string | undefined, search: string): number {
  const [name, typed] = [label?.toLowerCase() ?? '', search.trim().toLowerCase()];
  if (name === typed) return 2;
  return name.startsWith(typed) ? 1 : 0;
}

/** Returns a function for the distance of a string from a typed word; infinite if a letter is missing. */
function createCost(word: string): (text: string) => number {
  const small = word.toLowerCase();
  const matcher = createMatcher({ how: 'fuzzy', text: small, isNegated: false });
  return (text) => {
    const at = text.toLowerCase().indexOf(small);
    if (at !== -1) {
      const isWord = at + small.length === text.length || wordSeparator.test(text[at + small.length] ?? '');
      const whole = isWord ? 0 : 0.2;
      return whole + (at === 0 ? 0 : wordSeparator.test(text[at - 1] ?? '') ? 0.5 : 1);
    }
    if ('fault' in matcher || !matcher.lets(text)) return Number.POSITIVE_INFINITY;
    const ranges = matcher.rangesIn(text);
    const [first, last] = [ranges[0]?.[0] ?? 0, ranges.at(-1)?.[1] ?? 0];
    return 2 + ranges.length + (last - first) / 20;
  };
}
