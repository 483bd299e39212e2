import type { Stage } from '../../services/hostnames/stage.ts';
import { followAdvice, undoProviderFaults } from './follow-advice.ts';
import { clear, createSite, listEvents, Timeline, takePlan } from './play.ts';
import type { Site } from './site.ts';
import { readTruth, type Truth } from './truth.ts';
import { listParties, type World } from './world.ts';

/** A finding from `hostname diagnose --json`. */
export interface ShownFinding {
  readonly id: string;
  readonly severity: string;
  readonly cause: string;
  readonly who: string;
  /** The code of the finding that causes this finding. */
  readonly because?: string;
  readonly remedy: {
    readonly text: string;
    readonly command?: readonly string[];
    readonly records?: readonly {
      readonly name: string;
      readonly type: string;
      readonly value: string;
      readonly remove?: boolean;
    }[];
  };
}

interface ShownDiagnosis {
  readonly hostname: string;
  readonly verdict: string;
  readonly findings: readonly ShownFinding[];
}

/** The result of a world in which only the first advice was followed at each step. */
export interface Outcome {
  readonly world: World;
  /** `provider-acts`: the hostname is active after a step by the provider. */
  readonly end: 'in-service' | 'provider-acts' | 'stuck';
  /** Each step: the finding, the party that acted, and the platform's statuses before the step. */
  readonly steps: readonly string[];
  /** The maximum number of steps for the world. */
  readonly allowed: number;
  /** False statements, and advice that could not be followed or had no effect. */
  readonly faults: readonly string[];
}

/** Returns true if the hostname becomes active within faults + 1 steps, without false statements. */
export function isClean({ end, steps, allowed, faults }: Outcome): boolean {
  return end !== 'stuck' && steps.length <= allowed && faults.length === 0;
}

export function describeOutcome({ end, steps, allowed, faults }: Outcome): string {
  return [
    `${end} after ${steps.length} of ${allowed} steps`,
    ...steps.map((step) => `  ${step}`),
    ...faults.map((fault) => `  ! ${fault}`),
  ].join('\n');
}

const afterStep = 20 * 60;
const hour = 60 * 60;

/** A follower of the advice for one hostname, which records the steps and the false statements. */
class Follower {
  readonly site: Site;
  readonly steps: string[] = [];
  readonly faults: string[] = [];
  /** Faults that still exist and that only advice in words can end. */
  readonly open: Set<string>;
  allowed = 0;
  end: Outcome['end'] | undefined;
  last: { readonly advice: string; readonly fingerprint: string; readonly isWait: boolean } | undefined;
  promised = false;
  /** Whether the provider had to act in a step. */
  isLeft = false;
  /** If only the provider can act: whether the test has seen an attempt without effect, and a wait. */
  readonly tried = { attempt: false, wait: false };
  /** Whether edgectl has seen a wildcard; if so, a recreated hostname must be a wildcard. */
  isWildcard = false;

  constructor(site: Site) {
    this.site = site;
    this.open = new Set(
      site.world.faults.filter(({ fault }) => fault.words !== undefined).map(({ fault }) => fault.id),
    );
  }

  /** Compares a diagnosis with the truth. Returns the step that the diagnosis advises; undefined if the diagnosis advises no step. */
  judge({ findings, verdict }: ShownDiagnosis, truth: Truth): ShownFinding | undefined {
    const [first] = findings;
    const advice = first === undefined ? '' : JSON.stringify([first.id, first.remedy]);
    this.#checkEffect(advice, truth);
    this.#checkWords(findings, truth);
    this.isWildcard ||= truth.record?.ssl?.wildcard === true;
    if (truth.isInService) {
      if (verdict !== 'well' && truth.duties.size === 0)
        this.faults.push(`${verdict}, but active: ${first?.id} ${first?.cause}`);
      this.end = this.isLeft ? 'provider-acts' : 'in-service';
      return undefined;
    }
    const isFault = first !== undefined && ['critical', 'error', 'warn', 'progress'].includes(first.severity);
    if (!isFault || (verdict === 'well' && first.who !== 'nobody' && first.severity === 'ok')) {
      this.faults.push(
        `no action is left, but ${truth.record?.status}, certificate ${truth.record?.ssl?.status}`,
      );
      this.end = 'stuck';
      return undefined;
    }
    if (first.who === 'provider' && !truth.duties.has('provider'))
      this.faults.push(`left to the provider: ${first.id} ${first.cause}`);
    this.isLeft ||= first.who === 'provider';
    if (this.steps.length >= this.allowed + 2) {
      this.end = 'stuck';
      return undefined;
    }
    const state = `${truth.record?.status ?? 'none'}/${truth.record?.ssl?.status ?? 'none'}`;
    this.steps.push(
      `${state}: ${first.id} (${first.who}) ${first.cause} ${first.remedy.text} ${(first.remedy.command ?? []).join(' ')}`,
    );
    this.last = { advice, fingerprint: truth.fingerprint, isWait: first.who === 'nobody' };
    this.promised = first.who === 'us' && /active at once|active immediately/i.test(first.remedy.text);
    return first;
  }

