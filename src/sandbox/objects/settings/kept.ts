import type { Platform } from '../../http/exchange.ts';
import type { CorsRule } from './shapes.ts';

/** A name at which a bucket's objects are public. */
export interface BucketDomain {
  readonly domain: string;
  readonly zoneId: string;
  readonly enabled: boolean;
  readonly minTLS?: string;
  readonly ciphers?: readonly string[];
}

/** Rules by which a queue is told of changes. */
export interface BucketEvents {
  readonly queueId: string;
  readonly rules: readonly (object & { readonly ruleId: string })[];
}

/** The settings of a bucket that were changed. */
export interface BucketSettings {
  readonly jurisdiction?: string;
  readonly cors?: readonly CorsRule[];
  readonly lifecycle?: readonly object[];
  readonly lock?: readonly object[];
  readonly isPublic?: boolean;
  readonly domains?: readonly BucketDomain[];
  readonly events?: readonly BucketEvents[];
}

const setting = 'bucket_settings';

type All = Readonly<Record<string, BucketSettings>>;

/** The changed settings of a bucket; of an untouched one, and of local data, none. */
export function bucketSettings(platform: Platform, bucket: string): BucketSettings {
  if (platform.kind === 'local') return {};
  const all = (platform.registry().settings.read(setting) ?? {}) as All;
  return Object.hasOwn(all, bucket) ? (all[bucket] ?? {}) : {};
}

/** Keeps what `work` makes of them, also against other processes; undefined forgets all of the bucket. */
export function changeBucketSettings(
  platform: Platform,
  bucket: string,
  work: (kept: BucketSettings) => BucketSettings | undefined,
): void {
  platform.registry().settings.change(setting, (value) => {
    const { [bucket]: kept = {}, ...others } = (value ?? {}) as All;
    const changed = work(kept);
    const all = changed === undefined ? others : { ...others, [bucket]: changed };
    return Object.keys(all).length === 0 ? undefined : all;
  });
}
