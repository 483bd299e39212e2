import type { Step } from '../../model/diagnosis/fix-plan.ts';
import { defaultIssuanceRate } from '../../model/hostnames/issuance.ts';
import { asProblem, type Problem, type ProblemCode } from '../../model/problem.ts';
import { readFallbackOrigin, setFallbackOrigin } from '../hostnames/fallback-origin.ts';
import { editHostname, refreshHostname } from '../hostnames/hostnames.ts';
import { openPacer, type Pacer } from '../hostnames/pacer.ts';
import type { Session } from '../session/session.ts';
import { editHostnameWithUndo, refreshHostnameWithUndo } from '../undo/hostnames.ts';
import { writeZoneRecord } from '../zones/zones.ts';

/** Maximum time to wait until a new fallback origin is active, in seconds. */
const deploymentSeconds = 60;

/** The outcome of one step of a plan. */
export interface StepOutcome {
  readonly step: Step;
  /** Why the step failed. */
  readonly problem?: Problem;
}

interface StepCallbacks {
  /** Whether to save the settings of hostnames for undo before they are changed. */
  readonly keeps?: boolean;
  /** Called before waiting for the issuance limit. */
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Called after each step. */
  ended?(outcome: StepOutcome): void;
}

/** Error codes that stop the plan. */
const stoppingCodes: ReadonlySet<ProblemCode> = new Set(['interrupted', 'read-only', 'bug']);

/** Executes the steps of a plan in order. Continues after a failed step, unless its error code is one of `stoppingCodes`. */
export async function applySteps(
  session: Session,
  zoneId: string,
  steps: readonly Step[],
  { warn, ended, keeps = false }: StepCallbacks,
): Promise<readonly StepOutcome[]> {
  const pacer = await openPacer(session, zoneId, defaultIssuanceRate, warn);
  const outcomes: StepOutcome[] = [];
  for (const step of steps) {
    const problem = await toProblem(applyStep(session, zoneId, step, { pacer, keeps }));
    const outcome = { step, ...(problem !== undefined && { problem }) };
    outcomes.push(outcome);
    ended?.(outcome);
  }
  return outcomes;
}

async function toProblem(done: Promise<void>): Promise<Problem | undefined> {
  try {
    await done;
    return undefined;
  } catch (error) {
    const problem = asProblem(error);
    if (stoppingCodes.has(problem.code)) throw error;
    return problem;
  }
}

/**
 * Executes one step. Before creating a hostname, waits for the issuance limit; after setting a fallback origin, waits until it is active.
 */
async function applyStep(
  session: Session,
  zoneId: string,
  step: Step,
  { pacer, keeps }: { readonly pacer: Pacer; readonly keeps: boolean },
): Promise<void> {
  switch (step.kind) {
    case 'dns-record': {
      const { kind: _kind, ...record } = step.fix;
      await writeZoneRecord(session, zoneId, record);
      return;
    }
    case 'set-fallback':
      await setFallbackOrigin(session, zoneId, step.origin);
      return untilDeployed(session, zoneId);
    case 'create': {
      const { hostname, branding, wildcard, origin } = step;
      await pacer.create({
        hostname,
        ...(branding && { branding }),
        ...(wildcard === true && { wildcard }),
        ...(origin !== undefined && { origin }),
      });
      return;
    }
    case 'edit': {
      const { record, authority, method } = step;
      const edit = keeps ? editHostnameWithUndo : editHostname;
      await edit(session, zoneId, record, { authority, method });
      return;
    }
    case 'refresh':
      await (keeps ? refreshHostnameWithUndo : refreshHostname)(session, zoneId, step.record);
  }
}

/**
 * Waits until the fallback origin is active, for at most a minute. A refresh before the origin is active would fail, because a refresh
 * checks the origin.
 */
async function untilDeployed(session: Session, zoneId: string): Promise<void> {
  const { world } = session;
  for (let seconds = 0; seconds < deploymentSeconds; seconds += 1) {
    const fallback = await readFallbackOrigin(session, zoneId);
    if (!['initializing', 'pending_deployment'].includes(fallback?.status ?? '')) return;
    await world.sleep(1000, world.interrupted);
  }
}
