import { expect, test } from 'vitest';
import { newPerson, runCommand } from '../support/run-command.ts';
import { splitWords } from '../support/shell-words.ts';

test('help agents has at most 40 lines, and each command line in it works as described', async () => {
  const person = newPerson();
  const { out } = await runCommand(person, ['help', 'agents']);
  expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  // Each row has a command line, two spaces, and a sentence about the command.
  const lines = [...out.matchAll(/^ {2}edgectl (.+?)(?: {2,}.*)?$/gm)].map(([, line = '']) => line);
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) {
    const ran = await runCommand(person, splitWords(line));
    expect([line, ran.code, ran.err.includes('"type":"error"')]).toEqual([line, 0, false]);
    expect(() => JSON.parse(ran.out), line).not.toThrow();
  }
});
