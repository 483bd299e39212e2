import type { Seed, SeedCounts, SeedData } from '../../model/sandbox/seed.ts';
import { removeHostnames } from '../hostnames/reset.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import { parseShape, type ShapeFault, toShapeFault } from '../http/shape-faults.ts';
import { planAccounts } from './accounts.ts';
import { planBuckets } from './buckets.ts';
import { planSeedHostnames } from './hostnames.ts';
import { planNamespaces } from './namespaces.ts';
import { pauseBetweenChunks, type SeedContext } from './plan.ts';
import { writeSavedSettings } from './saved-settings.ts';
import { seedShape } from './shape.ts';
import { planWorkers } from './workers.ts';
import { planZones } from './zones.ts';

/**
 * Fills a sandbox; if `replaces` is set, replaces all its data. Checks the whole seed before writing. If faults are found, returns the
 * faults and changes nothing. A replacement is atomic. If the signal is aborted, writing stops before the next chunk. A replacement then
 * changes nothing; if `replaces` is not set, the sandbox keeps the chunks that were already written.
 */
export async function applySeed(
  platform: Platform,
  value: unknown,
  replaces: boolean,
  signal?: AbortSignal,
): Promise<{ readonly faults: readonly ShapeFault[] } | { readonly loaded: SeedCounts }> {
  // A list is refused explicitly, because it has no invalid fields and would be accepted as an empty seed.
  const endable = platform.endable ?? ((work) => work());
  const read = endable(() => parseShape(seedShape, Array.isArray(value) ? null : value));
  if (!read.success) return { faults: read.issues.map((issue) => toShapeFault(seedShape, issue)) };
  const seed = read.output;
  const { faults, write } = endable(() => planSeed(platform, seed, replaces, signal));
  if (faults.length > 0) return { faults };
  if (!replaces || platform.replace === undefined) await write();
  else {
    await platform.replace(async (beside) => {
      await removeHostnames(beside);
      await endable(() => planSeed(beside, seed, replaces, signal)).write();
    });
  }
  return { loaded: countSeed(seed) };
}

function planSeed(
  platform: Platform,
  seed: Seed,
  replaces: boolean,
  signal: AbortSignal | undefined,
): { readonly faults: readonly ShapeFault[]; write(): Promise<void> } {
  const now = readSeedTime(platform, seed);
  const accounts = planAccounts(platform, seed, replaces);
  const parts = accounts.parts.map(({ at, data, seenAs }) => {
    const context: SeedContext = { platform: seenAs, now, replaces, signal, faults: [] };
    const writings = [
      planNamespaces(context, data.namespaces ?? []),
      planBuckets(context, data.buckets ?? []),
      planZones(context, data),
      planWorkers(context, data),
      planSeedHostnames(context, data),
    ];
    const faults = context.faults.map((fault) => ({ ...fault, at: [...at, ...fault.at] }));
    return { data, seenAs, writings, faults };
  });
  return {
    faults: [...accounts.faults, ...parts.flatMap(({ faults }) => faults)],
    async write() {
      accounts.write();
      for (const { data, seenAs } of parts) writeSavedSettings(seenAs, data);
      for (const write of parts.flatMap(({ writings }) => writings)) {
        await pauseBetweenChunks({ signal });
        await write();
      }
    },
  };
}

/** Returns the time on the sandbox's clock after loading; a seed can set this clock. */
function readSeedTime(platform: Platform, { settings }: Seed): number {
  const offset = settings?.['clock_offset'];
  return typeof offset === 'number' ? platform.now() + offset : clockNow(platform);
}

function countSeed({ accounts = [], ...own }: Seed): SeedCounts {
  const all: readonly SeedData[] = [own, ...accounts];
  const namespaces = all.flatMap((data) => data.namespaces ?? []);
  const buckets = all.flatMap((data) => data.buckets ?? []);
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    namespaces: namespaces.length,
    keys: sum(namespaces.map(({ keys = [] }) => keys.length)),
    buckets: buckets.length,
    objects: sum(buckets.map(({ objects = [] }) => objects.length)),
    workers: sum(all.map(({ workers = [] }) => workers.length)),
    zones: sum(all.map(({ zones = [] }) => zones.length)),
    hostnames: sum(all.map(({ hostnames = [] }) => hostnames.length)),
    ...(accounts.length > 1 && { accounts: accounts.length }),
  };
}
