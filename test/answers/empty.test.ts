import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shapes } from '../../src/cli/output/schemas.ts';
import { openStage, type Stage } from '../services/hostnames/stage.ts';

/** Command lines without results, for each command that may print lines. */
const withoutResult: Readonly<Record<string, readonly string[]>> = {
  'kv export': ['--namespace', 'worker-empty', '--format', 'ndjson'],
  'hostname create': ['--file', 'none.json'],
  'hostname edit': ['--status', 'moved', '--ca', 'google', '--yes'],
  'hostname refresh': ['--status', 'moved', '--yes'],
  'hostname delete': ['--status', 'moved', '--yes', '--limit', '9'],
  'hostname export': ['--format', 'ndjson'],
  'hostname reconcile': ['--file', 'none.json', '--yes'],
  'audit export': [],
  'sandbox requests': ['--path', '/nobody/asks/this'],
};

/** These commands run until Ctrl-C, so they never exit with 0. */
const endless = ['audit follow', 'hostname watch', 'worker tail'];

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ served: true });
  writeFileSync(join(stage.cwd, 'none.json'), '[]');
  const { code, err } = await stage.edgectl('kv', 'namespace', 'create', 'empty');
  if (code !== 0) throw new Error(err);
});
afterAll(() => stage.close());

test('has a case for each command that can print lines', () => {
  const lines = Object.entries(shapes).flatMap(([words, shape]) => (shape.lines === null ? [] : [words]));
  expect([...Object.keys(withoutResult), ...endless].sort()).toEqual(lines.sort());
});

// docs/json.md: standard output is never empty if the exit code is 0.
test.each(Object.entries(withoutResult))('%s prints a line if it has no results', async (words, rest) => {
  const { code, out, err } = await stage.edgectl(...words.split(' '), ...rest, '--json');
  expect([code, err.includes('"type":"error"')], err).toEqual([0, false]);
  const found = JSON.parse(out) as { readonly count?: number };
  if (words !== 'hostname reconcile') expect(out).toBe('{"count":0}\n');
  expect(found).toBeTypeOf('object');
});

test('prints only data in an export without --json', async () => {
  const { code, out } = await stage.edgectl(
    'kv',
    'export',
    '--namespace',
    'worker-empty',
    '--format',
    'ndjson',
  );
  expect([code, out]).toEqual([0, '']);
});

test('prints an empty array for a list command whose --json result is one JSON value', async () => {
  const { code, out } = await stage.edgectl('sandbox', 'fault', 'list', '--json');
  expect([code, JSON.parse(out)]).toEqual([0, []]);
});

// docs/json.md: a change returns the old value if the command has read it.
test('reports the previous value for each command that changes data', async () => {
  const report = async (...argv: readonly string[]) => {
    const { code, out, err } = await stage.edgectl(...argv, '--json', '--yes');
    expect(code, err).toBe(0);
    return JSON.parse(out);
  };
  const setting = await report('setting', 'set', 'theme', 'mono');
  expect(setting).toMatchObject({ value: 'mono', before: 'auto' });
  expect(await report('setting', 'unset', 'theme')).toMatchObject({ value: 'auto', before: 'mono' });

  const [made] = await report('zone', 'record', 'set', 'old', 'A', '192.0.2.1');
  expect(made).not.toHaveProperty('before');
  const [changed] = await report('zone', 'record', 'set', 'old', 'A', '192.0.2.2');
  expect(changed).toMatchObject({ record: { content: '192.0.2.2' }, before: made.record });

  const { origin } = await report('hostname', 'fallback-origin', 'get');
  const moved = await report('hostname', 'fallback-origin', 'set', 'old.saas.sandbox');
  expect(moved).toMatchObject({ origin: 'old.saas.sandbox', before: { origin } });

  await report('hostname', 'create', 'shop.before.com', '--method', 'http');
  const edited = await report('hostname', 'edit', 'shop.before.com', '--method', 'txt');
  expect(edited).toMatchObject({
    ssl: { method: 'txt' },
    before: { ssl: { method: 'http' }, hostname: 'shop.before.com' },
  });
});
