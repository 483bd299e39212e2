import { countBy } from '../../../model/hostnames/list.ts';
import type { DiagnosedHostname } from '../../../services/diagnosis/diagnosis.ts';
import { causeOf, diagnosisLines, findingJson, headlineOf } from '../../../text/finding.ts';
import type { Context } from '../../parsing/command.ts';
import { countOf } from '../objects/report.ts';

/** Tells one diagnosis as it comes: in full, or with `brief` one line and nothing of hostnames that are well. */
export async function tellDiagnosis(
  { output }: Context,
  { diagnosis }: DiagnosedHostname,
  brief: boolean,
): Promise<void> {
  if (output.json) return;
  if (!brief) for (const line of diagnosisLines(diagnosis)) await output.line(line);
  else if (diagnosis.exit !== 0) await output.line(headlineOf(diagnosis));
}

/** The verdict over all: a fault wins, then what could not be decided (DESIGN, exit codes). */
export function exitOf(diagnosed: readonly DiagnosedHostname[]): 0 | 1 | 7 {
  const exits = diagnosed.map(({ diagnosis }) => diagnosis.exit);
  return exits.includes(7) ? 7 : exits.includes(1) ? 1 : 0;
}

/** With --json all diagnoses as one value; for people a summary by cause on stderr, where there are several. */
export async function answerDiagnoses(
  { output }: Context,
  zoneId: string,
  diagnosed: readonly DiagnosedHostname[],
): Promise<void> {
  const causes = countBy(diagnosed, ({ diagnosis }) => causeOf(diagnosis));
  const count = (exit: number): number => diagnosed.filter(({ diagnosis }) => diagnosis.exit === exit).length;
  const summary = { hostnames: diagnosed.length, well: count(0), faulty: count(7), undecided: count(1) };
  if (output.json) {
    const diagnoses = diagnosed.map(({ diagnosis: { hostname, exit, findings, missing } }) => ({
      hostname,
      verdict: exit === 0 ? 'well' : exit === 7 ? 'faulty' : 'undecided',
      findings: findings.map(findingJson),
      missing,
    }));
    await output.answerJson({ zoneId, ...summary, causes: Object.fromEntries(causes), diagnoses });
    return;
  }
  if (diagnosed.length === 1) return;
  const { well, faulty, undecided } = summary;
  const more = undecided === 0 ? '' : `, ${undecided} not decided`;
  output.note(`${countOf(diagnosed.length, 'hostname')}: ${well} without fault, ${faulty} faulty${more}.`);
  for (const [cause, times] of causes) output.note(`${String(times).padStart(6)}  ${cause}`);
}
