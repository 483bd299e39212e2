import type { Diagnosis, MissingFact } from '../model/diagnosis/diagnose.ts';
import type {
  AdvisedCommand,
  Finding,
  NextStep,
  RecordAdvice,
  Responsible,
} from '../model/diagnosis/finding.ts';
import { findSource } from '../model/diagnosis/sources.ts';
import { zoneLine } from './dns-records.ts';
import { commandLine } from './shell.ts';

/** Words that state who must act, printed before the advice. If nobody must act, only the advice is printed. */
const actors: Readonly<Record<Exclude<Responsible, 'nobody'>, string>> = {
  us: 'you must act',
  customer: 'the customer must act',
  'zone-owner': 'the owner of the zone must act',
  provider: 'the platform must act',
};

/** Singular and plural words for findings, for each severity that requires action. */
const counted = [
  ['critical', 'critical fault', 'critical faults'],
  ['error', 'error', 'errors'],
  ['warn', 'warning', 'warnings'],
] as const;

/**
 * Formats the numbers of findings as `2 errors, 1 warning`, most severe first; empty if there are none. Findings that another finding
 * caused are not counted.
 */
export function countFindings(findings: readonly Finding[]): string {
  return counted
    .flatMap(([wanted, one, several]) => {
      const { length } = findings.filter(
        ({ severity, because }) => severity === wanted && because === undefined,
      );
      return length === 0 ? [] : [`${length} ${length === 1 ? one : several}`];
    })
    .join(', ');
}

const undecided = 'undecided';

/** Returns the verdict in a few words, or the number of errors and warnings. */
function toVerdict({ verdict, findings }: Diagnosis): string {
  const counts = countFindings(findings);
  switch (verdict) {
    case 'faulty':
      // A hostname that is not active may require action even if there are no errors or warnings.
      return counts === '' ? 'not active' : counts;
    case 'pending':
      return counts === '' ? 'pending, no action needed' : `pending, with ${counts}`;
    case 'well':
      return counts === '' ? 'no fault' : `no fault, but ${counts}`;
    case 'undecided':
      return counts === '' ? undecided : `${undecided}, ${counts}`;
  }
}

/** Formats a diagnosis as lines, with all of its evidence and remedies. The lines contain untrusted data and are not escaped. */
export function diagnosisLines(diagnosis: Diagnosis, place: readonly string[] = []): readonly string[] {
  const { hostname, findings, missing } = diagnosis;
  const severe = findings.some(({ severity }) => severity !== 'ok');
  const shown = severe ? findings.filter(({ severity }) => severity !== 'ok') : findings;
  return [
    `${hostname}: ${toVerdict(diagnosis)}`,
    ...shown.flatMap((finding) => linesAt(place, finding).map((line) => `  ${line}`)),
    ...missing.map((fact) => `  ${missingLine(fact)}`),
  ];
}

/**
 * Formats one finding: its cause, its evidence, who must act, and the remedy ready to paste. A finding that another finding caused is
 * indented under its cause and has no remedy, because fixing the cause also fixes the finding.
 */
export function findingLines(finding: Finding): readonly string[] {
  return linesAt([], finding);
}

function linesAt(place: readonly string[], finding: Finding): readonly string[] {
  const { id, severity, because, cause, evidence, who, remedy } = finding;
  if (because !== undefined)
    return [`  follows from ${because}: ${id}: ${cause}`, ...evidence.map((line) => `      ${line}`)];
  return [
    `${severity} ${id}: ${cause}`,
    ...evidence.map((line) => `    ${line}`),
    `  ${who === 'nobody' ? '' : `${actors[who]}: `}${remedy.text}`,
    ...remedyLines(remedy, place).map((line) => `    ${line}`),
  ];
}

/**
 * Formats the records and the command of a remedy, ready to paste. `place` contains flags that make the command act on the same profile,
 * zone and platform.
 */
export function remedyLines(
  { records = [], command }: NextStep,
  place: readonly string[] = [],
): readonly string[] {
  return [
    ...records.map(recordLine),
    ...(command === undefined
      ? []
      : [`$ ${commandLine([...formatPlace(command, place), ...commandArguments(command)])}`]),
  ];
}

