import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { commandTable } from '../../src/cli/commands/table.ts';
import { answerSchema, shapes } from '../../src/cli/output/schemas.ts';
import { checksMade } from '../answers/check.ts';
import { commandLines, titleOf } from './suite/command-lines.ts';
import { openFaultyServer, placeOf } from './suite/faulty-server.ts';
import { agreementKinds } from './suite/kinds/agreement.ts';
import { bodyKinds } from './suite/kinds/bodies.ts';
import { connectionKinds } from './suite/kinds/connections.ts';
import { echoKinds } from './suite/kinds/echoes.ts';
import { pageKinds } from './suite/kinds/pages.ts';
import { redirectKinds } from './suite/kinds/redirects.ts';
import { shapeKinds, sizeKinds } from './suite/kinds/sizes.ts';
import { slowKinds } from './suite/kinds/slow.ts';
import { waitFaults, waitKinds } from './suite/kinds/waits.ts';
import { playEvery, sharedFaultRunner } from './suite/play.ts';
import {
  dealt,
  eachFieldOnce,
  eachWay,
  inTurn,
  sampled,
  sampledByLine,
  together,
  type Way,
  whole,
} from './suite/scripts.ts';

const runner = sharedFaultRunner();

it('every command is tested against faulty servers', () => {
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

it('every command declares how it answers with --json', () => {
  const undeclared = commandTable
    .filter(({ words }) => shapes[words] === undefined)
    .map(({ words }) => `"${words}" is not in the answers.ts of its folder: its value, its lines, or noJson`);
  expect(undeclared).toEqual([]);
});

it('every command that the test names exists', () => {
  const commands = new Set(commandTable.map(({ words }) => words));
  expect(commandLines.filter(({ words }) => !commands.has(words))).toEqual([]);
});

/** Command lines that cannot succeed on the stage, with their exit codes. */
const others: Readonly<Record<string, number>> = {
  // No guard is running.
  'guard approve': 3,
  'guard refuse': 3,
  'hostname instructions': 1,
  console: 1,
  dev: 2,
  'profile remove': 2,
  'profile lock': 2,
  'profile unlock': 2,
  'hostname diagnose': 1,
  // The test's clock is fixed, so the doctor reports the platform's clock as wrong.
  doctor: 7,
  // No server is running for the folder, and there are no undo entries.
  'sandbox requests': 3,
  'sandbox fault add': 3,
  'sandbox fault list': 3,
  'sandbox fault clear': 3,
  'undo show': 3,
  'undo restore': 3,
  // No command has written to an account.
  'audit show': 3,
  // The platform on the stage runs no workers.
  'worker tail': 1,
  'hostname forecast': 1,
  'hostname export-world': 6,
};

describe('the sandbox without faults, as the reference', () => {
  it.each(commandLines.map((line) => ({ line, title: titleOf(line) })))(
    'without faults, the sandbox accepts $title',
    async ({ line }) => {
      const { ran, exchanges } = await runner().record(line);
      expect({ code: ran.code, err: ran.code === 0 ? '' : ran.err }).toMatchObject({
        code: others[line.words] ?? 0,
      });
      const row = commandTable.find(({ words }) => words === line.words);
      // `undo` sends its requests to the platform of the recorded entry, and the stage has no entry.
      const asksNobody =
        row?.effect === 'none' ||
        ['guard approve', 'guard refuse', 'undo restore', 'undo purge', 'profile remove'].includes(
          line.words,
        );
      if (!asksNobody) expect(exchanges.length).toBeGreaterThan(0);
    },
  );
});

/** Commands that produce no --json answer on the stage, each with the test that checks its answer against the schema. */
const answeredElsewhere: Readonly<Record<string, string>> = {
  'audit show': 'test/services/guard/exec.test.ts',
  dev: 'test/services/workers/dev.test.ts',
  'profile remove': 'test/cli/commands/profile.test.ts',
  'profile lock': 'test/services/session/lock.test.ts',
  'profile unlock': 'test/services/session/lock.test.ts',
  'sandbox fault add': 'test/scripts/sandbox/traffic.txt',
  'sandbox fault clear': 'test/scripts/sandbox/traffic.txt',
  'sandbox fault list': 'test/scripts/sandbox/traffic.txt',
  'sandbox requests': 'test/scripts/sandbox/traffic.txt',
  'undo restore': 'test/scripts/kv/undo.txt',
  'undo show': 'test/scripts/kv/undo.txt',
  'worker tail': 'test/services/workers/tail.test.ts',
};

describe('the --json answer of each command', () => {
  const firstLines = new Map(commandLines.toReversed().map((line) => [line.words, line]));
  const answering = [...firstLines.values()].filter(({ words }) => answerSchema(words) !== undefined);

  it.each(answering.filter(({ words }) => answeredElsewhere[words] === undefined))(
    'the --json answer of $words matches its schema',
    async (line) => {
      const before = checksMade(line.words);
      const { ran } = await runner().perform(line, { misbehave: () => undefined, place: 'nowhere' }, [
        '--json',
      ]);
      expect({ checks: checksMade(line.words) - before, err: ran.err }).toEqual({ checks: 1, err: ran.err });
    },
  );

  it.each(Object.entries(answeredElsewhere))(
    'the --json answer of %s, by %s, matches its schema',
    (words, path) => {
      const last = words.split(' ').at(-1);
      expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`(?:${words}|\\b${last}\\b).*--json`));
    },
  );
});

