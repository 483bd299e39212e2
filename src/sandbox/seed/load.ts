import * as v from 'valibot';
import type { Seed, SeedCounts } from '../../model/sandbox/seed.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import { planBuckets } from './buckets.ts';
import { type SeedFault, shapeFaultOf } from './faults.ts';
import { planHostnames } from './hostnames.ts';
import { planNamespaces } from './namespaces.ts';
import type { SeedContext } from './plan.ts';
import { seedShape } from './shape.ts';
import { planWorkers } from './workers.ts';
import { planZones } from './zones.ts';

/**
 * Fills a sandbox. Everything is checked before anything is written; what is wrong comes back as faults, and then nothing
 * was changed. `clear`, where it is given, removes what was there, once all is known to be right.
 */
export async function loadSeed(
  platform: Platform,
  value: unknown,
  clear: (() => Promise<void>) | undefined,
): Promise<{ readonly faults: readonly SeedFault[] } | { readonly loaded: SeedCounts }> {
  const read = v.safeParse(seedShape, value);
  if (!read.success) return { faults: read.issues.map((issue) => shapeFaultOf(seedShape, issue)) };
  const seed = read.output;
  const context: SeedContext = {
    platform,
    now: nowOf(platform, seed),
    replaces: clear !== undefined,
    faults: [],
  };
  const writings = [
    planNamespaces(context, seed.namespaces ?? []),
    planBuckets(context, seed.buckets ?? []),
    planZones(context, seed),
    planWorkers(context, seed),
    planHostnames(context, seed),
  ];
  if (context.faults.length > 0) return { faults: context.faults };
  await clear?.();
  const { settings } = platform.registry();
  for (const [name, setting] of Object.entries(seed.settings ?? {})) settings.write(name, setting);
  for (const write of writings) await write();
  return { loaded: countsOf(seed) };
}

/** The clock as it will be: a seed may bring its own. */
function nowOf(platform: Platform, { settings }: Seed): number {
  const offset = settings?.['clock_offset'];
  return typeof offset === 'number' ? platform.now() + offset : clockNow(platform);
}

function countsOf({
  namespaces = [],
  buckets = [],
  workers = [],
  zones = [],
  hostnames = [],
}: Seed): SeedCounts {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    namespaces: namespaces.length,
    keys: sum(namespaces.map(({ keys = [] }) => keys.length)),
    buckets: buckets.length,
    objects: sum(buckets.map(({ objects = [] }) => objects.length)),
    workers: workers.length,
    zones: zones.length,
    hostnames: hostnames.length,
  };
}
