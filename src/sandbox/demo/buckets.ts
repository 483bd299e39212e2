import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { dayMilliseconds } from '../../model/hostnames/hostname.ts';
import { openRegistry } from '../../store/registry.ts';
import type { Sandbox } from '../http/app.ts';
import { type DemoBucket, type DemoObject, demoBuckets } from './buckets-data.ts';

/**
 * Fills three buckets with objects of different kinds and ages. Missing and changed objects are written anew; what
 * is as it was stays, with its age, and so does what else is there.
 */
export async function seedBuckets({ platform, folder }: Sandbox): Promise<void> {
  const now = platform.now();
  const all = demoBuckets();
  const missing = all.filter(({ name }) => platform.registry().buckets.find(name) === undefined);
  if (missing.length > 0) createBuckets({ folder, now, random: platform.random }, missing);
  for (const { name, objects } of all) {
    const changed = objects.filter((object) => !isThere(platform.objects().find(name, object.key), object));
    // Side by side, because each waits for the disk.
    await Promise.all(
      changed.map(({ key, content, daysAgo, httpMetadata, customMetadata }) => {
        const object = { key, body: onePart(content), httpMetadata, customMetadata };
        return platform.objects().write(name, object, now - Math.round(daysAgo * dayMilliseconds));
      }),
    );
  }
}

interface DemoWorld {
  readonly folder: string;
  readonly now: number;
  random(bytes: number): Uint8Array;
}

/** Makes them on a clock of the past, so that no bucket is younger than its objects. */
function createBuckets({ folder, now, random }: DemoWorld, buckets: readonly DemoBucket[]): void {
  let at = now;
  const past = openRegistry(folder, { random, now: () => at });
  try {
    for (const { name, daysAgo, location } of buckets) {
      at = now - daysAgo * dayMilliseconds;
      past.buckets.create({ name, storageClass: 'Standard', ...(location !== undefined && { location }) });
    }
  } finally {
    past.close();
  }
}

type Found = ReturnType<ReturnType<Sandbox['platform']['objects']>['find']>;

function isThere(found: Found, { content, httpMetadata, customMetadata }: DemoObject): boolean {
  return (
    found !== undefined &&
    found.etag === createHash('md5').update(content).digest('hex') &&
    isDeepStrictEqual(found.httpMetadata, httpMetadata) &&
    isDeepStrictEqual(found.customMetadata, customMetadata)
  );
}

async function* onePart(content: Buffer): AsyncGenerator<Uint8Array> {
  if (content.length > 0) yield content;
}
