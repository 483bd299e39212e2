import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { resumeCommand } from '../../../src/cli/commands/kv/bulk-report.ts';
import { escapeText } from '../../../src/text/escape.ts';

test('prints a resume command that can be pasted into a terminal', () => {
  const argv = ['kv', 'bulk', 'put', "it's here.json", '--binding', 'KV'];
  const line = escapeText(resumeCommand(argv)).replace('To resume: ', '');
  const ran = spawnSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  expect(ran.stdout.split('\0').slice(0, -1)).toEqual(['edgectl', ...argv, '--resume']);
});

test('prints a resume command that asks for the same standard input if the command reads standard input', () => {
  expect(resumeCommand(['kv', 'bulk', 'put', '-', '--resume'], '-')).toBe(
    'To resume: edgectl kv bulk put - --resume (with the same standard input)',
  );
});

test('puts the resume flag before the command words if the command contains --', () => {
  expect(resumeCommand(['kv', 'bulk', 'put', '--', '-a.json'])).toBe(
    'To resume: edgectl --resume kv bulk put -- -a.json',
  );
});
