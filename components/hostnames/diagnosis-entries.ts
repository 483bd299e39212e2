import type { Diagnosis, DiagnosisVerdict } from '../../src/model/diagnosis/diagnose.ts';
import type { Finding } from '../../src/model/diagnosis/finding.ts';
import { stepText } from '../../src/model/diagnosis/fix-plan.ts';
import type { StepOutcome } from '../../src/services/diagnosis/fix.ts';
import { zoneLine } from '../../src/text/dns-records.ts';
import { commandArguments, diagnosisLines, findingLines } from '../../src/text/finding.ts';
import { commandLine } from '../../src/text/shell.ts';
import type { Role } from '../kit/theme.ts';
import { severityRoles } from '../kit/tones.ts';
import type { Entry } from '../ui/viewer/entries.ts';
import type { Copied } from '../ui/viewer/source.ts';

const verdictRoles: Readonly<Record<DiagnosisVerdict, Role>> = {
  well: 'good',
  pending: severityRoles.progress,
  faulty: 'fault',
  undecided: 'warning',
};

function verdictRole({ verdict, findings }: Diagnosis): Role {
  const isWarned = verdict !== 'faulty' && findings.some(({ severity }) => severity === 'warn');
  return isWarned ? 'warning' : verdictRoles[verdict];
}

/** Returns the lines of a diagnosis: the completed steps, then the findings with their evidence and remedies. */
export function diagnosisEntries(diagnosis: Diagnosis, outcomes: readonly StepOutcome[]): Entry[] {
  const { findings, missing } = diagnosis;
  const lines = diagnosisLines(diagnosis);
  const severe = findings.filter(({ severity }) => severity !== 'ok');
  const unknown = missing.length === 0 ? [] : lines.slice(-missing.length);
  return [
    ...outcomes.map(outcomeEntry),
    { text: lines[0] ?? '', role: verdictRole(diagnosis) },
    ...(severe.length === 0 ? findings : severe).flatMap(findingEntries),
    ...unknown.map((line): Entry => ({ text: line.trim(), indent: 2, role: 'warning' })),
  ];
}

function outcomeEntry({ step, problem }: StepOutcome): Entry {
  const text = stepText(step);
  if (problem === undefined) return { text: `Done: ${text}.`, role: 'good' };
  return { text: `Not done: ${text}: ${problem.message}`, role: 'fault' };
}

/**
 * Returns the lines of a finding in the order of `findingLines`, each with its text for the clipboard. The first line omits the finding's
 * code, which is for programs and searches.
 */
function findingEntries(finding: Finding): Entry[] {
  const { severity, cause, evidence, remedy } = finding;
  const { command, records = [] } = remedy;
  const styles: readonly Omit<Entry, 'text'>[] = [
    { role: severityRoles[severity], copied: { text: cause, what: 'the cause' } },
    ...evidence.map((text) => ({ role: 'dim' as const, copied: { text, what: 'the evidence' } })),
    { copied: { text: remedy.text, what: 'the remedy' } },
    ...records.map((record) => remedyStyle({ text: zoneLine(record), what: 'the record' })),
    ...(command === undefined
      ? []
      : [remedyStyle({ text: commandLine(commandArguments(command)), what: 'the command' })]),
  ];
  const [, ...rest] = findingLines(finding);
  const first = finding.because === undefined ? `${severity}: ${cause}` : `  as a result: ${cause}`;
  return [first, ...rest].map((line, index) => ({
    text: line.trimStart(),
    indent: 2 + line.length - line.trimStart().length,
    ...styles[index],
  }));
}

function remedyStyle(copied: Copied): Omit<Entry, 'text'> {
  return { role: 'badge', copied, stop: true };
}
