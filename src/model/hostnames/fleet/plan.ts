import { plainName } from '../../dns/dns.ts';
import { type CustomHostname, dayMilliseconds, isTimedOut } from '../hostname.ts';
import type { HostnameLine } from '../lines.ts';
import { type Changes, changesFor, formatDifferences } from './differences.ts';

/** A desired custom hostname in wire form, and the number of its line in the file. */
export interface WantedHostname {
  readonly line: number;
  readonly asked: HostnameLine;
}

/** An existing custom hostname, and when edgectl last restarted its validation (milliseconds). */
export interface ActualHostname {
  readonly record: CustomHostname;
  readonly refreshedAt?: number | undefined;
}

/** A step from the existing state to the desired state. The reason is a clause. */
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
      /** The existing hostname. Only its id is kept, because a large zone has many unchanged hostnames. */
      readonly record: Pick<CustomHostname, 'id'>;
      readonly reason: string;
    };

/** The steps that change something, in order of execution. Nothing is deleted until all other steps are done. */
export const stepOrder = ['change', 'refresh', 'create', 'delete'] as const;

export type StepKind = (typeof stepOrder)[number] | 'leave';

export interface PlanOptions {
  /** Whether to delete hostnames that are not in the file (default: keep them). */
  readonly prune: boolean;
  /** The time on the platform's clock, in milliseconds. */
  readonly now: number;
}

/** Returns the step for an existing custom hostname. */
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
  // A validation that was restarted less than a day ago is not restarted again. Otherwise, an hourly job would restart validation forever
  // while a customer has not acted.
  const isFresh = refreshedAt !== undefined && now - refreshedAt < dayMilliseconds;
  if (isFresh)
    return {
      does: 'leave',
      hostname,
      line,
      record: { id },
      reason: `${stuck}; restarted less than a day ago`,
    };
  return { does: 'refresh', hostname, line, record, reason: stuck };
}

function creationStep({ line, asked }: WantedHostname): FleetStep {
  return { does: 'create', hostname: asked.hostname, line, asked, reason: 'not in the zone' };
}

/**
 * Plans the steps from the existing to the desired hostnames. Existing hostnames are passed page by page; desired hostnames are a map by
 * hostname.
 */
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

  /**
   * Returns all steps. Call this method after the last page of existing hostnames. Changes come first; steps of the same kind are sorted by
   * hostname.
   */
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

/** Returns the reason why a hostname needs a restart of validation to become active; undefined for all other hostnames. */
function stuckReason({ status, ssl }: CustomHostname): string | undefined {
  if (status === 'moved') return 'in Moved';
  if (isTimedOut(ssl?.status)) return 'validation timed out';
  return ssl?.status === 'expired' ? 'the certificate has expired' : undefined;
}
