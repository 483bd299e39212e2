import { plainName } from '../../dns/dns.ts';
import { type CustomHostname, dayMilliseconds, isTimedOut } from '../hostname.ts';
import type { HostnameLine } from '../lines.ts';
import { type Changes, changesFor, formatDifferences } from './differences.ts';

/** A wanted custom hostname in wire form, and its line in the file. */
export interface WantedHostname {
  readonly line: number;
  readonly asked: HostnameLine;
}

/** An existing custom hostname, and when edgectl last restarted its validation (milliseconds). */
export interface ActualHostname {
  readonly record: CustomHostname;
  readonly refreshedAt?: number | undefined;
}

/** A step from the existing state to the wanted one. The reason is half a sentence. */
export type FleetStep =
  | {
      readonly does: 'create';
      readonly hostname: string;
      readonly line: number;
      readonly asked: HostnameLine;
      readonly reason: string;
    }
  | ({
      readonly does: 'change';
      readonly hostname: string;
      readonly line?: number;
      readonly record: CustomHostname;
      readonly reason: string;
    } & Changes)
  | {
      readonly does: 'refresh';
      readonly hostname: string;
      readonly line?: number;
      readonly record: CustomHostname;
      readonly reason: string;
    }
  | {
      readonly does: 'delete' | 'leave';
      readonly hostname: string;
      readonly line?: number;
      /** The existing hostname. Steps contain only its id, because most hostnames of a large zone are unchanged. */
      readonly record: Pick<CustomHostname, 'id'>;
      readonly reason: string;
    };

/** The steps that change something, in order: nothing is deleted before everything else is done. */
export const stepOrder = ['change', 'refresh', 'create', 'delete'] as const;

export type StepKind = (typeof stepOrder)[number] | 'leave';

export interface PlanOptions {
  /** Deletes hostnames that are not in the file (default: keeps them). */
  readonly prune: boolean;
  /** The time on the platform's clock, in milliseconds. */
  readonly now: number;
}

/** The step for an existing custom hostname. */
function stepFor(
  { record, refreshedAt }: ActualHostname,
  wanted: WantedHostname | undefined,
  { prune, now }: PlanOptions,
): FleetStep {
  const { hostname, id } = record;
  if (wanted === undefined) {
    const reason = prune ? 'not in the file' : 'not in the file: kept';
    return { does: prune ? 'delete' : 'leave', hostname, record: { id }, reason };
  }
  const { line, asked } = wanted;
  const changes = changesFor(record, asked);
  if (changes.differences.length > 0) {
    return {
      does: 'change',
      hostname,
      line,
      record,
      ...changes,
      reason: formatDifferences(changes.differences),
    };
  }
  const stuck = stuckReason(record);
  if (stuck === undefined)
    return { does: 'leave', hostname, line, record: { id }, reason: 'already correct' };
  // A validation that was restarted less than a day ago is not restarted, because an hourly job would otherwise restart
  // validations forever while they wait for customers.
  const isFresh = refreshedAt !== undefined && now - refreshedAt < dayMilliseconds;
  if (isFresh)
    return { does: 'leave', hostname, line, record: { id }, reason: `${stuck}; restarted within a day` };
  return { does: 'refresh', hostname, line, record, reason: stuck };
}

function creationStep({ line, asked }: WantedHostname): FleetStep {
  return { does: 'create', hostname: asked.hostname, line, asked, reason: 'not in the zone' };
}

/** Plans the steps from the existing hostnames, which are passed page by page, to the wanted ones (by hostname). */
export class FleetPlanner {
  readonly #wanted: ReadonlyMap<string, WantedHostname>;
  readonly #missing: Map<string, WantedHostname>;
  readonly #options: PlanOptions;
  readonly #steps: FleetStep[] = [];

  constructor(wanted: ReadonlyMap<string, WantedHostname>, options: PlanOptions) {
    this.#wanted = wanted;
    this.#missing = new Map(wanted);
    this.#options = options;
  }

  /** Returns the number of hostnames received so far. */
  see(actual: Iterable<ActualHostname>): number {
    for (const one of actual) {
      const name = plainName(one.record.hostname);
      this.#missing.delete(name);
      this.#steps.push(stepFor(one, this.#wanted.get(name), this.#options));
    }
    return this.#steps.length;
  }

  /** Returns all steps, after all hostnames were received: changes first, each kind sorted by hostname. */
  end(): readonly FleetStep[] {
    return inOrder([...this.#steps, ...[...this.#missing.values()].map(creationStep)]);
  }
}

function inOrder(steps: readonly FleetStep[]): readonly FleetStep[] {
  const rank = (step: FleetStep): number => [...stepOrder, 'leave'].indexOf(step.does);
  return [...steps].sort((one, other) => rank(one) - rank(other) || (one.hostname < other.hostname ? -1 : 1));
}

/** Counts the steps of each kind. */
export function countSteps(steps: Iterable<Pick<FleetStep, 'does'>>): Readonly<Record<StepKind, number>> {
  const counts = { create: 0, change: 0, refresh: 0, delete: 0, leave: 0 };
  for (const { does } of steps) counts[does] += 1;
  return counts;
}

/** The reason why a hostname cannot advance automatically although nobody blocks it; undefined for all others. */
function stuckReason({ status, ssl }: CustomHostname): string | undefined {
  if (status === 'moved') return 'it is in Moved';
  if (isTimedOut(ssl?.status)) return 'its validation timed out';
  return ssl?.status === 'expired' ? 'its certificate has expired' : undefined;
}