  #checkEffect(advice: string, truth: Truth): void {
    if (this.last === undefined) return;
    const isVain = truth.fingerprint === this.last.fingerprint;
    const kind = this.last.isWait ? 'wait' : 'attempt';
    // One wait and one attempt may have no effect, because they show that only the provider can act.
    const isExcused = truth.duties.has('provider') && !this.tried[kind];
    this.tried[kind] ||= isVain;
    if (isVain && !isExcused)
      this.faults.push(
        this.last.isWait ? `waited without effect: ${this.steps.at(-1)}` : `no effect: ${this.steps.at(-1)}`,
      );
    if (advice === this.last.advice && truth.fingerprint === this.last.fingerprint && !truth.isInService)
      this.end = 'stuck';
    if (this.promised && truth.record?.status !== 'active')
      this.faults.push(`did not become active immediately: ${this.steps.at(-1)}`);
  }

  #checkWords(findings: readonly ShownFinding[], truth: Truth): void {
    const { record, duties, isInService } = truth;
    const refused = (record?.verification_errors ?? []).some((message) => /does not CNAME/i.test(message));
    for (const { id, severity, cause, who, because } of findings) {
      const grave = severity === 'critical' || severity === 'error';
      if (
        grave &&
        because === undefined &&
        who !== 'us' &&
        who !== 'nobody' &&
        !duties.has(who as 'customer')
      )
        this.faults.push(`blames ${who}: ${id} ${cause}`);
      if (grave && because === undefined && who === 'us' && duties.size > 0 && !duties.has('us'))
        this.faults.push(`blames us: ${id} ${cause}`);
      if (
        !isInService &&
        /^Healthy|DNS is right|everything is in place/i.test(cause) &&
        (refused || id === 'G5')
      )
        this.faults.push(`called right: ${id} ${cause}`);
      if (
        /certificate of the (?:fallback|custom) origin|origin's certificate/i.test(cause) &&
        record?.ssl?.status === 'expired'
      )
        this.faults.push(`blames the origin for our certificate: ${id} ${cause}`);
    }
  }

  outcome(): Outcome {
    const { site, steps, allowed, faults } = this;
    return { world: site.world, end: this.end ?? 'stuck', steps, allowed, faults: [...new Set(faults)] };
  }
}

/** Follows the advice in all worlds. Worlds that can share a stage are played together; each of the other worlds has its own stage. */
export async function followAll(stage: Stage, worlds: readonly World[]): Promise<readonly Outcome[]> {
  const shared = worlds.filter(isShared);
  const alone = worlds.filter((world) => !isShared(world));
  const outcomes = shared.length === 0 ? [] : [...(await follow(stage, shared))];
  for (const world of alone) outcomes.push(...(await follow(stage, [world])));
  return outcomes;
}

function isShared({ plan, faults }: World): boolean {
  return plan === 'enterprise' && faults.every(({ fault }) => fault.scope === 'hostname');
}

