import { formatVersions } from '../../model/formats.ts';
import { commonNameRefusal } from '../../model/hostnames/fault.ts';
import {
  type CustomHostname,
  certificateMessages,
  isCertificateAuthority,
  isCertificateStatus,
  isHostnameStatus,
  type ValidationMethod,
  validationMethods,
} from '../../model/hostnames/hostname.ts';
import { bucketJurisdictions } from '../../model/jurisdiction.ts';
import type { Namespace } from '../../model/kv/kv.ts';
import type { Bucket } from '../../model/objects/bucket.ts';
import { isProblem } from '../../model/problem.ts';
import type {
  Seed,
  SeedBinding,
  SeedBucket,
  SeedCertificate,
  SeedHostname,
  SeedKey,
  SeedNamespace,
  SeedWorker,
  SeedZone,
} from '../../model/sandbox/seed.ts';
import { explainWorkerName } from '../../model/workers/worker.ts';
import { readFallbackOrigin } from '../hostnames/fallback-origin.ts';
import { listHostnames } from '../hostnames/hostnames.ts';
import { readItemValues } from '../kv/bulk/values.ts';
import { listKeys } from '../kv/kv.ts';
import { listNamespaces } from '../kv/namespaces.ts';
import { toBulkEntry } from '../kv/transfer/export.ts';
import { listAllBuckets } from '../objects/buckets.ts';
import { listObjects } from '../objects/objects.ts';
import type { Session } from '../session/session.ts';
import { readWorker, readWorkerSettings } from '../workers/running.ts';
import { listWorkers } from '../workers/workers.ts';
import { readHold } from '../zones/hold.ts';
import { listZoneRecords, listZones } from '../zones/zones.ts';

/** Maximum size of the placeholder for an object, in bytes. */
const maxObjectBytes = 64 * 1024;

/**
 * Exports an account as a seed, with read requests only. Secrets cannot be read. Does not read the bytes of objects: the seed contains
 * placeholders of the same length, up to 64 KiB. Omits parts that the credentials are not permitted to read, with a notice.
 */
export async function recordAccount(recording: Recording): Promise<Seed> {
  const { session } = recording;
  const namespaces = await collectPages(listNamespaces(session));
  const buckets = await readPart(recording, 'buckets', () => collectPages(listAllBuckets(session)));
  const workers = (await readPart(recording, 'workers', () => listWorkers(session))).filter(({ name }) => {
    const fault = explainWorkerName(name);
    if (fault !== undefined) recording.note(`Omitting the worker "${name}": ${fault}.`);
    return fault === undefined;
  });
  const zones = await readPart(recording, 'zones', () => collectPages(listZones(session)));
  const recordedZones = await runInTurn(zones, async (zone) => ({
    zone: await recordZone(recording, zone),
    hostnames: await readPart(recording, `hostnames of ${zone.name}`, () =>
      collectPages(listHostnames(session, zone.id)),
    ),
  }));
  return {
    version: formatVersions.seed,
    namespaces: await runInTurn(namespaces, (namespace) => recordNamespace(recording, namespace)),
    buckets: await runInTurn(buckets, (bucket) => recordBucket(recording, bucket)),
    workers: await runInTurn(workers, ({ name }) => recordWorker(recording, name, namespaces)),
    zones: recordedZones.map(({ zone }) => zone),
    hostnames: recordedZones.flatMap(({ zone, hostnames }) =>
      hostnames.map((hostname) => toSeedHostname(hostname, zone.name, recording.withValues)),
    ),
  };
}

async function collectPages<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

/** Runs `work` for one item after another, so that a large account does not cause many parallel requests. */
async function runInTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const one of all) done.push(await work(one));
  return done;
}

/** Reads a part of the account. Returns an empty list, with a notice, if the credentials are not permitted to read the part. */
async function readPart<T>({ note }: Recording, what: string, work: () => Promise<T[]>): Promise<T[]> {
  try {
    return await work();
  } catch (error) {
    if (!isProblem(error) || !['not-permitted', 'not-found'].includes(error.code)) throw error;
    note(`Omitting the ${what}: ${error.message}`);
    return [];
  }
}

async function recordNamespace(
  recording: Recording,
  { id, title, jurisdiction }: Namespace,
): Promise<SeedNamespace> {
  const { session, withValues, maxEntries, note } = recording;
  const keys: NonNullable<SeedNamespace['keys']>[number][] = [];
  const source = { session, namespaceId: id };
  const pages = takeFirst(listKeys(session, id), maxEntries, () =>
    note(`Only the first ${maxEntries} keys of ${title} are exported.`),
  );
  for await (const group of readItemValues(source, pages, ({ name }) => name)) {
    for (const { item, value } of group) {
      if (value === undefined) continue;
      const entry = toBulkEntry(item, value);
      keys.push(withValues ? entry : maskKey(entry));
    }
  }
  return {
    title,
    ...(/^[0-9a-f]{32}$/.test(id) && { id }),
    ...(jurisdiction !== undefined && { jurisdiction }),
    keys,
  };
}

