import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandRoot, commandTable } from '../src/cli/commands/table.ts';
import { manualPages } from '../src/cli/output/manual.ts';
import { topics } from '../src/cli/parsing/topics.ts';
import { newPerson, runCommand } from './support/run-command.ts';
import { scratchFolder } from './support/world.ts';

const pages = manualPages(commandTable);

test('the package lists every page of the manual', () => {
  const { man } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(man).toEqual(pages.map(({ file }) => `./dist/man/${file}.gz`).sort());
});

test('the manual contains every command with its flags', () => {
  const text = pages.map((page) => page.text).join('\n');
  for (const { words, flags } of commandTable) {
    expect(text).toContain(`.Ss edgectl ${words}\n`);
    for (const [name, { hidden }] of Object.entries(flags)) {
      if (hidden !== true) expect(text).toContain(`Fl Fl ${name}`);
    }
  }
});

test('mandoc reports no warnings', ({ skip }) => {
  skip(spawnSync('mandoc', ['-V']).error !== undefined, 'mandoc is not installed here');
  const folder = scratchFolder('man');
  const paths = pages.map(({ file, text }) => {
    writeFileSync(join(folder, file), text);
    return join(folder, file);
  });
  expect(execFileSync('mandoc', ['-T', 'lint', '-W', 'warning', ...paths], { encoding: 'utf8' })).toBe('');
});

test.each(Object.keys(topics))('help prints the topic %s within the page width', async (topic) => {
  const { code, out } = await runCommand(newPerson(), ['help', topic]);
  expect(code).toBe(0);
  expect(out.split('\n').length).toBeGreaterThan(4);
  expect(out).not.toMatch(/undefined|\[object/);
});

test('the root help fits a terminal of 80 columns and 40 lines, and lists every noun and topic', async () => {
  const { code, out } = await runCommand(newPerson(), ['--help']);
  const lines = out.trimEnd().split('\n');
  expect(code).toBe(0);
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  for (const noun of commandRoot.below.keys()) expect(out).toContain(`  ${noun} `);
});

test('help commands lists each command on one line', async () => {
  const { code, out } = await runCommand(newPerson(), ['help', 'commands']);
  expect(code).toBe(0);
  for (const { words, about } of commandRoot.rows) {
    expect(
      out.split('\n').filter((line) => line.startsWith(`  ${words} `) && line.endsWith(about)),
    ).toHaveLength(1);
  }
});

test('suggests a topic for a mistyped topic; the help lists all topics', async () => {
  const wrong = await runCommand(newPerson(), ['help', 'exitcodes']);
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringContaining('Did you mean "edgectl help exit-codes"?'),
  ]);
  const { out } = await runCommand(newPerson(), ['--help']);
  for (const topic of Object.keys(topics)) expect(out).toContain(topic);
});
