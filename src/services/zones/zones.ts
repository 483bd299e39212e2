import * as v from 'valibot';
import { parseCaa, plainName } from '../../model/dns/dns.ts';
import { orMissing } from '../../model/json-record.ts';
import type { Zone, ZoneDnsRecord } from '../../model/zones/zone.ts';
import { callResult } from '../../v4/client.ts';
import { numberedPages } from '../../v4/pages.ts';
import { wireHostname } from '../hostnames/body.ts';
import { changing, reading } from '../hostnames/calls.ts';
import { forgetVerdicts } from '../hostnames/verdicts.ts';
import { checkAnswer } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';

const zoneShape = v.object({
  id: v.string(),
  name: v.string(),
  status: orMissing(v.string()),
  paused: orMissing(v.boolean()),
});
const recordShape = v.object({
  id: v.string(),
  type: v.string(),
  name: v.string(),
  content: v.nullish(v.string(), ''),
  proxied: orMissing(v.boolean()),
  ttl: orMissing(v.number()),
});

const checkZone = (result: unknown): Zone => parseZone(v.parse(zoneShape, result));
const checkZones = (result: unknown): Zone[] => v.parse(v.array(zoneShape), result).map(parseZone);
const checkRecord = (result: unknown): ZoneDnsRecord => parseRecord(v.parse(recordShape, result));
const checkRecords = (result: unknown): ZoneDnsRecord[] =>
  v.parse(v.array(recordShape), result).map(parseRecord);

/** Parses a list as `checkRecords` does, but returns a description instead of each entry that is not a DNS record. */
function checkValidRecords(result: unknown): (ZoneDnsRecord | string)[] {
  return v.parse(v.array(v.unknown()), result).map((entry) => {
    const { success, output } = v.safeParse(recordShape, entry);
    return success ? parseRecord(output) : describeMalformed(entry);
  });
}

/** Describes an entry that is not a DNS record by the fields that can be read, for example `A www.acme.com (id 4f…)`. */
function describeMalformed(entry: unknown): string {
  const { type, name, id } = Object.assign({ type: '', name: '', id: '' }, entry);
  const words = [type, name, typeof id === 'string' && id !== '' ? `(id ${id})` : ''];
  return words.filter((word) => typeof word === 'string' && word !== '').join(' ') || JSON.stringify(entry);
}

function parseZone({ id, name, status, paused }: v.InferOutput<typeof zoneShape>): Zone {
  return {
    id,
    name: plainName(name),
    ...(status !== undefined && { status }),
    ...(paused !== undefined && { paused }),
  };
}

function parseRecord({ proxied, ttl, ...rest }: v.InferOutput<typeof recordShape>): ZoneDnsRecord {
  return {
    ...rest,
    name: plainName(rest.name),
    ...(proxied !== undefined && { proxied }),
    ...(ttl !== undefined && { ttl }),
  };
}

/** Lists the zones that the credentials can access, page by page, restricted to a name or account if given. */
export async function* listZones(
  session: Session,
  filter: { readonly name?: string; readonly 'account.id'?: string } = {},
): AsyncGenerator<Zone[]> {
  const query = { 'account.id': session.choice.accountId, ...filter, per_page: 50 };
  yield* numberedPages(session.send, (page) => reading(['zones'], { ...query, page }), checkZones);
}

/** Reads a zone by its id. Throws not-found if the zone does not exist, and not-permitted if the credentials cannot read it. */
export async function readZone(session: Session, id: string): Promise<Zone> {
  return (await callResult(session.send, reading(['zones', id]), checkZone)).result;
}

/** Reads a zone by its id, with its account and plan if the platform reports them. */
export async function readZoneAndAccount(
  session: Session,
  id: string,
): Promise<{
  readonly zone: Zone;
  readonly accountId: string | undefined;
  readonly plan: string | undefined;
}> {
  const besides = v.object({
    account: orMissing(v.object({ id: v.string() })),
    plan: v.nullish(v.object({ legacy_id: v.nullish(v.string()) })),
  });
  const check = (result: unknown) => {
    const { account, plan } = v.parse(besides, result);
    return { zone: checkZone(result), accountId: account?.id, plan: plan?.legacy_id ?? undefined };
  };
  return (await callResult(session.send, reading(['zones', id]), check)).result;
}

