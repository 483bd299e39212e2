import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandTable } from '../../src/cli/commands/table.ts';
import { findRoute } from '../../src/v4/routes.ts';
import type { Method } from '../../src/v4/send.ts';
import { newPerson, runCommand } from '../support/run-command.ts';
import { commandLines, titleOf } from './suite/command-lines.ts';
import { sharedFaultRunner } from './suite/play.ts';

const runner = sharedFaultRunner();

const rows = new Map(commandTable.map((row) => [row.words, row]));
/** Commands that fail on the stage, which has no undo entries and no profile. */
const cannot = ['undo restore', 'profile remove'];
const lines = commandLines.filter(
  ({ words, rest }) =>
    rows.get(words)?.plans === true &&
    !cannot.includes(words) &&
    !(Array.isArray(rest) && rest.includes('--dry-run')),
);

it('every command that changes something has --dry-run or prints a plan', () => {
  const without = commandTable
    .filter(({ effect }) => effect === 'write' || effect === 'destroy')
    .filter(({ flags }) => !('dry-run' in flags) && !('plan' in flags))
    .map(({ words }) => words);
  expect(without).toEqual([]);
});

describe('a dry run', () => {
  it.each(lines.map((line) => ({ line, title: titleOf(line) })))(
    'sends no changes, asks no questions, and prints its plan: $title',
    async ({ line }) => {
      const rest = typeof line.rest === 'function' ? line.rest : () => line.rest as readonly string[];
      const withoutYes = (stage: Parameters<typeof rest>[0]) =>
        rest(stage).filter((word) => word !== '--yes');
      const { ran, exchanges } = await runner().record({
        ...line,
        rest: (stage) => [...withoutYes(stage), '--dry-run', '--json'],
      });
      expect({ code: ran.code, err: ran.code === 0 ? '' : ran.err }).toEqual({ code: 0, err: '' });
      expect(exchanges.map(({ passing }) => passing.method).filter((method) => method !== 'GET')).toEqual([]);
      const answer = JSON.parse(ran.out);
      if (answer.dryRun === undefined) return;
      expect(answer).toMatchObject({ dryRun: true, command: line.words });
      expect(answer.changes.length).toBeGreaterThan(0);
      expect(ran.out).not.toContain('a text');
    },
  );
});

// The declared effect controls --read-only, --dry-run and the rule of loss; the routes determine the real effect.
describe('a command declared as reading', () => {
  const reading = commandLines.filter(
    ({ words, rest }) =>
      rows.get(words)?.effect === 'read' && !(Array.isArray(rest) && rest.includes('--fix')),
  );
  it.each(reading.map((line) => ({ line, title: titleOf(line) })))(
    'sends no changes: $title',
    async ({ line }) => {
      const { exchanges } = await runner().record(line);
      const calls = exchanges.map(({ passing: { method, path } }) => {
        return { method: method as Method, path: path.replace(/^\/client\/v4|\?.*$/g, '') };
      });
      const reads = (call: (typeof calls)[number]) =>
        ['GET', 'HEAD'].includes(call.method) || findRoute(call)?.effect === 'read';
      expect(calls.filter((call) => !reads(call))).toEqual([]);
    },
  );
});

// The record must have the fields of the API; the expected value is the text that was stored.
it('shows the current and the new state in the dry run of a command that sends one request', async () => {
  const person = newPerson({ EDGECTL_PROFILE: 'sandbox' });
  const run = async (line: string) => {
    const ran = await runCommand(person, line.split(' '));
    expect([line, ran.code, ran.code === 0 ? '' : ran.err]).toEqual([line, 0, '']);
    return ran.out;
  };
  const namespace = JSON.parse(await run('kv namespace create KV --json')).id;
  await run(`kv key put a old --namespace-id ${namespace}`);
  await run('zone record set www A 192.0.2.1');
  await run('hostname create shop.acme.com --min-tls 1.0');
  // Returns the digest computed by Node's crypto module. A dry run never prints a value, because `--path` exists to keep values off the
  // command line.
  const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');
  writeFileSync(join(person.cwd, 'secret.txt'), 'TOP-SECRET');
  expect(await run(`kv key put a --path secret.txt --namespace-id ${namespace} --dry-run`)).not.toContain(
    'SECRET',
  );
  const differences = async (line: string) =>
    JSON.parse(await run(`${line} --dry-run --json`)).changes[0].differences;
  expect(await differences(`kv key put a newer --namespace-id ${namespace}`)).toEqual([
    { field: 'size', from: '3', to: '5' },
    { field: 'sha256', from: sha256Of('old'), to: sha256Of('newer') },
  ]);
  expect(await differences(`kv key delete a --namespace-id ${namespace}`)).toEqual([
    { field: 'size', from: '3' },
    { field: 'sha256', from: sha256Of('old') },
  ]);
  expect(await differences('zone record set www A 192.0.2.2')).toEqual([
    { field: 'content', from: '192.0.2.1', to: '192.0.2.2' },
  ]);
  expect(await differences('hostname edit shop.acme.com --min-tls 1.2')).toContainEqual({
    field: 'ssl.settings.min_tls_version',
    from: '1.0',
    to: '1.2',
  });
  expect(await differences('hostname edit --status pending --min-tls 1.2')).toEqual([
    { field: 'min_tls', from: '1.0', to: '1.2' },
  ]);
  expect(await run('zone record delete www A --dry-run')).toContain('  content: 192.0.2.1\n');
  const [line = ''] = (await run('hostname edit --status pending --min-tls 1.2 --yes --json')).split('\n');
  expect(JSON.parse(line).before.ssl.settings).toEqual({ min_tls_version: '1.0' });
});

