import { isIPv4, isIPv6 } from 'node:net';
import { parseIssueValue } from '../../model/diagnosis/caa.ts';
import { isWithin, nameFault, parseCaa, plainName } from '../../model/dns/dns.ts';
import { textBytes } from '../../model/dns/strings.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import type { FieldValues } from '../../model/shape.ts';
import type { ZoneDnsRecord } from '../../model/zones/zone.ts';
import type { setRecordFields } from '../../model/zones/zone-shape.ts';
import { callResult } from '../../v4/client.ts';
import { wireHostname } from '../hostnames/body.ts';
import { changing } from '../hostnames/calls.ts';
import { forgetVerdicts } from '../hostnames/verdicts.ts';
import { checkAnswer } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';
import { listZoneRecords, readZone, readZoneRecord, type SkippedRecords, writeZoneRecord } from './zones.ts';

/** The record types that can be set. */
export const settableTypes = ['A', 'AAAA', 'CNAME', 'TXT', 'CAA'] as const;

export type SettableType = (typeof settableTypes)[number];

/** The desired records with one name and type. */
export interface WantedRecords {
  /** The name as typed: relative to the zone, fully qualified, or `@` for the zone itself. */
  readonly name: string;
  readonly type: SettableType;
  readonly contents: readonly string[];
  /** Whether the record is proxied (default: unchanged for an existing record, DNS only for a new record). */
  readonly proxied?: boolean | undefined;
  /** The time to live in seconds; 1 means "automatic" (default: unchanged for an existing record, automatic for a new record). */
  readonly ttl?: number | undefined;
  /** Whether to keep existing records of the same type with other contents. Existing TXT and CAA records are always kept. */
  readonly beside: boolean;
}

/**
 * The existing records that a change affects. If `added` is not empty, the records stay unchanged, and their name gets additional records
 * with these contents.
 */
export interface TouchedRecords {
  readonly records: readonly ZoneDnsRecord[];
  readonly added: readonly string[];
}

/** A record, and whether it was created, was changed, or already had the desired values. */
export type SetRecord = FieldValues<typeof setRecordFields>;

/** Wraps a change of a record. `write` makes the change, which sets the record's content to `content`. */
export type AroundRecord = (
  before: ZoneDnsRecord,
  write: () => Promise<ZoneDnsRecord>,
  content: string,
) => Promise<ZoneDnsRecord>;

/**
 * Sets the records of a name in one of the account's zones. Changes an A, AAAA or CNAME record with other content, unless `beside` is set;
 * throws if it is not clear which of several records to change. Refuses an invalid record before anything is written. Calls `agree` before
 * the first write if records are changed, or if a name gets additional A, AAAA or CNAME records. Does not change malformed records with
 * this name, and passes them to `skipped`.
 */
export async function setZoneRecords(
  session: Session,
  zoneId: string,
  wanted: WantedRecords,
  around: AroundRecord = (_, write) => write(),
  agree: (touched: TouchedRecords) => Promise<void> = async () => undefined,
  skipped: SkippedRecords = () => undefined,
): Promise<readonly SetRecord[]> {
  const { type } = wanted;
  const contents = wanted.contents.map((content) => recordContent(type, content));
  if (wanted.proxied === true && !isHost(type))
    throw new Problem('usage', `A ${type} record cannot be proxied: only A, AAAA and CNAME can.`);
  const name = await nameIn(session, zoneId, wanted.name);
  const ofName = await listZoneRecords(session, zoneId, { name }, skipped);
  const there = ofName.filter((one) => one.type === type);
  const others = there.filter((one) => !contents.some((content) => isSame(one, content)));
  const replaced = wanted.beside || !isHost(type) ? [] : others;
  refuseUnclear(name, type, replaced, contents, there);
  const changeable = [...replaced];
  const steps = contents.map((content) => {
    const before = there.find((one) => isSame(one, content)) ?? changeable.shift();
    return { before, wanted: { ...wanted, name, content } };
  });
  const changed = steps.flatMap((step) =>
    step.before && !isThere(step.before, step.wanted) ? step.before : [],
  );
  const hosts = isHost(type) ? ofName.filter((one) => isHost(one.type)) : [];
  const added = steps.flatMap((step) => (step.before ? [] : step.wanted.content));
  const beside = added.length === 0 ? [] : hosts;
  const touched = changed.length > 0 ? changed : beside;
  if (touched.length > 0) await agree({ records: touched, added: changed.length > 0 ? [] : added });
  const done: SetRecord[] = [];
  for (const step of steps) done.push(await setOne(session, zoneId, step.before, step.wanted, around));
  return done;
}