/** Yields up to `maxItems` items of a paged list. Calls `cut` if the list is longer. */
async function* takeFirst<T>(
  pages: AsyncIterable<T[]>,
  maxItems: number,
  cut: () => void,
): AsyncGenerator<T[]> {
  let left = maxItems;
  for await (const page of pages) {
    yield page.slice(0, left);
    left -= page.length;
    if (left < 0) return cut();
  }
}

async function recordBucket(
  recording: Recording,
  { name, jurisdiction }: Pick<Bucket, 'name' | 'jurisdiction'>,
): Promise<SeedBucket> {
  const { session, maxEntries, note, withValues } = recording;
  const objects: NonNullable<SeedBucket['objects']>[number][] = [];
  const pages = listObjects(session, name);
  const listed = (async function* () {
    for await (const page of pages) yield [...page.objects];
  })();
  for await (const page of takeFirst(listed, maxEntries, () =>
    note(`Only the first ${maxEntries} objects of ${name} are exported.`),
  )) {
    for (const { key, size, uploaded, httpMetadata, customMetadata } of page) {
      const { cacheExpiry: _, ...http } = httpMetadata;
      const metadata = Object.entries(customMetadata).map(([field, text]) => [
        field,
        withValues ? text : maskText(text),
      ]);
      objects.push({
        key,
        body: 'x'.repeat(Math.min(size, maxObjectBytes)),
        ...(Object.keys(http).length > 0 && { http_metadata: http }),
        ...(metadata.length > 0 && { custom_metadata: Object.fromEntries(metadata) }),
        ...timeField('uploaded', uploaded),
      });
    }
  }
  const restricted = jurisdiction !== undefined && bucketJurisdictions.includes(jurisdiction);
  return { name, ...(restricted && { jurisdiction }), objects };
}

/** Pattern of the DNS record types that a sandbox supports. */
const recordTypes = /^(?:A|AAAA|CNAME|TXT|CAA|NS|MX|SRV|PTR|HTTPS|SVCB|TLSA|DS|SSHFP|URI)$/;