/** Plays worlds, then follows the first advice in each world until its hostname is active or no advice helps. */
async function follow(stage: Stage, worlds: readonly World[]): Promise<readonly Outcome[]> {
  const followers = worlds.map((world) => new Follower(createSite(stage, world)));
  const [only] = followers;
  if (only !== undefined && followers.length === 1) await takePlan(only.site);
  const end = Math.max(...worlds.map(({ diagnosedAt }) => diagnosedAt));
  // All worlds are first diagnosed at the same moment, so the times of each world count backwards from this moment.
  const events = followers.flatMap(({ site }) =>
    listEvents(site).map((event) => ({ ...event, at: event.at + end - site.world.diagnosedAt })),
  );
  const timeline = new Timeline(stage, events);
  await timeline.advanceTo(end);
  for (const one of followers) one.allowed = await allowedSteps(one.site);
  for (let left = followers; left.length > 0; left = left.filter((one) => one.end === undefined)) {
    const wait = await round(stage, left);
    await timeline.advanceTo(timeline.now + wait);
  }
  for (const { site } of followers) await clear(site);
  return followers.map((one) => one.outcome());
}

/**
 * Returns the allowed number of steps: one per fault, and a last step. A hostname that was deleted after 7 days in Moved needs one more
 * step, and another step for its new tokens.
 */
async function allowedSteps(site: Site): Promise<number> {
  const { faults, kind } = site.world;
  const record = await site.record();
  const wasCreated = faults.every(
    ({ fault }) => fault.creation?.({ hostname: '', ssl: { method: '', type: 'dv' } }) !== null,
  );
  const isNamed = faults.some(({ fault }) => fault.id === 'deleted-after-a-week-in-moved');
  const isDeleted = record === undefined && wasCreated && !isNamed;
  // TXT values change at each renewal: if a certificate has expired because nobody set the new values, one more step is needed.
  const isUnrenewed =
    kind === 'wildcard' && Date.parse(record?.ssl?.expires_on ?? '') < (await readClock(site));
  // One attempt shows that only the provider can act. An attempt with another authority needs new tokens.
  const attempts = kind === 'wildcard' ? 2 : 1;
  const isLeft = faults.some(({ fault }) => listParties(fault, site.world).includes('provider'));
  // The customer of a wildcard with HTTP validation never received TXT values.
  const isSilent = faults.some(({ fault }) => fault.id === 'authority-gives-no-tokens');
  const isWithoutTexts =
    faults.some(({ fault }) => fault.id === 'wildcard-by-http') || (isSilent && kind === 'wildcard');
  return (
    faults.length +
    1 +
    (isWithoutTexts ? 1 : 0) +
    (isLeft ? attempts : 0) +
    (isUnrenewed ? 1 : 0) +
    (isDeleted ? 1 : 0) +
    (isDeleted && kind !== 'subdomain' ? 1 : 0)
  );
}

async function readClock({ stage }: Site): Promise<number> {
  const { now } = await stage.api<{ now: string }>('GET', '/sandbox/clock');
  return Date.parse(now);
}

async function round(stage: Stage, followers: readonly Follower[]): Promise<number> {
  const hosts = followers.map(({ site }) => site.host);
  const ran = await stage.edgectl(
    'hostname',
    'diagnose',
    ...hosts,
    '--target',
    followers[0]?.site.target ?? '',
    '--json',
  );
  const { diagnoses } = JSON.parse(ran.out) as { readonly diagnoses: readonly ShownDiagnosis[] };
  let wait = afterStep;
  for (const one of followers) {
    const shown = diagnoses.find(({ hostname }) => hostname === one.site.host);
    if (shown === undefined) throw new Error(`no diagnosis of ${one.site.host}: ${ran.err}`);
    const step = one.judge(shown, await readTruth(one.site, one.open, one.isWildcard));
    if (step === undefined || one.end !== undefined) continue;
    if (step.who === 'nobody') wait = Math.max(wait, waitIn(step.remedy.text));
    else if (step.who === 'provider') {
      await undoProviderFaults(one.site);
      if (step.remedy.command !== undefined)
        one.faults.push(...(await followAdvice(one.site, step, one.open)));
      // A rejected order is retried within four hours (Validation backoff schedule).
      wait = Math.max(wait, 5 * hour);
    } else one.faults.push(...(await followAdvice(one.site, step, one.open)));
    for (const { fault } of one.site.world.faults)
      if (fault.words === undefined || one.open.has(fault.id)) await fault.reacts?.(one.site);
  }
  return wait;
}

/** Returns the number of seconds to wait according to the advice. */
function waitIn(text: string): number {
  if (/week/i.test(text)) return 7 * 24 * hour + hour;
  return /\bday\b|24 hours/i.test(text) ? 25 * hour : hour;
}
