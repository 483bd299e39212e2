import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandTable } from '../../src/cli/commands/table.ts';
import { otherSchemas, schemaName } from '../../src/cli/output/schemas.ts';
import { globalFlags } from '../../src/cli/parsing/flags.ts';
import { schemaFault } from '../answers/check.ts';
import { newPerson, runCommand } from '../support/run-command.ts';

const help = async (...argv: string[]) => {
  const { code, out } = await runCommand(newPerson(), argv);
  expect(code).toBe(0);
  return JSON.parse(out);
};

test('help --json describes every command, and matches its schema', async () => {
  const whole = await help('help', '--json');
  expect(schemaFault(otherSchemas['help']?.() ?? {}, whole)).toBeUndefined();
  expect(whole.commands.map(({ command }: { command: string }) => command)).toEqual(
    commandTable.map(({ words }) => words),
  );
  expect(await help('--help', '--json')).toEqual(whole);
});

test('help --json of a group or a command describes only that group or command', async () => {
  const group = await help('kv', 'key', '--help', '--json');
  expect(group.commands.map(({ command }: { command: string }) => command)).toContain('kv key list');
  const { commands } = await help('help', 'kv', 'key', 'get', '--json');
  expect(commands).toHaveLength(1);
  expect(commands[0]).toMatchObject({
    command: 'kv key get',
    effect: 'read',
    asks: false,
    needs: 'account',
    arguments: [{ name: 'KEY', type: 'string', required: true, many: false }],
    answer: 'one value',
    schema: 'docs/schema/kv-key-get.json',
    exitCodes: [0, 1, 2, 3, 4, 130],
  });
  expect(commands[0].flags).toContainEqual(expect.objectContaining({ name: '--text', type: 'boolean' }));
});

test('help schema prints the published schema of each command, and reports commands without a schema', async () => {
  const { commands } = await help('help', '--json');
  for (const { command, schema } of commands.slice(0, 20)) {
    if (schema === null) continue;
    expect(await help('help', 'schema', ...command.split(' '))).toEqual(
      JSON.parse(readFileSync(schema, 'utf8')),
    );
  }
  expect(await help('help', 'schema', 'stderr')).toEqual(
    JSON.parse(readFileSync('docs/schema/stderr.json', 'utf8')),
  );
  expect(await help('help', 'schema', schemaName('kv key get'))).toHaveProperty('title');
  expect(await runCommand(newPerson(), ['help', 'schema', 'kv', 'key', 'gte'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Did you mean: edgectl help schema kv key get'),
  });
  expect(await runCommand(newPerson(), ['help', 'schema', 'console'])).toMatchObject({ code: 2 });
});

test('the help of a command describes its flags and its answer, and refers to the global flags', async () => {
  for (const { words } of commandTable.slice(0, 20)) {
    const { out } = await runCommand(newPerson(), [...words.split(' '), '--help']);
    expect(out, words).toContain('edgectl help flags');
    expect(out, words).toContain('--json ');
    expect(out, words).not.toContain('--api-base-url');
  }
  const { out } = await runCommand(newPerson(), ['help', 'flags']);
  for (const name of Object.keys(globalFlags)) expect(out).toContain(`--${name}`);
});

test('the topic "filters" names only flags that the listed commands accept', async () => {
  const { commands } = await help('help', '--json');
  const flagsOf = (words: string): readonly string[] =>
    commands
      .find(({ command }: { command: string }) => command === words)
      .flags.map(({ name }: { name: string }) => name.replace(/^-*/, '--'));
  const { out } = await runCommand(newPerson(), ['help', 'filters']);
  const messages = [...out.matchAll(/^ {2}(--.+?) {2,}(.+)$/gm)].map(([, flags = '', about = '']) => ({
    flags: [...flags.matchAll(/--[a-z-]+/g)].map(([flag]) => flag),
    about,
  }));
  expect(messages.length).toBeGreaterThan(3);
  for (const { flags, about } of messages) {
    const verbs = /hostname ((?:list|edit|refresh|delete|, | and )+)/.exec(about)?.[1]?.split(/, | and /);
    const named = verbs?.map((verb) => `hostname ${verb.trim()}`) ?? [
      'kv key list',
      ...(about.includes('objects') ? ['objstore object list'] : []),
    ];
    for (const words of named)
      expect(flagsOf(words), `${words}: ${about}`).toEqual(expect.arrayContaining(flags));
  }
});
