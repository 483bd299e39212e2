import { byCount } from '../../../model/hostnames/list.ts';
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

/** All diagnoses of a run as they are answered at its end: of thousands neither facts nor findings are kept but as text. */
export class DiagnosisTally {
  readonly #keepsTexts: boolean;
  readonly #exits = new Map<number, number>();
  readonly #causes = new Map<string, number>();
  readonly #texts: string[] = [];

  constructor(keepsTexts: boolean) {
    this.#keepsTexts = keepsTexts;
  }

  add({ diagnosis }: DiagnosedHostname): void {
    const { hostname, exit, findings, missing } = diagnosis;
    const cause = causeOf(diagnosis);
    this.#exits.set(exit, this.#count(exit) + 1);
    this.#causes.set(cause, (this.#causes.get(cause) ?? 0) + 1);
    if (!this.#keepsTexts) return;
    const verdict = exit === 0 ? 'well' : exit === 7 ? 'faulty' : 'undecided';
    this.#texts.push(JSON.stringify({ hostname, verdict, findings: findings.map(findingJson), missing }));
  }

  #count(exit: number): number {
    return this.#exits.get(exit) ?? 0;
  }

  /** The verdict over all: a fault wins, then what could not be decided (DESIGN, exit codes). */
  get exit(): 0 | 1 | 7 {
    return this.#count(7) > 0 ? 7 : this.#count(1) > 0 ? 1 : 0;
  }

  get summary() {
    const [well, faulty, undecided] = [this.#count(0), this.#count(7), this.#count(1)];
    return { hostnames: well + faulty + undecided, well, faulty, undecided };
  }

  /** How often each cause was the gravest, the commonest first. */
  get causes(): readonly (readonly [cause: string, times: number])[] {
    return byCount(this.#causes);
  }

  /** Each as `--json` has it. */
  *diagnoses(): Generator<unknown> {
    for (const text of this.#texts) yield JSON.parse(text);
  }
}

/** With --json all diagnoses as one value; for people a summary by cause on stderr, where there are several. */
export async function answerDiagnoses(
  { output }: Context,
  zoneId: string,
  tally: DiagnosisTally,
): Promise<void> {
  const { summary, causes } = tally;
  if (output.json) {
    const head = { zoneId, ...summary, causes: Object.fromEntries(causes) };
    await output.answerJsonList(head, 'diagnoses', tally.diagnoses());
    return;
  }
  const { hostnames, well, faulty, undecided } = summary;
  if (hostnames === 1) return;
  const more = undecided === 0 ? '' : `, ${undecided} not decided`;
  output.note(`${countOf(hostnames, 'hostname')}: ${well} without fault, ${faulty} faulty${more}.`);
  for (const [cause, times] of causes) output.note(`${String(times).padStart(6)}  ${cause}`);
}
