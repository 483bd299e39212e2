import { isUtf8 } from 'node:buffer';
import { formatVersions } from '../../model/formats.ts';
import type { Namespace } from '../../model/kv/kv.ts';
import type { HttpMetadata } from '../../model/objects/object.ts';
import type {
  Seed,
  SeedAccount,
  SeedBinding,
  SeedBucket,
  SeedData,
  SeedHostname,
  SeedNamespace,
  SeedObject,
  SeedWorker,
  SeedZone,
} from '../../model/sandbox/seed.ts';
import type { WorkerBinding } from '../../model/workers/worker.ts';
import type { ListPosition, ObjectListing } from '../../store/objects/listing.ts';
import type { ObjectRecord } from '../../store/objects/objects.ts';
import { ownZoneName, type StoredZone } from '../../store/zones/zones.ts';
import { readBody } from '../../v4/send.ts';
import { clockNow } from '../http/clock.ts';
import { type Platform, refusal } from '../http/exchange.ts';
import { listAccountPlatforms, listAccountZones } from '../session/account-platform.ts';
import { readZoneChanges, type ZoneChanges } from '../zones/zone-changes.ts';
import { formatMoment } from './moment.ts';
import { readSavedSettings } from './saved-settings.ts';

/** Maximum number of bytes of values and objects in a snapshot, which is a single JSON string in memory. */
const maxSnapshotBytes = 128 * 1024 * 1024;

/** Counts bytes, and refuses more than a snapshot can contain. */
type Budget = (bytes: number) => void;

/**
 * Saves the data of a sandbox as a seed, which restores the same data in an empty sandbox. Only the running version of a worker
 * is saved. Refuses more than 128 MiB of values and objects with 413.
 */
export async function saveSeed(platform: Platform): Promise<Seed> {
  let left = maxSnapshotBytes;
  const take: Budget = (bytes) => {
    left -= bytes;
    if (left >= 0) return;
    throw refusal(
      413,
      10_000,
      'a snapshot can contain up to 128 MiB of values and objects; for more data, copy the folder of a stopped sandbox',
    );
  };
  const registry = platform.registry();
  const { settings, hostnames, ...own } = await saveAccountData(platform, take);
  const [, ...further] = listAccountPlatforms(platform);
  const accounts: SeedAccount[] = [];
  for (const seen of further) {
    const { id, name } = seen.registry().account();
    accounts.push({ name, id, ...(await saveAccountData(seen, take)) });
  }
  return {
    version: formatVersions.seed,
    ...own,
    dns: registry.dnsEntries.list().map(({ contents, ...entry }) => ({ ...entry, contents: [...contents] })),
    hostnames,
    settings,
    ...(accounts.length > 0 && { accounts: [{ name: registry.account().name }, ...accounts] }),
  };
}

/** Saves the data of the platform's account. */
async function saveAccountData(platform: Platform, take: Budget): Promise<Required<SeedData>> {
  const registry = platform.registry();
  const zones = listAccountZones(platform);
  return {
    namespaces: registry.namespaces.list().map((namespace) => saveNamespace(platform, namespace, take)),
    buckets: await Promise.all(registry.buckets.list().map(({ name }) => saveBucket(platform, name, take))),
    workers: registry.workers.list().map(({ name, routed }) => saveWorker(platform, name, routed)),
    zones: zones.map(({ id }) => saveZone(platform, id)),
    hostnames: saveHostnames(platform, zones),
    settings: readSavedSettings(platform),
  };
}

/** Encodes bytes as a string if they are valid UTF-8, otherwise as base64. */
function encodeText(bytes: Uint8Array): { readonly text: string; readonly base64?: true } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Text with a byte order mark is saved as base64, because some readers remove the mark.
  const isText = isUtf8(buffer) && !(buffer[0] === 0xef && buffer[1] === 0xbb);
  return isText ? { text: buffer.toString('utf8') } : { text: buffer.toString('base64'), base64: true };
}

function saveNamespace(
  platform: Platform,
  { id, title, jurisdiction }: Namespace,
  take: Budget,
): SeedNamespace {
  const keys = [];
  for (const { key, value, metadata, expiration } of platform.kv().entries(id, {}, clockNow(platform))) {
    take(value.length);
    const { text, ...kind } = encodeText(value);
    keys.push({
      key,
      value: text,
      ...kind,
      ...(metadata !== undefined && { metadata }),
      ...(expiration !== undefined && { expiration }),
    });
  }
  return { title, id, ...(jurisdiction !== undefined && { jurisdiction }), keys };
}

