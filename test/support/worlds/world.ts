import { createHash } from 'node:crypto';
import { type Chance, chanceFrom } from './chance.ts';
import { faults } from './faults.ts';
import type { Fault, Party, Slot } from './site.ts';

const hour = 60 * 60;
const day = 24 * hour;

/** The kinds of names: the apex of the customer's zone, a name below it, and a name together with all names below it. */
export const kinds = ['apex', 'subdomain', 'wildcard'] as const;

export type Kind = (typeof kinds)[number];

/** A fault of a world. `at` is the number of seconds after the creation of the hostname; 0 for a fault from the beginning. */
export interface PlannedFault {
  readonly fault: Fault;
  readonly at: number;
}

/** One custom hostname, its circumstances, and its faults, all determined by the seed. */
export interface World {
  readonly seed: string;
  readonly kind: Kind;
  /** The customer's domain, unique for each world. */
  readonly domain: string;
  readonly host: string;
  /** The requested authority. */
  readonly authority: 'default' | 'google' | 'lets_encrypt';
  readonly plan: 'enterprise' | 'free';
  /** The way in which the customer of a wildcard proves control. */
  readonly proof: 'texts' | 'delegation';
  readonly faults: readonly PlannedFault[];
  /** The number of seconds from the creation to the first diagnosis. */
  readonly diagnosedAt: number;
}

export interface WorldOptions {
  /** `hostname` allows only worlds that do not change their zone, and so can share it (default: `any`). */
  readonly scope?: 'hostname' | 'any';
  /** Maximum number of faults (default: 4). */
  readonly maxFaults?: number;
  /** Minimum number of faults (default: 1). */
  readonly minFaults?: number;
  /** Faults begin within this many days after the creation (default: 20). */
  readonly days?: number;
  /** Highest generation of the faults to choose from (default: all generations). */
  readonly generation?: number;
  /** Selects the faults to choose from (default: all faults). */
  readonly only?: (fault: Fault) => boolean;
}

/** Creates worlds from a seed. The seed of each is `<seed>/<number>`, from which `worldFrom` recreates it. */
export function worldsFrom(seed: string, count: number, options: WorldOptions = {}): readonly World[] {
  return Array.from({ length: count }, (_, at) => worldFrom(`${seed}/${at}`, options));
}

export function worldFrom(seed: string, options: WorldOptions = {}): World {
  const { scope = 'any', maxFaults = 4, minFaults = 1, days = 20, only = () => true } = options;
  const { generation: newest = Number.POSITIVE_INFINITY } = options;
  const chance = chanceFrom(seed);
  const kind = chance.pick(['apex', 'subdomain', 'subdomain', 'wildcard'] as const);
  const plan = kind !== 'wildcard' && scope === 'any' && chance.isLikely(0.15) ? 'free' : 'enterprise';
  const authority =
    plan === 'free' ? 'default' : chance.pick(['default', 'default', 'google', 'lets_encrypt'] as const);
  const domain = `w${createHash('sha256').update(seed).digest('hex').slice(0, 10)}.com`;
  const circumstances = { kind, plan, authority } as const;
  const possible = faults.filter(
    (fault) =>
      only(fault) &&
      (fault.generation ?? 1) <= newest &&
      fault.kinds.includes(kind) &&
      (scope === 'any' || fault.scope === 'hostname') &&
      fault.fits?.(circumstances) !== false,
  );
  const wanted = minFaults + chance.below(maxFaults - minFaults + 1);
  const planned = chooseFaults(chance, possible, wanted, days);
  const last = Math.max(0, ...planned.map(({ at }) => at));
  const label = planned.find(({ fault }) => fault.label !== undefined)?.fault.label ?? 'shop';
  return {
    seed,
    kind,
    domain,
    host: kind === 'apex' ? domain : `${label}.${domain}`,
    authority: planned.find(({ fault }) => fault.authority !== undefined)?.fault.authority ?? authority,
    plan,
    proof: chance.pick(['texts', 'delegation']),
    faults: planned,
    diagnosedAt: last + diagnosisDelay(chance, last),
  };
}

/** The relative frequency of faults in each part of a world. */
const shares: Readonly<Record<Slot, number>> = {
  routing: 6,
  ownership: 6,
  challenge: 6,
  caa: 4,
  'token-path': 3,
  origin: 4,
  authority: 3,
  registration: 3,
  hold: 2,
  rival: 1,
  abuse: 1,
};

/**
 * Returns the slot of a fault, repeated as often as the slot's share. Returns an empty list for all faults of the slot except the first, so
 * that the number of faults in a slot does not matter.
 */
function weightedSlots(left: readonly Fault[], { slot, id }: Fault): readonly Slot[] {
  const isFirst = left.find((fault) => fault.slot === slot)?.id === id;
  return isFirst ? Array.from({ length: shares[slot] }, () => slot) : [];
}

/** Chooses the faults of a world. Each fault affects a different part of the world, so that faults never contradict each other. */
function chooseFaults(
  chance: Chance,
  possible: readonly Fault[],
  wanted: number,
  days: number,
): readonly PlannedFault[] {
  const planned: PlannedFault[] = [];
  for (let left = [...possible]; planned.length < wanted && left.length > 0; ) {
    const slot = chance.pick(left.flatMap((fault) => weightedSlots(left, fault)));
    const fault = chance.pick(left.filter((one) => one.slot === slot));
    const when = chance.pick(fault.when);
    planned.push({ fault, at: when === 'before' ? 0 : hour + Math.floor(chance.next() * days * day) });
    left = left.filter((one) => one.slot !== slot && fault.excludes?.includes(one.slot) !== true);
    left = left.filter((one) => one.excludes?.includes(slot) !== true);
  }
  return planned;
}

function diagnosisDelay(chance: Chance, last: number): number {
  const soon = [10 * 60, 30 * 60, 5 * hour, 2 * day, 6 * day];
  return Math.floor(
    chance.pick(last === 0 ? [...soon, 9 * day] : [...soon, 9 * day, 70 * day, 85 * day]) *
      (0.8 + chance.next() * 0.4),
  );
}

/** Returns all parties that can end a fault of a world. */
export function listParties(fault: Fault, world: World): readonly Party[] {
  return fault.partiesIn?.(world) ?? fault.parties;
}

/** Returns one line about a world, for a report. */
export function describeWorld({
  seed,
  kind,
  authority,
  plan,
  proof,
  faults: planned,
  diagnosedAt,
}: World): string {
  const all = planned.map(({ fault, at }) => `${fault.id}@${(at / day).toFixed(1)}d`).join(' + ');
  const how = [kind, ...(kind === 'wildcard' ? [proof] : []), `ca ${authority}`, plan].join(', ');
  return `${seed} (${how}): ${all}; seen at ${(diagnosedAt / day).toFixed(1)}d`;
}