/** A change of a record. Omitted fields are unchanged. */
export interface RecordChange {
  readonly content?: string | undefined;
  readonly proxied?: boolean | undefined;
  readonly ttl?: number | undefined;
}

/**
 * Changes a record that was read earlier. If the record has changed since it was read, returns its current state and changes nothing.
 * Refuses invalid content before anything is sent. Throws not-found for a deleted record.
 */
export async function changeZoneRecord(
  session: Session,
  zoneId: string,
  before: ZoneDnsRecord,
  change: RecordChange,
  around: AroundRecord = (_, write) => write(),
): Promise<SetRecord | { readonly outcome: 'other'; readonly record: ZoneDnsRecord }> {
  const { id, type } = before;
  const content = change.content === undefined ? before.content : recordContent(type, change.content);
  const now = await readZoneRecord(session, zoneId, id);
  if (!isAsRead(before, now)) return { outcome: 'other', record: now };
  const wanted = { ...change, name: before.name, type, content };
  return setOne(session, zoneId, now, wanted, around);
}

function isAsRead(before: ZoneDnsRecord, now: ZoneDnsRecord): boolean {
  const { content, proxied, ttl } = before;
  return content === now.content && proxied === now.proxied && ttl === now.ttl;
}

/** Throws if the records to replace outnumber the new contents, because it is then unclear which records to change. */
function refuseUnclear(
  name: string,
  type: SettableType,
  replaced: readonly ZoneDnsRecord[],
  contents: readonly string[],
  there: readonly ZoneDnsRecord[],
): void {
  const fresh = contents.filter((content) => !there.some((one) => isSame(one, content)));
  if (replaced.length <= fresh.length || fresh.length === 0) return;
  const list = replaced.map(({ content }) => content).join(', ');
  throw new Problem('usage', `${name} has ${replaced.length} other ${type} records: ${list}.`, {
    hint: 'edgectl does not guess which record to change. Add this record to the existing records, or delete the unwanted records first.',
  });
}

/** Returns whether a record already has the desired values. */
function isThere(
  before: ZoneDnsRecord,
  { content, proxied = before.proxied, ttl = before.ttl }: RecordChange & Pick<ZoneDnsRecord, 'content'>,
): boolean {
  return isSame(before, content) && proxied === before.proxied && ttl === before.ttl;
}

async function setOne(
  session: Session,
  zoneId: string,
  before: ZoneDnsRecord | undefined,
  wanted: RecordChange & Pick<ZoneDnsRecord, 'name' | 'type' | 'content'>,
  around: AroundRecord,
): Promise<SetRecord> {
  const { name, type, content, proxied, ttl } = wanted;
  if (before !== undefined && isThere(before, wanted)) return { outcome: 'there', record: before };
  const write = () =>
    writeZoneRecord(session, zoneId, {
      ...(before !== undefined && { id: before.id }),
      type,
      name,
      content,
      ...(isHost(type) && { proxied: proxied ?? before?.proxied ?? false }),
      ttl: ttl ?? before?.ttl ?? 1,
    });
  if (before === undefined) return { outcome: 'made', record: await write() };
  return { outcome: 'changed', record: await around(before, write, content), before };
}

/** Returns the records with a name and type and, if given, with this content. Throws not-found if there are no such records. */
export async function findZoneRecords(
  session: Session,
  zoneId: string,
  given: string,
  type: string,
  content: string | undefined,
  skipped: SkippedRecords = () => undefined,
): Promise<readonly ZoneDnsRecord[]> {
  const name = await nameIn(session, zoneId, given);
  const wanted = type.toUpperCase();
  const found = (await listZoneRecords(session, zoneId, { name }, skipped)).filter(
    (record) => record.type === wanted && (content === undefined || isSame(record, content)),
  );
  if (found.length > 0) return found;
  const what = content === undefined ? `${wanted} record` : `${wanted} record "${content}"`;
  throw new Problem('not-found', `${name} has no ${what} in this zone.`);
}

export async function deleteZoneRecord(session: Session, zoneId: string, id: string): Promise<void> {
  const call = changing('DELETE', ['zones', zoneId, 'dns_records', id]);
  const { result } = await callResult(session.send, call, (value: unknown) => value);
  checkAnswer(`Deleting the DNS record ${id}`, { id }, result);
  await forgetVerdicts(session, zoneId);
}