/**
 * Returns the flags to add to an advised command. The command that releases a hold gets no flags, because the owner of the customer's zone
 * runs it with different credentials.
 */
function formatPlace({ kind }: AdvisedCommand, place: readonly string[]): readonly string[] {
  return kind === 'release-hold' ? [] : place;
}

/** Returns the arguments of the command that a finding advises, without the program's name. */
export function commandArguments(command: AdvisedCommand): readonly string[] {
  switch (command.kind) {
    case 'refresh':
    case 'delete':
      return ['hostname', command.kind, command.hostname];
    case 'create':
      return [
        ...['hostname', 'create', command.hostname],
        ...(command.branding ? ['--branding'] : []),
        ...(command.wildcard === true ? ['--wildcard'] : []),
        ...(command.origin === undefined ? [] : ['--origin', command.origin]),
      ];
    case 'edit':
      return ['hostname', 'edit', command.hostname, `--${command.field}`, command.value];
    case 'list-status':
      return ['hostname', 'list', '--status', command.status];
    case 'set-fallback':
      return ['hostname', 'fallback-origin', 'set', command.origin];
    case 'set-record': {
      const { name, type, value, proxied } = command;
      return ['zone', 'record', 'set', name, type, value, ...(proxied ? ['--proxied'] : [])];
    }
    case 'release-hold':
      return ['zone', 'hold', 'release', '--zone', command.zone];
  }
}

/** Converts a finding to JSON. The command is a list of arguments. */
export function findingJson(finding: Finding) {
  const { command, ...remedy } = finding.remedy;
  const source = findSource(finding.id);
  return {
    ...finding,
    ...(source !== undefined && { source }),
    remedy: command === undefined ? remedy : { ...remedy, command: commandArguments(command) },
  };
}

function recordLine(record: RecordAdvice): string {
  return record.remove === true ? `remove: ${zoneLine(record)}` : zoneLine(record);
}

function missingLine({ fact, reason }: MissingFact): string {
  return `not known: ${fact} (${reason})`;
}

/** Returns the finding that represents a diagnosis on one line: the most severe finding, or the finding that reports that all is well. */
function formatHead({ headline, findings }: Diagnosis): Finding | undefined {
  return headline?.severity === 'ok' ? findings.at(-1) : headline;
}

/** Returns who must act on a hostname according to its most severe finding; null if the cause is unknown. */
export function whoActs(diagnosis: Diagnosis): Finding['who'] | null {
  return diagnosis.exit === 1 ? null : (formatHead(diagnosis)?.who ?? 'nobody');
}

/** Formats a diagnosis on one line: hostname, verdict, and the most severe finding. */
export function formatHeadline(diagnosis: Diagnosis): string {
  const { hostname, missing, exit } = diagnosis;
  const headline = formatHead(diagnosis);
  const [first] = missing;
  if (exit === 1 && first !== undefined) return `${hostname}: ${undecided}: ${missingLine(first)}`;
  return headline === undefined
    ? `${hostname}: ${toVerdict(diagnosis)}`
    : `${hostname}: ${headline.severity} ${headline.id}: ${headline.cause}`;
}

/** The cause of a fault: a sentence, and the finding's id (null if the cause could not be determined). */
export interface DiagnosisCause {
  readonly finding: string | null;
  readonly cause: string;
}

/** Returns the cause by which diagnoses are grouped: the cause of the headline, or the reason why the cause could not be determined. */
export function toDiagnosisCause(diagnosis: Diagnosis): DiagnosisCause {
  const { exit, missing } = diagnosis;
  if (exit === 1) return { finding: null, cause: `undecided: ${missing[0]?.fact ?? 'a fact'} is unknown` };
  const headline = formatHead(diagnosis);
  if (headline === undefined)
    return { finding: null, cause: diagnosis.verdict === 'pending' ? 'not active yet' : 'nothing found' };
  return { finding: headline.id, cause: headline.cause };
}

/** Formats a cause as one string. */
export function formatCause({ finding, cause }: DiagnosisCause): string {
  return finding === null ? cause : `${finding} ${cause}`;
}
