import { expect, it } from 'vitest';
import { titleOf } from './suite/command-lines.ts';
import { type ChooseState, type FieldState, fieldStates } from './suite/document-mock.ts';
import { documentedFields, neededFields, playDocument, readingLines } from './suite/document-play.ts';
import { sharedFaultRunner } from './suite/play.ts';

const runner = sharedFaultRunner();

/** Returns a number from 0 to 1 for a string; a string has the same number in every run. */
function share(text: string): number {
  let hash = 2166136261;
  for (const unit of text) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 16777619);
  return (hash >>> 0) / 2 ** 32;
}

/**
 * Returns a function that chooses the state of an optional field. Half of the fields have the document's example value; the others are
 * absent, null or unknown.
 */
function getStates(line: string, route: string): ChooseState {
  return (place): FieldState => {
    if (place in neededFields) return 'present';
    const at = share(`${line} ${route} ${place}`) * 6;
    return at < 3 ? 'present' : (fieldStates[Math.floor(at) - 2] ?? 'present');
  };
}

// `npm run test:soak` tests each field alone, in each state.
it.each(readingLines.map((line) => ({ line, title: titleOf(line) })))(
  '$title reads examples of the OpenAPI document, with optional fields absent, null and unknown',
  async ({ line, title }) => {
    expect(await playDocument(runner(), line, (route) => getStates(title, route))).toBeUndefined();
  },
);

it('the commands read documented answers with hundreds of optional fields', async () => {
  const fields = new Set<string>();
  for (const line of readingLines)
    for (const [route, places] of await documentedFields(runner(), line))
      for (const place of places) fields.add(`${route} ${place}`);
  expect(fields.size).toBeGreaterThan(250);
});