/** Returns the zone with this name; undefined if the credentials cannot access such a zone. */
export async function findZone(session: Session, name: string): Promise<Zone | undefined> {
  const wanted = plainName(name);
  for await (const page of listZones(session, { name: wanted })) {
    const found = page.find((zone) => zone.name === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Receives the number of list entries that are not valid DNS records, and descriptions of these entries, which contain untrusted data. */
export type SkippedRecords = (count: number, malformed: readonly string[]) => void;

/**
 * Lists the DNS records of a zone, with one name and type if given. For an entry that is not a valid DNS record, throws, or calls `skipped`
 * if given.
 */
export async function listZoneRecords(
  session: Session,
  zoneId: string,
  filter: { readonly name?: string | undefined; readonly type?: string | undefined },
  skipped?: SkippedRecords,
): Promise<readonly ZoneDnsRecord[]> {
  const name = filter.name === undefined ? undefined : plainName(filter.name);
  const type = filter.type?.toUpperCase();
  const base = ['zones', zoneId, 'dns_records'];
  const callAt = (page: number) => reading(base, { name, type, page, per_page: 100 });
  const check = skipped === undefined ? checkRecords : checkValidRecords;
  const entries: (ZoneDnsRecord | string)[] = [];
  for await (const page of numberedPages<ZoneDnsRecord | string>(session.send, callAt, check))
    entries.push(...page);
  const records = entries.filter((entry) => typeof entry !== 'string');
  const malformed = entries.filter((entry) => typeof entry === 'string');
  if (malformed.length > 0) skipped?.(malformed.length, malformed);
  return records.filter(
    (record) => (name ?? record.name) === record.name && (type ?? record.type) === record.type,
  );
}

/** Reads a DNS record of a zone. Throws not-found if the record does not exist. */
export async function readZoneRecord(session: Session, zoneId: string, id: string): Promise<ZoneDnsRecord> {
  const call = reading(['zones', zoneId, 'dns_records', id]);
  return (await callResult(session.send, call, checkRecord)).result;
}

/**
 * Fields of a record that are saved so that the record can be restored. An MX record, for example, is invalid without its priority.
 */
const besides = ['priority', 'data', 'comment', 'tags', 'settings'];

/** Reads the fields of a record that `ZoneDnsRecord` does not include (`besides`). Omits empty fields. */
export async function readOtherFields(
  session: Session,
  zoneId: string,
  id: string,
): Promise<Readonly<Record<string, unknown>>> {
  const check = (result: unknown) => v.parse(v.record(v.string(), v.unknown()), result);
  const { result } = await callResult(session.send, reading(['zones', zoneId, 'dns_records', id]), check);
  return Object.fromEntries(
    Object.entries(result).filter(([name, value]) => besides.includes(name) && !isEmpty(value)),
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Creates a DNS record in a zone, or changes the record with this id. */
export async function writeZoneRecord(
  session: Session,
  zoneId: string,
  record: Omit<ZoneDnsRecord, 'id'> & {
    readonly id?: string;
    readonly besides?: Readonly<Record<string, unknown>>;
  },
): Promise<ZoneDnsRecord> {
  const { id, besides: others, ...named } = record;
  const fields = { ...others, ...named };
  const caa = record.type === 'CAA' ? parseCaa(record.content) : undefined;
  const body = caa === undefined ? fields : { ...fields, data: caa };
  const base = ['zones', zoneId, 'dns_records'];
  const call = id === undefined ? changing('POST', base, body) : changing('PATCH', [...base, id], body);
  const { result } = await callResult(session.send, call, checkRecord);
  await forgetVerdicts(session, zoneId);
  checkAnswer(`Writing the ${record.type} record of ${record.name}`, comparable(record), comparable(result));
  return result;
}

/** Returns the fields of a record that a platform stores unchanged. A platform may rewrite the content of other types, such as TXT. */
function comparable({ id, type, name, content }: Omit<ZoneDnsRecord, 'id'> & { readonly id?: string }) {
  const isPlain = type === 'A' || type === 'CNAME';
  return { id, type, name: wireHostname(name), content: isPlain ? wireHostname(content) : undefined };
}
