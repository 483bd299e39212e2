import { nameFault, plainName, type RecordType } from '../../../model/dns/dns.ts';
import { isObject } from '../../../model/json-object.ts';
import { maxAdvanceSeconds } from '../../../model/sandbox/clock.ts';
import type { DnsEntry } from '../../../store/zones/outside-dns.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { automaticTtl, dnsFaults, parseRecord } from '../../dns/names.ts';
import { clockNow, clockOffset, moveClock } from '../../http/clock.ts';
import { codes } from '../../http/codes.ts';
import { type Exchange, type Platform, readJson, refusal, toText } from '../../http/exchange.ts';
import { applyLifecycles } from '../../objects/lifecycle.ts';
import { readInternet, readPages, setPage } from '../internet.ts';
import { readIssuance, setQuota } from '../limits.ts';
import { readEntitlements, setEntitlements } from '../plan.ts';
import { changeInternet, readNotice, runUpToDate } from '../run.ts';

const bodyLimit = 32 * 1024 * 1024;
const recordTypes: readonly string[] = [
  'A',
  'AAAA',
  'CNAME',
  'TXT',
  'CAA',
  'NS',
  'SOA',
] satisfies RecordType[];

export function listDns({ platform, query }: Exchange): Answer {
  const name = query.get('name');
  const entries = platform.registry().dnsEntries.list();
  return ok(name === null ? entries : entries.filter((entry) => entry.name === plainName(name)));
}

/**
 * Sets one DNS entry `{name, type, contents, ttl}`, or a list of entries. If one entry of the list is invalid, no entry is set. With
 * `notice=later`, the platform sees the entries only at its next check. With `hidden=true`, the entries represent records that the platform
 * sets in its own zones, and may coexist with a CNAME.
 */
export async function setDns(exchange: Exchange): Promise<Answer> {
  const body = await readJson(exchange, 'the DNS entries', bodyLimit);
  const entries = (Array.isArray(body) ? body : [body]).map(parseDnsEntry);
  const { platform, query } = exchange;
  const { dnsEntries } = platform.registry();
  if (query.get('hidden') !== 'true') refuseBesideAlias(entries, dnsEntries.list());
  await changeInternet(platform, () => dnsEntries.set(entries), readNotice(query));
  return ok(entries);
}

/**
 * Refuses other records at a name with a CNAME (RFC 1034, 3.6.2). Failures are allowed next to a CNAME, because they are not records.
 */
function refuseBesideAlias(entries: readonly DnsEntry[], before: readonly DnsEntry[]): void {
  const names = new Set(entries.map(({ name }) => name));
  for (const name of names) {
    const here = [...before, ...entries].filter((entry) => entry.name === name && !isFault(entry.type));
    const types = new Set(here.map(({ type }) => type));
    if (!types.has('CNAME') || types.size === 1) continue;
    const [other] = [...types].filter((type) => type !== 'CNAME');
    const rule =
      'a name with a CNAME cannot have other records (RFC 1034, 3.6.2); unset the CNAME or the other records first';
    throw invalid(`${other} and CNAME at ${name}`, rule);
  }
}

/** Removes the DNS entries of a name, of one type or of all types. */
export async function unsetDns({ platform, query }: Exchange): Promise<Answer> {
  const name = plainName(query.get('name') ?? '');
  const type = query.get('type')?.toUpperCase();
  const { dnsEntries } = platform.registry();
  const removed = await changeInternet(platform, () => dnsEntries.unset(name, type), readNotice(query));
  return ok({ removed });
}

/** Answers a DNS question like the DNS port, for callers in this process. */
export function answerDns({ platform, query }: Exchange): Answer {
  const type = (query.get('type') ?? 'A').toUpperCase();
  if (!isRecordType(type)) throw invalid(`type "${type}"`, `must be one of ${recordTypes.join(', ')}`);
  return ok(readInternet(platform).dns.answer(query.get('name') ?? '', type));
}

function isRecordType(text: string): text is RecordType {
  return recordTypes.includes(text);
}

/** Parses an entry of the simulated customer DNS. Refuses an invalid entry. */
export function parseDnsEntry(value: unknown): DnsEntry {
  if (!isObject(value)) throw invalid('entry', 'must be a JSON object');
  const { name: givenName, type: givenType, contents: given, ttl = automaticTtl } = value;
  const name = plainName(toText(givenName ?? ''));
  const type = toText(givenType ?? '').toUpperCase();
  const contents = Array.isArray(given) ? given.map(toText) : [];
  const fault = nameFault(name);
  if (fault !== undefined) throw invalid(`name "${name}"`, fault);
  if (typeof ttl !== 'number' || !Number.isInteger(ttl) || ttl < 0)
    throw invalid('ttl', 'must be a whole number of seconds');
  checkContents(name, type, contents);
  const values = isFault(type) ? contents.map((one) => one.toUpperCase()) : contents;
  return { name, type, ttl, contents: values };
}

function isFault(type: string): boolean {
  return (dnsFaults as readonly string[]).includes(type);
}

