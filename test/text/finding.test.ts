import { expect, test } from 'vitest';
import { type DiagnosisVerdict, diagnose } from '../../src/model/diagnosis/diagnose.ts';
import type { AdvisedCommand, Severity } from '../../src/model/diagnosis/finding.ts';
import { commandArguments, diagnosisLines, findingJson, findingLines } from '../../src/text/finding.ts';
import { facts } from '../model/diagnosis/fixture.ts';

const hostname = 'shop.acme.com';

const commands: readonly (readonly [AdvisedCommand, string])[] = [
  [{ kind: 'refresh', hostname }, 'hostname refresh shop.acme.com'],
  [{ kind: 'delete', hostname }, 'hostname delete shop.acme.com'],
  [{ kind: 'create', hostname, branding: false }, 'hostname create shop.acme.com'],
  [{ kind: 'create', hostname, branding: true }, 'hostname create shop.acme.com --branding'],
  [{ kind: 'edit', hostname, field: 'ca', value: 'google' }, 'hostname edit shop.acme.com --ca google'],
  [{ kind: 'edit', hostname, field: 'origin', value: 'o.com' }, 'hostname edit shop.acme.com --origin o.com'],
  [{ kind: 'list-status', status: 'moved' }, 'hostname list --status moved'],
  [{ kind: 'set-fallback', origin: 'o.com' }, 'hostname fallback-origin set o.com'],
  [
    { kind: 'set-record', name: 'o.saas.com', type: 'A', value: '192.0.2.1', proxied: true },
    'zone record set o.saas.com A 192.0.2.1 --proxied',
  ],
  [{ kind: 'release-hold', zone: 'acme.com' }, 'zone hold release --zone acme.com'],
];

test.each(commands)('formats the command %j of a finding as: %s', (command, line) => {
  const finding = {
    id: 'C4',
    severity: 'error',
    cause: 'c',
    evidence: [],
    who: 'us',
    remedy: { text: 'Do it.', command },
  } as const;
  expect(commandArguments(command).join(' ')).toBe(line);
  expect(findingLines(finding)).toContain(`    $ edgectl ${line}`);
  expect(findingJson(finding).remedy).toEqual({ text: 'Do it.', command: line.split(' ') });
});

const verdicts: readonly (readonly [readonly Severity[], DiagnosisVerdict, string])[] = [
  [['error'], 'faulty', '1 error'],
  [['error', 'error'], 'faulty', '2 errors'],
  [['error', 'warn', 'error', 'info', 'ok'], 'faulty', '2 errors, 1 warning'],
  [['critical', 'error', 'warn', 'warn'], 'faulty', '1 critical fault, 1 error, 2 warnings'],
  [['warn'], 'well', 'no fault, but 1 warning'],
  [['warn', 'warn', 'progress'], 'well', 'no fault, but 2 warnings'],
  [['progress', 'info'], 'well', 'no fault'],
  [[], 'undecided', 'undecided'],
  [['warn'], 'undecided', 'undecided, 1 warning'],
  [['progress', 'info'], 'pending', 'pending, no action needed'],
  [['warn', 'progress'], 'pending', 'pending, with 1 warning'],
  [['progress'], 'faulty', 'not active'],
];

test.each(verdicts)(
  'formats findings %j with the verdict %s under the heading: %s',
  (severities, verdict, words) => {
    const advice = { id: 'C4', cause: 'c', evidence: [], who: 'us', remedy: { text: 'Do it.' } } as const;
    const findings = severities.map((severity) => ({ ...advice, severity }));
    const diagnosis = { ...diagnose(facts()), findings, verdict };
    expect(diagnosisLines(diagnosis)[0]).toBe(`${diagnosis.hostname}: ${words}`);
  },
);
