import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTable } from '../../src/cli/commands/table.ts';
import { commandLines, titleOf } from './suite/command-lines.ts';
import { openTheatre, type Theatre } from './suite/theatre.ts';

let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

it('every command has a line in the suite of faulty servers', () => {
  const known = new Set(commandLines.map(({ words }) => words));
  const missing = commandTable
    .filter(({ words }) => !known.has(words))
    .map(
      ({ words }) =>
        `"${words}" has no line: add { words: '${words}', rest: [...] } to test/faults/suite/command-lines.ts, ` +
        'with arguments and flags by which it succeeds on the stage of test/faults/suite/stage.ts.',
    );
  expect(missing).toEqual([]);
});

it('every line is of a command', () => {
  const commands = new Set(commandTable.map(({ words }) => words));
  expect(commandLines.filter(({ words }) => !commands.has(words))).toEqual([]);
});

/** Those that cannot succeed in a test, or decide nothing: they end otherwise, and that is what they do here. */
const others: Readonly<Record<string, number>> = {
  console: 1,
  dev: 2,
  'profile remove': 2,
  'hostname diagnose': 1,
};

describe('what the faults are held against: on the sandbox itself', () => {
  it.each(commandLines.map((line) => ({ line, title: titleOf(line) })))('$title', async ({ line }) => {
    const { ran, exchanges } = await theatre.record(line);
    expect({ code: ran.code, err: ran.code === 0 ? '' : ran.err }).toMatchObject({
      code: others[line.words] ?? 0,
    });
    const row = commandTable.find(({ words }) => words === line.words);
    if (row?.effect !== 'none') expect(exchanges.length).toBeGreaterThan(0);
  });
});
