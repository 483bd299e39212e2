import type { Diagnosis, DiagnosisVerdict } from '../../../model/diagnosis/diagnose.ts';
import { byCount } from '../../../model/hostnames/list.ts';
import type { DiagnosedHostname } from '../../../services/diagnosis/diagnosis.ts';
import {
  type DiagnosisCause,
  diagnosisLines,
  findingJson,
  formatCause,
  formatHeadline,
  toDiagnosisCause,
  whoActs,
} from '../../../text/finding.ts';
import type { FailureJson } from '../../../text/problem.ts';
import { keepZoneFlags } from '../../output/remedy-texts.ts';
import type { Context } from '../../parsing/command.ts';
import { formatCount } from '../objects/report.ts';

/**
 * Prints a diagnosis in full. With `brief`, prints one line, and only if the exit code of the diagnosis is not 0. Prints nothing with
 * `--json`.
 */
export async function tellDiagnosis(
  { output, world }: Context,
  { diagnosis }: DiagnosedHostname,
  brief: boolean,
): Promise<void> {
  if (output.json) return;
  if (!brief)
    for (const line of diagnosisLines(diagnosis, keepZoneFlags(world.argv))) await output.line(line);
  else if (diagnosis.exit !== 0) await output.line(formatHeadline(diagnosis));
}

interface CountedCause extends DiagnosisCause {
  readonly hostnames: number;
}

/** A counter of the diagnoses in a run. Only the counts stay in memory, because a run can diagnose thousands of hostnames. */
class DiagnosisTally {
  readonly #verdicts = new Map<DiagnosisVerdict, number>();
  readonly #causes = new Map<string, CountedCause>();

  add(diagnosis: Diagnosis): void {
    const { verdict } = diagnosis;
    const cause = toDiagnosisCause(diagnosis);
    this.#verdicts.set(verdict, this.#count(verdict) + 1);
    const words = formatCause(cause);
    this.#causes.set(words, { ...cause, hostnames: (this.#causes.get(words)?.hostnames ?? 0) + 1 });
  }

  #count(verdict: DiagnosisVerdict): number {
    return this.#verdicts.get(verdict) ?? 0;
  }

  /** The exit code for all hostnames: a fault (7) takes precedence over an unknown result (1). */
  get exit(): 0 | 1 | 7 {
    return this.#count('faulty') > 0 ? 7 : this.#count('undecided') > 0 ? 1 : 0;
  }

  get summary() {
    const [well, pending] = [this.#count('well'), this.#count('pending')];
    const [faulty, undecided] = [this.#count('faulty'), this.#count('undecided')];
    return { hostnames: well + pending + faulty + undecided, well, pending, faulty, undecided };
  }

  /** The number of hostnames by their most severe cause, most common cause first. */
  get causes(): readonly CountedCause[] {
    return byCount(new Map([...this.#causes].map(([words, { hostnames }]) => [words, hostnames]))).flatMap(
      ([words]) => this.#causes.get(words) ?? [],
    );
  }
}

/** A step that --fix completed or failed to complete, as `--json` prints it. */
export interface FixStep {
  /** Absent if the step concerns the zone. */
  readonly hostname?: string;
  readonly step: string;
  readonly kind: string;
  readonly result: 'done' | 'failed';
  readonly error?: FailureJson;
}

/**
 * Counts diagnoses as they arrive. With `--json`, writes the diagnoses in parts that together form one value. Otherwise, prints a summary
 * by cause to stderr at the end, unless there is only one hostname. Returns the exit code.
 */
export async function answerDiagnoses(
  { output }: Context,
  zoneId: string,
  diagnosed: Iterable<DiagnosedHostname> | AsyncIterable<DiagnosedHostname>,
  steps?: readonly FixStep[],
): Promise<0 | 1 | 7> {
  const tally = new DiagnosisTally();
  if (output.json) {
    const tail = () => ({ ...tally.summary, causes: tally.causes, ...(steps && { steps }) });
    await output.answerJsonList({ zoneId }, 'diagnoses', toAnswers(diagnosed, tally), tail);
    return tally.exit;
  }
  for await (const { diagnosis } of diagnosed) tally.add(diagnosis);
  const { hostnames, well, pending, faulty, undecided } = tally.summary;
  if (hostnames === 1) return tally.exit;
  const waiting = pending === 0 ? '' : `, ${pending} pending`;
  const more = undecided === 0 ? '' : `, ${undecided} unclear`;
  output.note(
    `${formatCount(hostnames, 'hostname')}: ${well} without faults${waiting}, ${faulty} faulty${more}.`,
  );
  for (const cause of tally.causes)
    output.note(`${String(cause.hostnames).padStart(6)}  ${formatCause(cause)}`);
  return tally.exit;
}

/** Yields each diagnosis as `--json` prints it. */
async function* toAnswers(
  diagnosed: Iterable<DiagnosedHostname> | AsyncIterable<DiagnosedHostname>,
  tally: DiagnosisTally,
): AsyncGenerator<unknown> {
  for await (const { diagnosis } of diagnosed) {
    tally.add(diagnosis);
    const { hostname, verdict, findings, missing } = diagnosis;
    yield { hostname, verdict, who: whoActs(diagnosis), findings: findings.map(findingJson), missing };
  }
}