// docs/decisions.md: a dry run changes nothing. The test compares the files of the journal, because the next undo reads these files.
describe('the journal after a dry run', () => {
  const things = [
    ['kv key put a 2 --namespace-id ID --undo', 'kv key put a 1 --namespace-id ID'],
    ['kv key delete a --namespace-id ID', 'kv key put a 1 --namespace-id ID'],
    ['objstore object put box/a --path one.txt --undo', 'objstore object put box/a --path two.txt'],
    ['objstore object copy box/b box/a --undo', 'objstore object put box/a --path two.txt'],
    ['objstore object delete box/a', 'objstore object put box/a --path two.txt'],
    ['hostname edit shop.acme.com --min-tls 1.3'],
    ['hostname refresh shop.acme.com'],
    ['hostname delete shop.acme.com --yes'],
    [
      'hostname fallback-origin set images.saas.sandbox --yes',
      'hostname fallback-origin set origin.saas.sandbox --yes',
    ],
    ['hostname fallback-origin delete --yes', 'hostname fallback-origin set origin.saas.sandbox --yes'],
    ['zone record set www A 192.0.2.2 --yes', 'zone record set www A 192.0.2.1'],
    ['zone record delete old A --yes', 'zone record set old A 192.0.2.1'],
  ] as const satisfies readonly (readonly [string, string?])[];
  const person = newPerson({ EDGECTL_PROFILE: 'sandbox' });
  const run = async (line: string) => {
    const ran = await runCommand(person, line.split(' '));
    expect([line, ran.code, ran.code === 0 ? '' : ran.err]).toEqual([line, 0, '']);
    return ran.out;
  };
  const folder = join(person.home, 'state', 'undo');
  const files = () => (existsSync(folder) ? readdirSync(folder).sort() : []);
  const ids: string[] = [];
  beforeAll(async () => {
    writeFileSync(join(person.cwd, 'one.txt'), 'one');
    writeFileSync(join(person.cwd, 'two.txt'), 'two');
    ids.push(JSON.parse(await run('kv namespace create DRY --json')).id);
    await run('objstore bucket create box');
    await run('objstore object put box/b --path one.txt');
    for (const name of ['origin', 'images'])
      await run(`zone record set ${name} A 192.0.2.8 --proxied --no-undo --yes`);
    await run('hostname create shop.acme.com');
  });

  it('a test case covers the dry run of every command that saves data for undo', () => {
    const keeping = commandTable.filter(({ loss }) => loss?.keeps !== undefined).map(({ words }) => words);
    const tried = things.map(([line]) => keeping.find((words) => line.startsWith(words)));
    expect(new Set([...tried, 'undo restore'])).toEqual(new Set(keeping));
  });

  it.each(things.map(([change, before]) => ({ change, before })))(
    'does not change: $change',
    async ({ change, before }) => {
      const named = (line: string) => line.replace('ID', String(ids[0]));
      if (before !== undefined) await run(named(before));
      const then = files();
      await run(`${named(change)} --dry-run`);
      expect(files()).toEqual(then);
      await run(named(change));
      const [entry] = (await run('undo list')).split(' ');
      const now = files();
      await run(`undo restore ${entry} --force --dry-run`);
      expect(files()).toEqual(now);
      if (now.length > then.length) await run(`undo restore ${entry} --force`);
    },
  );
});

// These commands act only on this machine, so no request would show a change.
it('does not change the journal, profiles or the sandbox in a dry run of local commands', async () => {
  const person = newPerson({ EDGECTL_PROFILE: 'sandbox' });
  const run = async (line: string, stdin?: string) => {
    const ran = await runCommand(person, line.split(' '), stdin === undefined ? {} : { stdin });
    expect([line, ran.code, ran.err.includes('error')]).toEqual([line, 0, false]);
    return ran.out;
  };
  await run('kv namespace create KV');
  await run('kv key put a 1 --namespace worker-KV');
  await run('kv key delete a --namespace worker-KV --undo');
  await run('profile add acme --no-verify', 'token');
  const state = async () => [
    await run('undo list'),
    await run('profile list'),
    await run('kv namespace list'),
    await run('sandbox dns list'),
  ];
  const before = await state();
  const [entry = ''] = (await run('undo list')).split(' ');
  for (const line of [
    'undo purge',
    `undo restore ${entry}`,
    'profile remove acme',
    'sandbox reset',
    'sandbox dns set x.acme.com A 192.0.2.1',
    'kv namespace delete --namespace worker-KV',
  ])
    expect(await run(`${line} --dry-run`), line).toContain('Dry run');
  expect(await state()).toEqual(before);
});
