import { settingMap } from '../../../store/hostnames/settings.ts';
import type { Platform } from '../../http/exchange.ts';
import type { CorsRule, LifecycleRule } from './shapes.ts';

/** A public domain for a bucket's objects. */
export interface BucketDomain {
  readonly domain: string;
  readonly zoneId: string;
  readonly enabled: boolean;
  readonly minTLS?: string;
  readonly ciphers?: readonly string[];
}

/** A queue, and the rules that determine which changes are reported to the queue. */
export interface BucketEvents {
  readonly queueId: string;
  readonly rules: readonly (object & { readonly ruleId: string })[];
}

/** The settings of a bucket that were changed. */
export interface BucketSettings {
  readonly cors?: readonly CorsRule[];
  readonly lifecycle?: readonly LifecycleRule[];
  readonly lock?: readonly object[];
  readonly isPublic?: boolean;
  readonly domains?: readonly BucketDomain[];
  readonly events?: readonly BucketEvents[];
}

const setting = 'bucket_settings';
const bucketSettings = settingMap<BucketSettings>(setting);

/** Returns the changed settings of a bucket; empty if unchanged, and for local data. */
export function readBucketSettings(platform: Platform, bucket: string): BucketSettings {
  if (platform.kind === 'local') return {};
  return bucketSettings.read(platform.registry().settings, bucket) ?? {};
}

/** Deletes the domains of buckets in a deleted zone. */
export function removeBucketDomainsInZone(platform: Platform, zoneId: string): void {
  const { settings } = platform.registry();
  const all = (settings.read(setting) ?? {}) as Readonly<Record<string, BucketSettings>>;
  for (const [bucket, { domains = [] }] of Object.entries(all)) {
    if (domains.every((domain) => domain.zoneId !== zoneId)) continue;
    updateBucketSettings(platform, bucket, ({ domains: before = [], ...rest }) => {
      const left = before.filter((domain) => domain.zoneId !== zoneId);
      return left.length === 0 ? rest : { ...rest, domains: left };
    });
  }
}

/**
 * Stores the settings that `work` returns, or deletes all settings of the bucket if `work` returns undefined. Atomic, even if other
 * processes change the settings at the same time.
 */
export function updateBucketSettings(
  platform: Platform,
  bucket: string,
  work: (settings: BucketSettings) => BucketSettings | undefined,
): void {
  bucketSettings.change(platform.registry().settings, bucket, (settings = {}) => work(settings));
}
