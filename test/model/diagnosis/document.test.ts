import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { diagnose, rules } from '../../../src/model/diagnosis/diagnose.ts';
import type { Finding } from '../../../src/model/diagnosis/finding.ts';
import { findSource } from '../../../src/model/diagnosis/sources.ts';
import { zoneLine } from '../../../src/text/dns-records.ts';
import { commandArguments } from '../../../src/text/finding.ts';
import { commandLine } from '../../../src/text/shell.ts';
import { aloneScenes } from '../../services/diagnosis/scenes/alone-scenes.ts';
import { scenes } from '../../services/diagnosis/scenes/scenes.ts';
import { cases } from './cases.ts';

const path = 'docs/diagnosis.md';

const who: Readonly<Record<Finding['who'], string>> = {
  us: 'us',
  customer: 'the customer',
  'zone-owner': 'the owner of the zone',
  provider: 'the platform',
  nobody: '–',
};

/** Returns a rule's finding in its first case. */
function getFinding(id: string): Finding {
  const found = cases
    .filter((one) => one.id === id)
    .flatMap(({ given }) => diagnose(given).findings.filter((finding) => finding.id === id));
  const [first] = found;
  if (first === undefined) throw new Error(`no case brings about ${id}`);
  return first;
}

/** The ids of all findings: the rules, and the finding for a status of the platform that no rule explains. */
const ids = [...rules.map(({ id }) => id), 'G17'];

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}

function getRemedy({ remedy }: Finding): string {
  const records = (remedy.records ?? []).map(
    (record) => `${record.remove === true ? 'remove ' : ''}\`${zoneLine(record)}\``,
  );
  const command =
    remedy.command === undefined ? [] : [`\`${commandLine(commandArguments(remedy.command))}\``];
  return [cell(remedy.text), ...records, ...command].join('<br>');
}

function row(id: string): string {
  const finding = getFinding(id);
  const evidence = finding.evidence.map(cell).join('<br>');
  const cells = [id, finding.severity, cell(finding.cause), evidence, who[finding.who], getRemedy(finding)];
  return `| ${[...cells, findSource(id) ?? ''].join(' | ')} |`;
}

const text = [
  '# Findings of a diagnosis',
  '',
  'Each row is one case of an `edgectl hostname diagnose` rule, with an example of its cause, evidence and fix.',
  'Replace `<…>` with your own values. The test suite reproduces each case in the sandbox over real DNS, HTTP and TLS, diagnoses it, and',
  'fixes it with exactly the records and the command shown, until the hostname is active. If the platform must act, the',
  'cause disappears after the platform has acted; cases without a fault are followed until the hostname is active. G17 is for a hostname that',
  'the platform reports as not active although no rule finds a cause, so no test can reproduce it. Severities: `critical`: deleted within days,',
  'or cannot recover without action; `error`: broken; `warn`: partly broken, or about to break; `progress`: in progress; `info` and `ok`:',
  'for information.',
  '',
  'The verdict is `well` if a hostname is active without a fault: an active certificate is served, and no fact contradicts this.',
  '`pending`: not active yet, and no action is needed; both verdicts have exit code 0. `faulty` (exit code 7): broken, or someone must act',
  'before the hostname is active. `undecided` (exit code 1): a required fact is unknown.',
  '',
  '| code | severity | sentence | evidence | who acts | fix | source |',
  '| --- | --- | --- | --- | --- | --- | --- |',
  ...ids.map(row),
  '',
].join('\n');

test('docs/diagnosis.md matches the rules', () => {
  if (process.env['UPDATE_README'] !== undefined) writeFileSync(path, text);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('each rule has a source', () => {
  expect(ids.filter((id) => findSource(id) === undefined)).toEqual([]);
});

test('each rule has a scenario in the sandbox that reproduces its finding', () => {
  const brought = new Set([...scenes, ...aloneScenes].map(({ id }) => id));
  expect(rules.map(({ id }) => id).filter((id) => !brought.has(id))).toEqual([]);
});
