import { describe, expect, it } from 'vitest';
import { commandTable } from '../../src/cli/commands/table.ts';
import { newPerson, runCommand } from '../support/run-command.ts';
import { commandLines, titleOf } from './suite/command-lines.ts';
import { sharedFaultRunner } from './suite/play.ts';

const runner = sharedFaultRunner();

const rows = new Map(commandTable.map((row) => [row.words, row]));
/** Their stage has nothing kept for undo, and no profile. */
const cannot = ['undo restore', 'profile remove'];
const lines = commandLines.filter(
  ({ words, rest }) =>
    rows.get(words)?.plans === true &&
    !cannot.includes(words) &&
    !(Array.isArray(rest) && rest.includes('--dry-run')),
);

it('every command that changes something has --dry-run, or makes a plan', () => {
  const without = commandTable
    .filter(({ effect }) => effect === 'write' || effect === 'destroy')
    .filter(({ flags }) => !('dry-run' in flags) && !('plan' in flags))
    .map(({ words }) => words);
  expect(without).toEqual([]);
});

describe('a dry run sends nothing that changes something, asks nobody, and answers its plan', () => {
  it.each(lines.map((line) => ({ line, title: titleOf(line) })))('$title', async ({ line }) => {
    const rest = typeof line.rest === 'function' ? line.rest : () => line.rest as readonly string[];
    const withoutYes = (stage: Parameters<typeof rest>[0]) => rest(stage).filter((word) => word !== '--yes');
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
  });
});

// They act on this machine, where no request shows a change.
it('a dry run of local commands leaves journal, profiles and sandbox as they are', async () => {
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