async function saveBucket(platform: Platform, name: string, take: Budget): Promise<SeedBucket> {
  const {
    location,
    storageClass,
    jurisdiction,
    createdAt = 0,
  } = platform.registry().buckets.find(name) ?? {};
  const objects: SeedObject[] = [];
  for (const { key, size } of listAllObjects(platform, name)) {
    take(size);
    const found = platform
      .objects()
      .read(name, key, ({ size: total }) => (total === 0 ? undefined : { start: 0, end: total - 1 }));
    if (found === undefined) continue;
    const { text, ...kind } = encodeText(await readBody(found.body));
    const {
      httpMetadata,
      customMetadata,
      uploaded,
      checksum,
      ssecKeyMd5,
      storageClass: ownClass,
    } = found.object;
    const http = toHttpMetadata(httpMetadata);
    objects.push({
      key,
      body: text,
      ...kind,
      ...(Object.keys(http).length > 0 && { http_metadata: http }),
      ...(Object.keys(customMetadata).length > 0 && { custom_metadata: { ...customMetadata } }),
      ...(ownClass !== undefined && ownClass !== storageClass && { storage_class: ownClass }),
      ...(checksum !== undefined && { checksum }),
      ...(ssecKeyMd5 !== undefined && { ssec_key_md5: ssecKeyMd5 }),
      uploaded: formatMoment(uploaded),
    });
  }
  return {
    name,
    ...(location !== undefined && { location }),
    ...(storageClass !== undefined && { storage_class: storageClass }),
    ...(jurisdiction !== undefined && { jurisdiction }),
    created: formatMoment(createdAt),
    objects,
  };
}

function* listAllObjects(platform: Platform, bucket: string) {
  for (let after: ListPosition | undefined = {}; after !== undefined; ) {
    const { objects, next }: ObjectListing<ObjectRecord> = platform
      .objects()
      .list(bucket, { limit: 1000, ...after });
    yield* objects;
    after = next;
  }
}

function toHttpMetadata({ cacheExpiry, ...texts }: HttpMetadata) {
  return { ...texts, ...(cacheExpiry !== undefined && { cacheExpiry: formatMoment(cacheExpiry) }) };
}

function saveWorker(platform: Platform, name: string, routed: boolean): SeedWorker {
  const { workers } = platform.registry();
  const running = workers.deployments(name)[0]?.versions[0]?.id;
  const versions = workers.versions(name);
  const version = versions.find(({ id }) => id === running) ?? versions[0];
  if (version === undefined) return { name, routed, modules: [] };
  const { format, entry, modules } = workers.code(version.codeId);
  const { compatibilityDate: date, compatibilityFlags: flags, bindings } = version;
  return {
    name,
    routed,
    format,
    entry,
    modules: modules.map((module) => {
      const { text, ...kind } = encodeText(module.content);
      return { name: module.name, kind: module.kind, content: text, ...kind };
    }),
    ...(date !== undefined && { compatibility_date: date }),
    ...(flags.length > 0 && { compatibility_flags: [...flags] }),
    bindings: bindings.map((binding) => seedBinding(platform, binding)),
  };
}

function seedBinding(platform: Platform, binding: WorkerBinding): SeedBinding {
  if (binding.type !== 'kv_namespace') return binding;
  const { namespace_id: id, type, name } = binding;
  return { type, name, namespace: platform.registry().namespaces.find(id)?.title ?? id };
}

function saveZone(platform: Platform, id: string): SeedZone {
  const { zones, dnsRecords } = platform.registry();
  const zone = zones.find(id);
  if (zone === undefined) throw new Error(`Zone ${id} not found.`);
  const { hold, fallback } = zone;
  return {
    name: zone.name,
    ...(zone.name !== ownZoneName && { id }),
    created: formatMoment(zone.createdAt),
    delegation: zone.delegation,
    hold: {
      hold: hold.hold,
      include_subdomains: hold.includeSubdomains,
      ...(hold.holdAfter !== undefined && { hold_after: formatMoment(hold.holdAfter) }),
    },
    ...(fallback && {
      fallback_origin: fallback.origin,
      fallback_created: formatMoment(fallback.createdAt),
      fallback_updated: formatMoment(fallback.updatedAt),
      ...(fallback.failed === true && { fallback_failed: true }),
    }),
    ...toChangedFields(readZoneChanges(platform, id)),
    records: dnsRecords.list(id).map(({ zoneId: _, more, createdAt, modifiedAt, ...record }) => ({
      ...record,
      ...more,
      created: formatMoment(createdAt),
      modified: formatMoment(modifiedAt),
    })),
  };
}

function toChangedFields({ plan, vanityServers, settings }: ZoneChanges): Partial<SeedZone> {
  const all = Object.entries(settings ?? {});
  return {
    ...(plan !== undefined && { plan }),
    ...(vanityServers !== undefined && { vanity_name_servers: vanityServers }),
    ...(settings !== undefined && {
      settings: Object.fromEntries(all.map(([name, { value }]) => [name, value])),
      settings_modified: Object.fromEntries(
        all.map(([name, { modifiedAt }]) => [name, formatMoment(modifiedAt)]),
      ),
    }),
  };
}

/** Saves hostnames as stored, without running due checks first. */
function saveHostnames(platform: Platform, zones: readonly StoredZone[]): SeedHostname[] {
  const { hostnames } = platform.registry();
  const names = new Map(zones.map(({ id, name }) => [id, name]));
  const own = hostnames.list().filter(({ zoneId }) => names.has(zoneId));
  return own.map(({ zoneId, state, activatedAt, keyed }) => ({
    hostname: state.record.hostname,
    zone: names.get(zoneId) ?? ownZoneName,
    kept: {
      state: { ...state, record: { ...state.record }, track: { ...state.track } },
      ...(activatedAt !== undefined && { activatedAt }),
      ...(keyed && { keyed }),
    },
  }));
}