async function recordZone(
  recording: Recording,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<SeedZone> {
  const { session, note } = recording;
  const found = await readPart(recording, `records of ${name}`, async () => [
    ...(await listZoneRecords(session, id, {})),
  ]);
  const records = found.filter(({ type }) => recordTypes.test(type));
  if (records.length < found.length)
    note(`${name}: omitting ${formatUnsupported(found.length - records.length, 'record')}.`);
  const [fallback] = await readPart(recording, `fallback origin of ${name}`, async () => {
    const origin = await readFallbackOrigin(session, id);
    return origin === undefined ? [] : [origin];
  });
  const [hold] = await readPart(recording, `hold of ${name}`, async () => [await readHold(session, id)]);
  const hasOrigin = records.some((record) => record.name === fallback?.origin);
  return {
    name,
    ...(name !== 'saas.sandbox' && { id }),
    ...(hold?.hold && { hold: { hold: true, include_subdomains: hold.includeSubdomains } }),
    ...(fallback !== undefined && hasOrigin && { fallback_origin: fallback.origin }),
    records,
  };
}

/** Converts a custom hostname in its current state to an entry of a seed. */
function toSeedHostname(record: CustomHostname, zone: string, withValues: boolean): SeedHostname {
  const { hostname, status = '', created_at: created, verification_errors: errors = [] } = record;
  const { custom_origin_server: origin, custom_origin_sni: sni, custom_metadata: metadata } = record;
  const shown = withValues ? metadata : (maskJson(metadata) as typeof metadata);
  return {
    hostname,
    zone,
    ...(isHostnameStatus(status) && { status }),
    ...timeField('created_at', created),
    ...(errors.length > 0 && { verification_errors: errors }),
    ...(origin !== undefined && { custom_origin_server: origin }),
    ...(sni !== undefined && { custom_origin_sni: sni }),
    ...(shown !== undefined && { custom_metadata: shown }),
    // The certificate of a hostname such as `*.acme.com` was uploaded, and its key cannot be read.
    ssl: hostname.startsWith('*.') ? null : toSeedCertificate(record),
  };
}

function toSeedCertificate(record: CustomHostname): SeedCertificate | null {
  const { ssl } = record;
  if (ssl === undefined) return null;
  const { status = '', method = '', certificate_authority: authority = '', wildcard, settings } = ssl;
  const messages = certificateMessages(record);
  return {
    ...(isCertificateStatus(status) && { status }),
    ...(isMethod(method) && { method }),
    ...(isCertificateAuthority(authority) && { certificate_authority: authority }),
    ...(wildcard !== undefined && { wildcard }),
    // The platform requires this field for long hostnames, but does not return it.
    ...(commonNameRefusal(record.hostname, wildcard === true, false) !== undefined && { branding: true }),
    ...(settings !== undefined && { settings: { ...settings } }),
    ...timeField('uploaded_on', ssl.uploaded_on),
    ...timeField('expires_on', ssl.expires_on),
    ...(messages.length > 0 && { validation_errors: messages }),
  };
}

function isMethod(text: string): text is ValidationMethod {
  return (validationMethods as readonly string[]).includes(text);
}

/** Returns a field with a time in RFC 3339 format; an empty object if the time is missing or invalid. */
function timeField<Name extends string>(
  name: Name,
  time: string | number | undefined,
): Partial<Record<Name, string>> {
  const date = new Date(time ?? '');
  if (Number.isNaN(date.getTime())) return {};
  return { [name]: date.toISOString() } as Record<Name, string>;
}

const placeholderCode = "export default { fetch: () => new Response('recorded without its code') };\n";

/** Exports a worker. Masks the values of secrets, which cannot be read. */
async function recordWorker(
  recording: Recording,
  name: string,
  namespaces: readonly Namespace[],
): Promise<SeedWorker> {
  const { session, withValues, note } = recording;
  const modules = withValues ? ((await readWorker(session, name))?.modules ?? []) : [];
  const settings = await readWorkerSettings(session, name);
  const given = settings?.bindings ?? [];
  const bindings = given.flatMap((binding) => toSeedBinding(binding, withValues, namespaces) ?? []);
  if (bindings.length < given.length)
    note(`${name}: omitting ${formatUnsupported(given.length - bindings.length, 'binding')}.`);
  return {
    name,
    ...(modules.length === 0
      ? { code: placeholderCode }
      : {
          modules: modules.map(({ name: file, kind, content }) => ({
            name: file,
            kind,
            content: Buffer.from(content).toString('base64'),
            base64: true,
          })),
        }),
    ...(settings?.compatibilityDate !== undefined && { compatibility_date: settings.compatibilityDate }),
    ...(settings !== undefined && { compatibility_flags: settings.compatibilityFlags }),
    bindings,
  };
}

function toSeedBinding(
  binding: Readonly<Record<string, unknown> & { name: string; type: string }>,
  withValues: boolean,
  namespaces: readonly Namespace[],
): SeedBinding | undefined {
  const { name, type } = binding;
  const text = (field: string) => String(binding[field] ?? '');
  switch (type) {
    case 'plain_text':
      return { type, name, text: withValues ? text('text') : maskText(text('text')) };
    case 'secret_text':
      return { type, name, text: 'masked' };
    case 'json':
      return { type, name, json: withValues ? binding['json'] : maskJson(binding['json']) };
    case 'kv_namespace': {
      const known = namespaces.find(({ id }) => id === binding['namespace_id']);
      return known && { type, name, namespace: known.title };
    }
    case 'r2_bucket':
      return {
        type,
        name,
        bucket_name: text('bucket_name'),
        ...(text('jurisdiction') !== '' && { jurisdiction: text('jurisdiction') }),
      };
    default:
      return undefined;
  }
}

/** The session and the options for exporting an account. */
interface Recording {
  readonly session: Session;
  /** Whether to export values, metadata, variables and code. If false, strings are masked, and a placeholder replaces the code. */
  readonly withValues: boolean;
  /** Maximum number of keys per namespace, and of objects per bucket. */
  readonly maxEntries: number;
  /** Receives a notice for each omitted part. */
  note(message: string): void;
}

/** Returns a meaningless string with the same length in UTF-8. */
function maskText(text: string): string {
  return 'x'.repeat(Buffer.byteLength(text));
}

/** Returns a JSON value with all strings masked, except the names of fields. */
function maskJson(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, maskJson(field)]));
}

/** Masks the value and metadata of a key without changing their length. A value that is text remains text. */
function maskKey({ value, base64, metadata, ...key }: SeedKey): SeedKey {
  const bytes = base64 === true ? Buffer.from(value, 'base64').length : undefined;
  return {
    ...key,
    value: bytes === undefined ? maskText(value) : Buffer.alloc(bytes).toString('base64'),
    ...(bytes !== undefined && { base64: true }),
    ...(metadata !== undefined && { metadata: maskJson(metadata) }),
  };
}

/** Formats the number of omitted items: "1 record of an unsupported type", "2 records of unsupported types". */
function formatUnsupported(count: number, noun: string): string {
  return count === 1 ? `1 ${noun} of an unsupported type` : `${count} ${noun}s of unsupported types`;
}
