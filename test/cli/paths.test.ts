import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandRoot, commandTable } from '../../src/cli/commands/table.ts';
import { readCommandLine } from '../../src/cli/parsing/command-line.ts';
import type { CommandDeclaration, FlagDeclaration } from '../../src/cli/parsing/declaration.ts';
import { globalFlags } from '../../src/cli/parsing/flags.ts';
import { interpret } from '../../src/cli/parsing/interpret.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { program, userEnvironment } from '../support/program.ts';
import { newPerson, runCommand } from '../support/run-command.ts';
import { testWorld } from '../support/world.ts';

/** The placeholders in the help that stand for files and folders. */
const pathNames = /^(PATH|FILE|FILENAME|DIR|FOLDER|ENTRY)$/;

const commands = commandTable.map((row) => [row.words, row] as const);

/** Returns the required arguments of a command, with the given value for one of the arguments. */
function argumentsOf(body: CommandDeclaration, name?: string, value = 'x'): string[] {
  return Object.entries(body.arguments).flatMap(([each, { optional }]) =>
    each === name ? [value] : optional ? [] : ['x'],
  );
}

test('declares every argument that names a file or folder as a path', () => {
  const wrong = commands.flatMap(([words, body]) => [
    ...Object.entries<FlagDeclaration>({ ...body.flags, ...globalFlags })
      .filter(
        ([, { placeholder = '', kind }]) => pathNames.test(placeholder) && !/^(path|switch)$/.test(kind),
      )
      .map(([name]) => `${words} --${name}`),
    ...Object.entries(body.arguments)
      .filter(([name, { kind }]) => pathNames.test(name) && kind !== 'path')
      .map(([name]) => `${words} ${name}`),
  ]);
  expect(wrong).toEqual([]);
});

describe.each(['', 'a\0b'])('rejects the path %j', (path) => {
  test.each(commands)('%s rejects the path in each argument and flag that accepts a path', (words, body) => {
    const flags = Object.entries({ ...body.flags, ...globalFlags }).filter(([, { kind }]) => kind === 'path');
    const files = Object.entries(body.arguments).filter(([, { kind }]) => kind === 'path');
    const lines = [
      ...flags.map(([name]) => [`--${name}`, path, ...argumentsOf(body)]),
      ...files.map(([name]) => argumentsOf(body, name, path)),
      [`--sandbox=${path}`, ...argumentsOf(body)],
    ];
    const said = path === '' ? /is empty; it must be the path|needs a DIR/ : 'contains a NUL byte';
    for (const line of lines) {
      const read = readCommandLine([...words.split(' '), ...line], commandRoot);
      expect(() => interpret(read, commandRoot), line.join(' ')).toThrow(said);
    }
  });
});

test('creates nothing for an empty --persist-to', async () => {
  const person = newPerson();
  const put = ['kv', 'key', 'put', 'k', 'v', '--namespace-id', 'a'.repeat(32), '--local', '--persist-to', ''];
  const { code, out, err } = await runCommand(person, put);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain('--persist-to is empty');
  expect(readdirSync(person.cwd)).toEqual([]);
});

test('runs a command that does not need the working directory after the directory was deleted', async () => {
  const world = testWorld({ argv: ['sandbox', 'status'] });
  const gone = {
    ...world,
    get cwd(): string {
      throw new Error('it was deleted');
    },
  };
  expect({ code: await runCommandLine(gone, async () => 1), err: world.errText() }).toEqual({
    code: 0,
    err: '',
  });
  expect(world.outText()).toContain('No sandbox server is running');
});

test('reports a deleted working directory in one sentence', () => {
  const { home, cwd } = newPerson();
  mkdirSync(join(cwd, 'gone'));
  // The shell enters the folder and deletes it, because no program can be started in a missing folder.
  const line = `kv key get k --local --namespace-id ${'a'.repeat(32)}`;
  const script = `cd gone && rmdir ../gone && exec "${process.execPath}" "${program}" ${line}`;
  const message = spawnSync('sh', ['-c', script], { cwd, env: userEnvironment(home), encoding: 'utf8' });
  expect([message.status, message.stdout]).toEqual([1, '']);
  expect(message.stderr).toBe(
    'error: The working directory no longer exists.\nhint: Change to an existing folder: cd\n',
  );
});
