import { bucketNameFault, storageClasses } from '../../model/objects/bucket.ts';
import { customMetadataFault, type HttpMetadata, objectKeyFault } from '../../model/objects/object.ts';
import type { SeedBucket, SeedObject } from '../../model/sandbox/seed.ts';
import type { FieldPath } from '../http/shape-faults.ts';
import { parseMoment } from './moment.ts';
import {
  decodeBytes,
  pauseBetweenChunks,
  reportDuplicates,
  reportSeedFault,
  type SeedContext,
  type SeedWrite,
} from './plan.ts';

const [standard = 'Standard'] = storageClasses;

/** Checks buckets and their objects. Existing buckets keep their other objects. */
export function planBuckets(context: SeedContext, all: readonly SeedBucket[]): SeedWrite {
  reportDuplicates(context, ['buckets'], all, ({ name }) => name, 'name');
  const planned = all.map((bucket, index) => planBucket(context, ['buckets', index], bucket));
  return async () => {
    for (const write of planned) await write();
  };
}

function planBucket(context: SeedContext, at: FieldPath, bucket: SeedBucket): () => Promise<void> {
  const { platform, now } = context;
  const { name, location, storage_class: storageClass = standard, objects = [] } = bucket;
  const fault = bucketNameFault(name);
  if (fault !== undefined) reportSeedFault(context, [...at, 'name'], fault);
  reportDuplicates(context, [...at, 'objects'], objects, ({ key }) => key, 'key');
  const writes = objects.map((object, index) =>
    planObject(context, { name, storageClass }, [...at, 'objects', index], object),
  );
  const createdAt = parseMoment(bucket.created, now);
  return async () => {
    platform.registry().buckets.create({
      name,
      storageClass,
      ...(location !== undefined && { location }),
      ...(bucket.jurisdiction !== undefined && { jurisdiction: bucket.jurisdiction }),
      ...(createdAt !== undefined && { createdAt }),
    });
    for (const write of writes) {
      await pauseBetweenChunks(context);
      await write();
    }
  };
}

function planObject(
  context: SeedContext,
  bucket: { readonly name: string; readonly storageClass: string },
  at: FieldPath,
  object: SeedObject,
): () => Promise<unknown> {
  const { key, body, base64, http_metadata: http, custom_metadata: customMetadata = {}, uploaded } = object;
  const { platform, now } = context;
  const faults = [
    ['key', objectKeyFault(key)],
    ['custom_metadata', customMetadataFault(customMetadata)],
  ] as const;
  for (const [field, fault] of faults)
    if (fault !== undefined) reportSeedFault(context, [...at, field], fault);
  const bytes = decodeBytes(context, [...at, 'body'], body, base64) ?? new Uint8Array(0);
  const { cacheExpiry, ...texts } = http ?? {};
  const expiry = parseMoment(cacheExpiry, now);
  const httpMetadata: HttpMetadata = { ...texts, ...(expiry !== undefined && { cacheExpiry: expiry }) };
  const { storage_class: storageClass = bucket.storageClass, checksum, ssec_key_md5: ssecKeyMd5 } = object;
  const details = () => ({ storageClass, checksum, ssecKeyMd5 });
  const stored = { key, body: onePart(bytes), httpMetadata, customMetadata, details };
  const uploadedAt = parseMoment(uploaded, now) ?? now;
  return () => platform.objects().write(bucket.name, stored, uploadedAt);
}

async function* onePart(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
