import type { ListPosition } from '../../store/objects/listing.ts';
import type { ObjectRecord } from '../../store/objects/objects.ts';
import { begunAt } from '../../store/objects/uploads.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import { listAccountPlatforms } from '../session/account-platform.ts';
import { readBucketSettings } from './settings/bucket-settings.ts';
import { type LifecycleRule, weekOfSeconds } from './settings/shapes.ts';

/**
 * The default rule of every bucket, which applies until the rules of the bucket are set ("Object lifecycles": multipart uploads expire
 * after seven days).
 */
export const defaultLifecycle: readonly LifecycleRule[] = [
  {
    id: 'Default Multipart Abort Rule',
    enabled: true,
    conditions: { prefix: '' },
    abortMultipartUploadsTransition: { condition: { type: 'Age', maxAge: weekOfSeconds } },
  },
];

type Condition = NonNullable<NonNullable<LifecycleRule['deleteObjectsTransition']>['condition']>;

/** Returns when a condition is met for something created at `from`, in milliseconds; undefined if there is no condition. */
function dueAt(condition: Condition | undefined, from: number): number | undefined {
  if (condition === undefined) return undefined;
  return condition.type === 'Age' ? from + condition.maxAge * 1000 : Date.parse(condition.date);
}

/**
 * Returns when an object expires, and the rule of its bucket that deletes it; undefined if no rule deletes the object.
 */
export function findExpiration(
  platform: Platform,
  bucket: string,
  { key, uploaded }: Pick<ObjectRecord, 'key' | 'uploaded'>,
): { readonly at: number; readonly rule: string } | undefined {
  const rules = readBucketSettings(platform, bucket).lifecycle ?? [];
  const due = rules
    .filter((rule) => applies(rule, key))
    .flatMap(({ id, deleteObjectsTransition: transition }) => {
      const at = dueAt(transition?.condition, uploaded);
      return at === undefined ? [] : [{ at, rule: id }];
    });
  return due.sort((one, other) => one.at - other.at)[0];
}

function applies({ enabled, conditions }: LifecycleRule, key: string): boolean {
  return enabled && key.startsWith(conditions.prefix);
}

/**
 * Applies the lifecycle rules of all buckets according to the sandbox's clock: deletes objects, changes their storage class, and aborts
 * uploads. The provider applies rules within a day; the sandbox applies rules when its clock is advanced.
 */
export function applyLifecycles(platform: Platform): void {
  for (const own of listAccountPlatforms(platform)) {
    for (const { name } of own.registry().buckets.list()) applyLifecycle(own, name);
  }
}

function applyLifecycle(platform: Platform, bucket: string): void {
  const rules = (readBucketSettings(platform, bucket).lifecycle ?? defaultLifecycle).filter(
    ({ enabled }) => enabled,
  );
  const now = clockNow(platform);
  const isDue = (condition: Condition | undefined, from: number) =>
    (dueAt(condition, from) ?? Number.POSITIVE_INFINITY) <= now;
  const expired: string[] = [];
  const moved: string[] = [];
  for (const object of listObjects(platform, bucket, rules)) {
    const own = rules.filter((rule) => applies(rule, object.key));
    // Deletion takes precedence over a change of the storage class.
    if (own.some((rule) => isDue(rule.deleteObjectsTransition?.condition, object.uploaded)))
      expired.push(object.key);
    else if (
      object.storageClass !== 'InfrequentAccess' &&
      own.some(({ storageClassTransitions = [] }) =>
        storageClassTransitions.some(({ condition }) => isDue(condition, object.uploaded)),
      )
    )
      moved.push(object.key);
  }
  if (expired.length > 0) platform.objects().remove(bucket, expired);
  if (moved.length > 0) platform.objects().setStorageClass(bucket, moved, 'InfrequentAccess');
  abortUploads(platform, bucket, (key, begun) =>
    rules.some((rule) => applies(rule, key) && isDue(rule.abortMultipartUploadsTransition?.condition, begun)),
  );
}

/** Yields the objects that a rule may affect. */
function* listObjects(
  platform: Platform,
  bucket: string,
  rules: readonly LifecycleRule[],
): Generator<ObjectRecord> {
  const isForObjects = ({ deleteObjectsTransition, storageClassTransitions = [] }: LifecycleRule) =>
    deleteObjectsTransition?.condition !== undefined || storageClassTransitions.length > 0;
  if (!rules.some(isForObjects)) return;
  for (let from: ListPosition | undefined = {}; from !== undefined; ) {
    const page: { readonly objects: ObjectRecord[]; readonly next: ListPosition | undefined } = platform
      .objects()
      .list(bucket, { limit: 1000, ...from });
    yield* page.objects;
    from = page.next;
  }
}

function abortUploads(
  platform: Platform,
  bucket: string,
  isDue: (key: string, begun: number) => boolean,
): void {
  const store = platform.objects();
  // Returns early, because opening the uploads would create the bucket's database.
  if (store.usage(bucket).uploads === 0) return;
  for (const { key, uploadId } of store.uploads(bucket, (uploads) => uploads.list(''))) {
    const begun = begunAt(uploadId);
    if (begun !== undefined && isDue(key, begun))
      store.uploads(bucket, (uploads) => uploads.abort({ key, uploadId }));
  }
}
