import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMatcher, isNarrower, type Matcher, readPattern } from '../../../src/text/search/pattern.ts';
import { withinTime } from '../../../src/text/search/within-time.ts';

function matcher(typed: string): Matcher {
  const found = createMatcher(readPattern(typed));
  if ('fault' in found) throw new Error(found.fault);
  return found;
}

test.each([
  ['user', 'USER:1', true],
  ['user', 'a user', true],
  ['User', 'user:1', false],
  ['User', 'a User', true],
  ['é', 'CAFÉ', true],
  ['a.c', 'abc', false],
  ['[1]-(x)|^$*+?{2}\\', 'a [1]-(X)|^$*+?{2}\\ b', true],
  ['', 'anything', true],
  ['/^user:\\d+$/', 'user:12', true],
  ['/^user:\\d+$/', 'USER:12', true],
  ['/^User:\\d+$/', 'user:12', false],
  ['/^user:\\D+$/', 'USER:x', true],
  ['/user', 'api/user', true],
  ['/user', 'user', false],
  ['!user', 'user:1', false],
  ['!user', 'team:1', true],
  ['!', 'anything', true],
  ['!!user', 'user:1', true],
  ['!/^u/', 'user:1', false],
  ['~usr1', 'user:1', true],
  ['~usr1', 'USER:1', true],
  ['~uSr1', 'user:1', false],
  ['~1u', 'user:1', false],
  ['-f usr1', 'user:1', true],
  ['!~usr', 'user:1', false],
  ['~\u{1f600}-', 'a\u{1f600}b-', true],
  ['\\!user', 'a!user', true],
  ['\\/a/', 'x/a/y', true],
  ['\\d', 'a\\d', true],
])('finds with %j in %j: %j, in any case unless the pattern has a capital letter', (typed, text, found) => {
  expect(matcher(typed).lets(text)).toBe(found);
});

test.each([
  ['er', 'user:server', ['er', 'er', 'er']],
  ['/\\d+/', 'a1b22', ['1', '22']],
  ['/x*/', 'axxb', ['xx']],
  ['~uid', 'unused user:id', ['u', 'id']],
  ['~us', 'USER', ['US']],
  ['!user', 'team', []],
  ['', 'team', []],
])('marks with %j in %j: %j', (typed, text, marked) => {
  expect(
    matcher(typed)
      .rangesIn(text)
      .map(([from, to]) => text.slice(from, to)),
  ).toEqual(marked);
});

test.each(['/(/', '/a{2,1}/', '/[b-a]/'])('reports the error in %s', (typed) => {
  const found = createMatcher(readPattern(typed));
  expect('fault' in found && found.fault).toMatch(/^(Unterminated|Nothing|numbers|Range|Invalid capture)/i);
});

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ':', '/'), maxLength: 5 });
const typed = fc.tuple(fc.constantFrom('', '!', '~', '!~'), letters).map((both) => both.join(''));

test('a narrower pattern finds only strings that the wider pattern finds', () => {
  fc.assert(
    fc.property(typed, letters, fc.array(letters), (wide, more, texts) => {
      const before = readPattern(wide);
      const pattern = readPattern(wide + more);
      const [one, other] = [createMatcher(pattern), createMatcher(before)];
      if ('fault' in one || 'fault' in other || !isNarrower(pattern, before)) return;
      for (const text of texts) if (one.lets(text)) expect(other.lets(text)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('returns ranges in order, within the string, and only if the pattern matches', () => {
  fc.assert(
    fc.property(
      fc.tuple(
        fc.constantFrom('', '~'),
        letters.filter((text) => text !== ''),
      ),
      letters,
      ([sign, text], other) => {
        const pattern = readPattern(sign + text);
        const found = createMatcher(pattern);
        if ('fault' in found || pattern.how === 'expression' || pattern.text === '') return;
        const ranges = found.rangesIn(other);
        if (!pattern.isNegated) expect(ranges.length > 0).toBe(found.lets(other));
        let last = 0;
        for (const [from, to] of ranges) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThan(from);
          last = to;
        }
        expect(last).toBeLessThanOrEqual(other.length);
      },
    ),
    { numRuns: 2000 },
  );
});

test('stops a backtracking expression at the time limit, keeps the matches found so far, and rethrows exceptions', () => {
  const slow = matcher('/^(a+)+$/');
  const found: boolean[] = [];
  const isDone = withinTime(50, () => {
    for (const text of ['aaa', `${'a'.repeat(60)}!`, 'a']) found.push(slow.lets(text));
  });
  expect([isDone, found]).toEqual([false, [true]]);
  expect(withinTime(50, () => void found.push(false))).toBe(true);
  expect(found).toEqual([true, false]);
  expect(() =>
    withinTime(50, () => {
      throw new Error('mine');
    }),
  ).toThrow('mine');
});

test.each([
  ['a'.repeat(100_000), 'longer than 10,000 characters'],
  [`~${'a'.repeat(100_000)}`, 'longer than 200 characters'],
  [`/${'.*'.repeat(50_000)}/`, 'longer than 1,000 characters'],
])('rejects a pattern that would overflow the stack during the search', (typed, fault) => {
  expect(createMatcher(readPattern(typed))).toEqual({ fault });
});

test.each(['a'.repeat(10_000), `~${'a'.repeat(200)}`, `/${'.*'.repeat(500)}/`])(
  'accepts a pattern of the maximum length',
  (typed) => {
    const matcher = createMatcher(readPattern(typed));
    expect('lets' in matcher && matcher.lets('a'.repeat(10_000))).toBe(true);
  },
);
