import { createHash } from 'node:crypto';
import { platformBudget, secondsFor } from '../../../model/budget.ts';
import {
  countSteps,
  FleetPlanner,
  type FleetStep,
  type WantedHostname,
} from '../../../model/hostnames/fleet/plan.ts';
import { canonicalJson } from '../../../model/json-object.ts';
import type { Reporter } from '../../../model/progress.ts';
import { platformClock, platformName } from '../../session/platform-info.ts';
import type { Session } from '../../session/session.ts';
import { changeRefusal, creationRefusal } from '../body.ts';
import { listHostnameRows } from '../rows.ts';
import { type WrongLine, wrongLine } from './wanted.ts';

/** The steps that reconcile the custom hostnames of a zone with the desired hostnames. */
export interface FleetPlan {
  /** SHA-256 of all changes, the zone and the platform. Identical changes have the same hash. */
  readonly hash: string;
  readonly target: string;
  readonly zoneId: string;
  /** All steps in the order of their execution; steps without a change are last. */
  readonly steps: readonly FleetStep[];
  /** Lines whose step the platform would refuse. */
  readonly wrong: readonly WrongLine[];
}

export interface PlanRequest {
  readonly zoneId: string;
  readonly wanted: ReadonlyMap<string, WantedHostname>;
  readonly prune: boolean;
  readonly reporter: Reporter;
}

/** Reads all custom hostnames of the zone, page by page, and plans the steps. */
export async function planZone(session: Session, request: PlanRequest): Promise<FleetPlan> {
  const { zoneId, wanted, prune, reporter } = request;
  const planner = new FleetPlanner(wanted, { prune, now: (await platformClock(session))() });
  let total: number | undefined;
  const tell = (count: number): void => {
    total = count;
  };
  for await (const page of listHostnameRows(session, zoneId, {}, tell)) {
    const done = planner.see(page);
    reporter.progress({ phase: 'comparing', unit: 'hostnames', done, total, retries: 0, failed: 0 });
  }
  return toPlan(session, zoneId, planner.end());
}

function toPlan(session: Session, zoneId: string, steps: readonly FleetStep[]): FleetPlan {
  const target = platformName(session);
  const keys = changing(steps).map(stepKey);
  const hash = sha256(canonicalJson(['reconcile', 1, target, zoneId, keys]));
  return { hash, target, zoneId, steps, wrong: steps.flatMap(refusedStep) };
}

/** Returns the steps that change something. */
export function changing(steps: readonly FleetStep[]): readonly FleetStep[] {
  return steps.filter(({ does }) => does !== 'leave');
}

/** Returns the SHA-256 of a step, including the new and the current values of a change. */
export function stepKey(step: FleetStep): string {
  const { does, hostname } = step;
  if (does === 'create') return sha256(canonicalJson([does, step.asked]));
  const { id } = step.record;
  const what = does === 'change' ? [step.asks, step.differences] : [];
  return sha256(canonicalJson([does, hostname, id, ...what]));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * If the platform would refuse a step, for example because a new hostname is too long without branding, returns a list that contains the
 * step's line; otherwise, returns an empty list.
 */
function refusedStep(step: FleetStep): readonly WrongLine[] {
  const refusal =
    step.does === 'create'
      ? creationRefusal(step.asked)
      : step.does === 'change'
        ? changeRefusal(step.record, step.asks)
        : undefined;
  return refusal === undefined ? [] : [wrongLine(step.line, step.hostname, refusal)];
}

/** The number of requests and the time for applying a plan. */
export interface PlanCost {
  readonly requests: number;
  /** Minimum duration in minutes, with one decimal, under the request budget and the issuance limit. */
  readonly minutes: number;
}

/** Returns the cost of these steps if `rate` certificates are issued per minute. Each step costs one request. */
export function planCost(steps: readonly FleetStep[], rate: number): PlanCost {
  const counts = countSteps(steps);
  const requests = changing(steps).length;
  const issuance = Math.max(0, counts.create - rate) / rate;
  const minutes = Math.max(secondsFor(platformBudget, requests) / 60, issuance);
  return { requests, minutes: Math.ceil(minutes * 10) / 10 };
}