function checkContents(name: string, type: string, contents: readonly string[]): void {
  if (isFault(type)) {
    const other = contents.find((one) => !isRecordType(one.toUpperCase()));
    if (other !== undefined)
      throw invalid(`record type "${other}"`, `must be one of ${recordTypes.join(', ')}`);
    return;
  }
  if (!isRecordType(type)) {
    throw invalid(`type "${type}"`, `must be one of ${[...recordTypes, ...dnsFaults].join(', ')}`);
  }
  if (contents.length === 0) throw invalid('contents', 'at least one is required');
  const bad = contents.find((content) => parseRecord(name, type, content, 1) === undefined);
  if (bad !== undefined) throw invalid(`content "${bad}"`, `not a valid ${type} record`);
  if (type === 'CNAME' && contents.length > 1)
    throw invalid('contents', 'a CNAME must have exactly one target');
}

function invalid(what: string, rule: string) {
  return refusal(400, codes.requestInvalid, `invalid ${what}: ${rule}`);
}

export function getClock({ platform }: Exchange): Answer {
  const offset = clockOffset(platform) / 1000;
  return ok({ now: new Date(clockNow(platform)).toISOString(), offset_seconds: offset });
}

/** Advances the clock by `seconds`, and runs everything that is due in that time. */
export async function advanceClock(exchange: Exchange): Promise<Answer> {
  const body = await readJson(exchange, 'the clock');
  const seconds = isObject(body) ? body['seconds'] : undefined;
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= maxAdvanceSeconds)) {
    throw invalid('seconds', `must be a number from 0 to ${maxAdvanceSeconds}`);
  }
  const { platform } = exchange;
  await runUpToDate(platform, () => moveClock(platform, Math.round(seconds * 1000)));
  await expireKeys(platform);
  await applyRules(platform);
  await runUpToDate(platform, () => undefined);
  return getClock(exchange);
}

/** Removes expired keys, because workers read keys by this machine's clock instead of the sandbox's. */
async function expireKeys(platform: Platform): Promise<void> {
  const now = clockNow(platform);
  const expire = async () => {
    for (const id of platform.kv().namespaceFolders()) platform.kv().removeExpired(id, now);
  };
  await (platform.edge === undefined ? expire() : platform.edge.alone(expire));
}

/** Applies the lifecycle rules of buckets. */
async function applyRules(platform: Platform): Promise<void> {
  const apply = async () => applyLifecycles(platform);
  await (platform.edge === undefined ? apply() : platform.edge.alone(apply));
}

export function listPages({ platform }: Exchange): Answer {
  return ok(readPages(platform));
}

/** Sets the `body` that a customer's own web server returns at `url`, from which the platform requests tokens. */
export async function putPage(exchange: Exchange): Promise<Answer> {
  const body = await readJson(exchange, 'the page', 1024 * 1024);
  const { url, body: text } = isObject(body) ? body : {};
  if (typeof url !== 'string' || typeof text !== 'string')
    throw invalid('page', 'must have the strings url and body');
  const { platform } = exchange;
  await changeInternet(platform, () => setPage(platform, url, text));
  return ok({ url, body: text });
}

export async function removePage({ platform, query }: Exchange): Promise<Answer> {
  const url = query.get('url') ?? '';
  await changeInternet(platform, () => setPage(platform, url, undefined));
  return ok({ url });
}

/** Sets the quota of every zone, for tests of the limit. */
export async function putQuota(exchange: Exchange): Promise<Answer> {
  const body = await readJson(exchange, 'the quota');
  const { allocated, hard_cap: hardCap } = isObject(body) ? body : {};
  if (typeof allocated !== 'number' || typeof hardCap !== 'number') {
    throw invalid('quota', 'must have the numbers allocated and hard_cap');
  }
  setQuota(exchange.platform, allocated, hardCap);
  return ok({ allocated, hard_cap: hardCap });
}

/** Sets whether all zones have the features that do not depend on the plan. */
export async function putEntitlements(exchange: Exchange): Promise<Answer> {
  const body = await readJson(exchange, 'the entitlements');
  const given = Object.entries(isObject(body) ? body : {});
  const known = Object.keys(readEntitlements(exchange.platform));
  const bad = given.find(([name, value]) => !known.includes(name) || typeof value !== 'boolean');
  if (bad !== undefined)
    throw invalid(bad[0], `must be true or false; entitlements are ${known.join(' and ')}`);
  setEntitlements(exchange.platform, Object.fromEntries(given));
  return ok(readEntitlements(exchange.platform));
}

export function getIssuance({ platform }: Exchange): Answer {
  const { limit, used, blockedSeconds } = readIssuance(platform);
  return ok({ limit, used, blocked_seconds: blockedSeconds });
}

/** Returns the certificate of a custom hostname with its chain, in PEM, as the edge serves it. */
export async function getCertificate({ platform, params }: Exchange): Promise<Answer> {
  const name = plainName(params['hostname'] ?? '');
  const named = await runUpToDate(platform, () => platform.registry().hostnames.named(name));
  const certificate = named.find(({ keyed }) => keyed !== undefined)?.keyed?.certificate;
  if (certificate === undefined) throw refusal(404, codes.noRoute, `${name} has no certificate`);
  return formatPemAnswer(certificate);
}

/** Returns the certificates of the sandbox's own authorities, in PEM, for clients to trust. */
export async function getAuthorities({ platform }: Exchange): Promise<Answer> {
  const { trustedRoots } = await import('../certificates.ts');
  return formatPemAnswer(trustedRoots(platform.registry().settings));
}

function formatPemAnswer(text: string): Answer {
  return { status: 200, headers: { 'content-type': 'application/x-pem-file' }, body: Buffer.from(text) };
}