const elsewhere = await openFaultyServer();
elsewhere.conduct({ rightAnswer: () => ({ status: 200, headers: {}, body: '' }) });
afterEach(() => expect(elsewhere.passed).toEqual([]));
afterAll(() => elsewhere.close());

/**
 * The requests that are tested with oversized answers: only one for each way in which the program reads answers, because an oversized
 * answer takes half a second.
 */
const ways: readonly Way[] = [
  ['edgectl kv namespace list', /namespaces$/],
  ['edgectl kv key get greeting', /values/],
  ['edgectl kv bulk get', /bulk\/get$/],
  ['edgectl objstore object get pictures/b.txt --file', /objects\/b\.txt$/],
  ['edgectl deploy', /content\/v2$/],
  ['edgectl objstore object list', /objects$/],
  ['edgectl sandbox clock show', /sandbox\/lease$/],
];

it.each(ways)('the sample answers include %s, which requests %s', async (begin, place) => {
  const places: string[] = [];
  for (const line of commandLines.filter((one) => titleOf(one).startsWith(begin))) {
    const { exchanges } = await runner().record(line);
    places.push(...exchanges.map(({ passing }) => placeOf(passing)));
  }
  expect(places).toContainEqual(expect.stringMatching(place));
});

describe('every command with every kind of fault', () => {
  const classes = [bodyKinds, echoKinds, [...shapeKinds, ...pageKinds]];
  const answers = classes.map((kinds) => sampledByLine(dealt(kinds), { first: 16, others: 36 }));
  const redirects = redirectKinds(`http://127.0.0.1:${elsewhere.port}`);
  const wire = [connectionKinds, redirects, waitKinds].map(inTurn);
  const belowAll = sampledByLine(together(...wire), { first: 4, others: 12 });
  const script = together(
    ...answers,
    sampled(whole(agreementKinds), 2),
    belowAll,
    eachWay(ways, sizeKinds),
    sampled(eachFieldOnce(32), 8),
  );
  playEvery(runner, script, { alsoWrong: ({ ran }) => waitFaults(ran.slept) });
});

/** One hour on the simulated clock, in milliseconds: longer than a person would wait. */
const hour = 3600_000;

describe('every command with slow servers', () => {
  playEvery(runner, sampledByLine(inTurn(slowKinds), { first: 4, others: 16 }), {
    isClocked: true,
    deadline: hour,
  });
});