/** Returns the fully qualified name for a name that is relative to the zone, fully qualified, or `@`. Throws if the name is invalid. */
export async function nameIn(session: Session, zoneId: string, given: string): Promise<string> {
  const zone = (await readZone(session, zoneId)).name;
  const plain = wireHostname(given);
  const name = plain === '@' || plain === '' ? zone : isWithin(plain, zone) ? plain : `${plain}.${zone}`;
  const fault = nameFault(name);
  if (fault !== undefined)
    throw new Problem('invalid-input', `"${given}" is not a valid name in the zone ${zone}: ${fault}.`);
  return name;
}

/**
 * Returns a sentence that explains why a name cannot serve as the fallback origin; undefined if the name can serve. Also returns undefined
 * if the DNS records cannot be read, because a failed check must not prevent a change.
 */
export async function originFault(
  session: Session,
  zoneId: string,
  name: string,
): Promise<string | undefined> {
  try {
    const records = (await listZoneRecords(session, zoneId, { name })).filter(({ type }) => isHost(type));
    if (records.length === 0) return `${name} has no A, AAAA or CNAME record in the zone.`;
    return records.some(({ proxied }) => proxied !== false)
      ? undefined
      : `The record of ${name} is not proxied, so it receives no requests from custom hostnames.`;
  } catch (error) {
    if (isProblem(error) && error.code !== 'interrupted') return undefined;
    throw error;
  }
}

/** Returns whether records of a type can be proxied. */
export function isHost(type: string): boolean {
  return ['A', 'AAAA', 'CNAME'].includes(type);
}

/** Returns whether records of a type can be set. */
export function isSettable(type: string): type is SettableType {
  return settableTypes.some((one) => one === type);
}

/** Returns the record contents in the arguments of a command. The flags, tag and value of a CAA record may be three arguments. */
export function toContents(type: string, words: readonly string[]): readonly string[] {
  if (type !== 'CAA') return words;
  const contents: string[] = [];
  for (let at = 0; at < words.length; ) {
    const [flags = '', tag, value] = words.slice(at, at + 3);
    const isApart = /^\d+$/.test(flags) && tag !== undefined && value !== undefined;
    contents.push(isApart ? `${flags} ${tag} ${/^".*"$/.test(value) ? value : `"${value}"`}` : flags);
    at += isApart ? 3 : 1;
  }
  return contents;
}

/** Returns the content of a record in wire form. Throws if the content is invalid for the type, or if edgectl cannot set the type. */
export function recordContent(type: string, content: string): string {
  const text = content.trim();
  const wrong = (fault: string) =>
    new Problem('invalid-input', `"${content}" is not valid in a record of type ${type}: ${fault}.`);
  if (!isSettable(type)) throw wrong(`edgectl can set only ${settableTypes.join(', ')}`);
  switch (type) {
    case 'A':
      if (!isIPv4(text)) throw wrong('expected an IPv4 address');
      return text;
    case 'AAAA':
      if (!isIPv6(text)) throw wrong('expected an IPv6 address');
      return text.toLowerCase();
    case 'CNAME': {
      const target = wireHostname(text);
      const fault = nameFault(target) ?? (isIPv4(target) ? 'expected a name, not an address' : undefined);
      if (fault !== undefined) throw wrong(fault);
      return target;
    }
    case 'TXT':
      if (text === '') throw wrong('it requires a string');
      return text;
    case 'CAA': {
      const caa = parseCaa(text);
      if (caa === undefined) throw wrong('expected flags, tag and value, such as 0 issue "pki.goog"');
      const issues = ['issue', 'issuewild'].includes(caa.tag);
      if (issues && parseIssueValue(caa.value) === undefined)
        throw wrong(`"${caa.value}" identifies no certificate authority (RFC 8659, 4.2)`);
      return `${caa.flags} ${caa.tag} "${caa.value}"`;
    }
  }
}

/** Returns whether a record has this content. Ignores differences in case, quotes and notation that have no meaning for the type. */
function isSame({ type, content }: ZoneDnsRecord, wanted: string): boolean {
  if (type === 'TXT') return textBytes(content).equals(textBytes(wanted));
  if (type === 'CAA')
    return JSON.stringify(parseCaa(content.trim())) === JSON.stringify(parseCaa(wanted.trim()));
  return plainName(content) === plainName(wanted);
}
