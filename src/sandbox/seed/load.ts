import * as v from 'valibot';
import type { Seed, SeedCounts } from '../../model/sandbox/seed.ts';
import { removeHostnames } from '../hostnames/reset.ts';
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
 * Fills a sandbox, or with `replaces` puts what is filled in the place of all that is in it. Everything is checked before anything
 * is written; what is wrong comes back as faults, and then nothing was changed. What is replaced is replaced at once.
 */
export async function loadSeed(
  platform: Platform,
  value: unknown,
  replaces: boolean,
): Promise<{ readonly faults: readonly SeedFault[] } | { readonly loaded: SeedCounts }> {
  // A list has no fields that could be wrong, and would pass as a seed of nothing.
  const read = v.safeParse(seedShape, Array.isArray(value) ? null : value);
  if (!read.success) return { faults: read.issues.map((issue) => shapeFaultOf(seedShape, issue)) };
  const seed = read.output;
  const { faults, write } = plan(platform, seed, replaces);
  if (faults.length > 0) return { faults };
  if (!replaces || platform.replace === undefined) await write();
  else {
    await platform.replace(async (beside) => {
      await removeHostnames(beside);
      await plan(beside, seed, replaces).write();
    });
  }
  return { loaded: countsOf(seed) };
}

function plan(
  platform: Platform,
  seed: Seed,
  replaces: boolean,
): { readonly faults: readonly SeedFault[]; write(): Promise<void> } {
  const context: SeedContext = { platform, now: nowOf(platform, seed), replaces, faults: [] };
  const writings = [
    planNamespaces(context, seed.namespaces ?? []),
    planBuckets(context, seed.buckets ?? []),
    planZones(context, seed),
    planWorkers(context, seed),
    planHostnames(context, seed),
  ];
  return {
    faults: context.faults,
    async write() {
      const { settings } = platform.registry();
      for (const [name, setting] of Object.entries(seed.settings ?? {})) settings.write(name, setting);
      for (const write of writings) await write();
    },
  };
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
