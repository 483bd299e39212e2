import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { openOutput } from '../../src/cli/output/output.ts';
import { ReaderClosed } from '../../src/files/reader.ts';
import { Problem } from '../../src/model/problem.ts';
import { newPerson, runCommand } from '../support/run-command.ts';
import { testWorld } from '../support/world.ts';

test('prints the answer to stdout unchanged, and messages to stderr escaped', async () => {
  const world = testWorld();
  const output = openOutput(world, { json: false, quiet: false });
  await output.answer(new Uint8Array([0, 27, 255]));
  output.note('key \u001b[31mred');
  expect([...world.out()]).toEqual([0, 27, 255]);
  expect(world.errText()).toBe('key \\e[31mred\n');
});

test('escapes a result line; with --json prints the fields instead', async () => {
  const plain = testWorld();
  await openOutput(plain, { json: false, quiet: false }).result('Wrote "\u202e".', { key: 'k' });
  expect(plain.outText()).toBe('Wrote "\\u{202e}".\n');
  const json = testWorld();
  await openOutput(json, { json: true, quiet: false }).result('Wrote.', { key: '\u202e' });
  expect(json.outText()).toBe('{\n  "key": "\\u202e"\n}\n');
});

test('prints only typed objects to stderr with --json', () => {
  const world = testWorld();
  const output = openOutput(world, { json: true, quiet: false });
  output.note('hello', { done: 1 });
  output.warn('careful');
  output.trace('GET /x -> 200');
  output.problem(new Problem('not-found', 'No such key.', { hint: 'Look.', platformCode: 10009 }));
  const lines = world
    .errText()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toEqual([
    { type: 'note', message: 'hello', done: 1 },
    { type: 'warning', message: 'careful' },
    { type: 'debug', message: 'GET /x -> 200' },
    {
      type: 'error',
      error: {
        code: 'not-found',
        message: 'No such key.',
        hint: 'Look.',
        platformCode: 10009,
        retryable: false,
      },
    },
  ]);
});

test('--quiet silences notes, but not warnings and failures', () => {
  const world = testWorld();
  const output = openOutput(world, { json: false, quiet: true });
  output.note('hello');
  output.warn('careful');
  output.problem(new Problem('bug', 'broken'));
  expect(world.errText()).toBe('careful\nerror: broken\n');
});

test('ends silently if the reader closes stdout, and reports other stream errors', async () => {
  const failing = (code: string): Writable =>
    new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });
  for (const [code, type] of [
    ['EPIPE', ReaderClosed],
    ['ENOSPC', Error],
  ] as const) {
    const stdout = failing(code).on('error', () => undefined);
    const output = openOutput({ ...testWorld(), stdout }, { json: false, quiet: false });
    await expect(output.answer('x')).rejects.toBeInstanceOf(type);
  }
});

test('shortens an invalid value of 70 KB in every error message', async () => {
  const value = 'x'.repeat(70_000);
  for (const argv of [
    ['zone', 'record', 'set', '--sandbox', 'a', 'CNAME', value],
    ['kv', 'namespace', 'create', '--sandbox', value],
    ['sandbox', 'dns', 'set', 'a.saas.sandbox', 'CNAME', value],
  ]) {
    const { code, err } = await runCommand(newPerson(), argv);
    expect([argv[0], code > 0, err.length < 3000]).toEqual([argv[0], true, true]);
  }
});
