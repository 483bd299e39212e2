import * as v from 'valibot';
import { hostnameInAddress } from '../../model/hostnames/fault.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { certificateExpiresWithin, type HostnameFilter } from '../../model/hostnames/list.ts';
import { parseCustomHostname, parseQuota } from '../../model/hostnames/parse.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import type { HostnameQuota } from '../../model/zones/zone.ts';
import { callResult } from '../../v4/client.ts';
import { numberedPages } from '../../v4/pages.ts';
import type { Query } from '../../v4/path.ts';
import { readRetryAfter } from '../../v4/retry-after.ts';
import type { Send } from '../../v4/send.ts';
import { checkAnswer } from '../session/agreement.ts';
import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import {
  changeBody,
  checkChange,
  checkCreation,
  creationBody,
  type HostnameInput,
  type NewHostname,
  refreshBody,
  refusalAdvice,
  typedRefusal,
  wireHostname,
  withAdvice,
} from './body.ts';
import { changing, reading } from './calls.ts';
import { type DeletedHostname, openZoneMemory } from './first-seen.ts';

/** Maximum page size of the list (reference, 1.1). */
export const pageSize = 50;

const checkRecords = (result: unknown): CustomHostname[] =>
  v.parse(v.array(v.unknown()), result).map(parseCustomHostname);

function base(zoneId: string): string[] {
  return ['zones', zoneId, 'custom_hostnames'];
}

/**
 * Yields the custom hostnames of a zone, page by page, starting with page number `page`. Calls `tellTotal` with the number of hostnames that
 * match the platform's filters.
 */
export async function* listHostnames(
  session: Session,
  zoneId: string,
  filter: HostnameFilter = {},
  tellTotal?: (total: number) => void,
  page = 1,
): AsyncGenerator<CustomHostname[]> {
  const query = { ...toQuery(filter), per_page: pageSize };
  const callAt = (number: number) => reading(base(zoneId), { ...query, page: number });
  const start = { page, seen: (page - 1) * pageSize };
  const pages = numberedPages(session.send, callAt, checkRecords, tellTotal, start);
  const { expiresWithin } = filter;
  if (expiresWithin === undefined) {
    yield* pages;
    return;
  }
  // The platform cannot filter by expiry.
  const { platformClock } = await import('../session/platform-info.ts');
  const now = (await platformClock(session))();
  for await (const records of pages)
    yield records.filter((record) => certificateExpiresWithin(record, expiresWithin, now));
}

function toQuery(filter: HostnameFilter): Query {
  return {
    id: filter.id,
    'hostname.exact': filter.exact,
    'hostname.contain': filter.contains,
    'hostname.startsWith': filter.startsWith,
    hostname_status: filter.status,
    ssl_status: filter.certificateStatus,
    certificate_authority: filter.authority,
    custom_origin_server: filter.origin,
    wildcard: filter.wildcard,
    order: filter.order,
    direction: filter.direction,
  };
}

/** Returns the custom hostname with this id. Throws not-found if the id is unknown. */
export async function readHostname(session: Session, zoneId: string, id: string): Promise<CustomHostname> {
  return (await callResult(session.send, reading([...base(zoneId), id]), parseCustomHostname)).result;
}

/**
 * Returns the custom hostname with exactly this name, or undefined. If the platform rejects or ignores the filter `hostname.exact`, uses the
 * older filter `hostname`.
 */
export async function findHostname(
  session: Session,
  zoneId: string,
  hostname: string,
): Promise<CustomHostname | undefined> {
  const wanted = wireHostname(hostname);
  const exact = await exactly(session, zoneId, wanted).catch(ifUnknownFilter);
  const isWanted = ({ hostname: name }: CustomHostname): boolean => name.toLowerCase() === wanted;
  const found = exact?.find(isWanted);
  if (found !== undefined || exact?.length === 0) return found;
  const callAt = (page: number) => reading(base(zoneId), { hostname: wanted, per_page: pageSize, page });
  for await (const page of numberedPages(session.send, callAt, checkRecords)) {
    const older = page.find(isWanted);
    if (older !== undefined) return older;
  }
  return undefined;
}

/** Reads the first page of the list with the filter `hostname.exact`. If the page contains other hostnames, the platform ignores the filter. */
async function exactly(session: Session, zoneId: string, wanted: string): Promise<CustomHostname[]> {
  const call = reading(base(zoneId), { 'hostname.exact': wanted, per_page: pageSize });
  return (await callResult(session.send, call, checkRecords)).result;
}

function ifUnknownFilter(error: unknown): undefined {
  if (isProblem(error) && error.status === 400) return undefined;
  throw error;
}

const idShape = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Finds a custom hostname by name or id. Throws not-found if the hostname does not exist, and invalid-input if the name is invalid. */
export async function resolveHostname(
  session: Session,
  zoneId: string,
  nameOrId: string,
): Promise<CustomHostname> {
  if (idShape.test(nameOrId)) return readHostname(session, zoneId, nameOrId);
  const name = checkHostname(nameOrId);
  const found = await findHostname(session, zoneId, name);
  if (found !== undefined) return found;
  throw new Problem('not-found', `Custom hostname "${name}" not found in the zone.`, {
    remedy: { kind: 'explain-missing', hostname: name },
  });
}

/** Returns a hostname in wire form. Throws invalid-input if the hostname is invalid. */
export function checkHostname(text: string): string {
  const name = wireHostname(text);
  const refusal = typedRefusal(name);
  if (refusal === undefined) return name;
  const { code: platformCode, message } = refusal;
  const alone = hostnameInAddress(name);
  if (alone !== undefined)
    throw new Problem('invalid-input', `"${text}" is a URL, not a hostname.`, {
      remedy: { kind: 'name-alone', typed: text, name: alone },
    });
  throw new Problem('invalid-input', `"${text}": ${message}`, {
    platformCode,
    ...refusalAdvice(platformCode),
  });
}

/** The result of one creation request: the record, or the number of seconds until certificates are issued again. */
export type CreationOutcome =
  | { readonly record: CustomHostname }
  | { readonly blockedSeconds: number; readonly problem: Problem };

/**
 * Sends one creation request. If the issuance limit is the reason for a refusal, returns the refusal instead of throwing it, so that the
 * caller can wait and retry: only successful creations count towards the limit. Throws all other failures.
 */
export async function sendCreation(
  session: Session,
  zoneId: string,
  wanted: NewHostname,
): Promise<CreationOutcome> {
  let retryAfter: number | undefined;
  const send: Send = async (call) => {
    const answer = await session.send(call);
    retryAfter = readRetryAfter(answer);
    return answer;
  };
  const body = creationBody(wanted, session.brand);
  const call = changing('POST', base(zoneId), body);
  const what = `Creating the custom hostname ${wanted.hostname}`;
  try {
    const { result } = await callResult(send, call, parseCustomHostname);
    return { record: writtenHostname(what, { hostname: wanted.hostname }, body, result) };
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (error.code !== 'rate-limited') throw withAdvice(error, refusalAdvice(error.platformCode));
    const seconds = retryAfter === undefined ? 30 : Math.ceil(retryAfter / 1000);
    const remedy = { kind: 'await-issuance', seconds } as const;
    return { blockedSeconds: seconds, problem: withAdvice(error, { remedy }) };
  }
}

/**
 * Creates a custom hostname. Refuses an invalid hostname before anything is sent. If the hostname already exists, the problem states
 * whether it exists in this zone. If the platform refuses because of the issuance limit, calls `onBlock` with the number of seconds until
 * issuance resumes.
 */
export async function createHostname(
  session: Session,
  zoneId: string,
  wanted: NewHostname,
  onBlock?: (seconds: number) => void,
): Promise<CustomHostname> {
  checkCreation(wanted);
  try {
    const outcome = await sendCreation(session, zoneId, wanted);
    if ('record' in outcome) return outcome.record;
    onBlock?.(outcome.blockedSeconds);
    throw outcome.problem;
  } catch (error) {
    if (!isProblem(error) || error.platformCode !== 1406) throw error;
    const there = await findHostname(session, zoneId, wanted.hostname);
    throw withAdvice(
      error,
      there === undefined
        ? { hint: 'The hostname is in another zone or account, whose owner must remove it first.' }
        : { remedy: { kind: 'show-hostname', hostname: wanted.hostname } },
    );
  }
}

/**
 * Changes a custom hostname and records the time, because the change restarts validation. Sends unchanged values that the platform would
 * otherwise reset. Before anything is sent, refuses a change that would fail or could never be validated.
 */
export async function editHostname(
  session: Session,
  zoneId: string,
  record: CustomHostname,
  wanted: HostnameInput,
): Promise<CustomHostname> {
  checkChange(record, wanted);
  const body = changeBody(record, wanted, session.brand);
  const answer = await patch(session, zoneId, record.id, body);
  const what = `Changing the custom hostname ${record.hostname}`;
  const changed = writtenHostname(what, named(record), body, answer);
  await noteRefresh(session, zoneId, record, changed);
  return changed;
}

/** Restarts validation without changing the hostname, and records the time. */
export async function refreshHostname(
  session: Session,
  zoneId: string,
  record: CustomHostname,
): Promise<CustomHostname> {
  const answer = await patch(session, zoneId, record.id, refreshBody(record, session.brand));
  const what = `Refreshing the custom hostname ${record.hostname}`;
  const refreshed = writtenHostname(what, named(record), {}, answer);
  await noteRefresh(session, zoneId, record, refreshed);
  return refreshed;
}

function named({ id, hostname }: CustomHostname) {
  return { id, hostname };
}

async function patch(session: Session, zoneId: string, id: string, body: unknown): Promise<CustomHostname> {
  try {
    const call = changing('PATCH', [...base(zoneId), id], body);
    return (await callResult(session.send, call, parseCustomHostname)).result;
  } catch (error) {
    if (!isProblem(error)) throw error;
    throw withAdvice(error, refusalAdvice(error.platformCode));
  }
}

/** Deletes a custom hostname and its certificates. Throws not-found if the hostname does not exist. */
export async function deleteHostname(
  session: Session,
  zoneId: string,
  record: Pick<CustomHostname, 'id' | 'hostname'>,
): Promise<void> {
  const { id } = record;
  const call = changing('DELETE', [...base(zoneId), id]);
  const { result } = await callResult(session.send, call, (value: unknown) => value);
  checkAnswer(`Deleting the custom hostname ${id}`, { id }, result);
  await noteDeletion(session, zoneId, record);
}

/** Returns the zone's quota of custom hostnames, and the number of hostnames in use. */
export async function readQuota(session: Session, zoneId: string): Promise<HostnameQuota> {
  return (await callResult(session.send, reading([...base(zoneId), 'quota']), parseQuota)).result;
}

/** Reads the UUID of a zone's DCV delegation, which is part of the target of the customer's CNAME record. */
export async function readDelegationId(session: Session, zoneId: string): Promise<string> {
  const shape = v.object({ uuid: v.string() });
  const call = reading(['zones', zoneId, 'dcv_delegation', 'uuid']);
  return (await callResult(session.send, call, (value) => v.parse(shape, value))).result.uuid;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns `record`, which is the platform's response to a write with the body `sent`. Throws if its id, hostname, origin or certificate
 * settings differ from the request. `what` describes the write, for the message.
 */
function writtenHostname(
  what: string,
  asked: { readonly id?: string; readonly hostname: string },
  sent: Json,
  record: CustomHostname,
): CustomHostname {
  const { id, hostname, ssl } = record;
  const wanted = { ...asked, hostname: wireHostname(asked.hostname) };
  checkAnswer(what, wanted, { id, hostname: wireHostname(hostname) });
  checkAnswer(what, toOrigins(sent), toOrigins({ ...record }));
  const order = selectFields(sent['ssl']);
  // An empty authority lets the platform choose.
  const authority = order['certificate_authority'] || undefined;
  const { method, wildcard } = order;
  checkAnswer(what, { method, wildcard, certificate_authority: authority }, ssl);
  const { min_tls_version } = selectFields(order['settings']);
  checkAnswer(what, { min_tls_version }, ssl?.settings);
  return record;
}

function toOrigins(body: Json): Json {
  const names = ['custom_origin_server', 'custom_origin_sni'].map((name) => [name, body[name]] as const);
  return Object.fromEntries(
    names.map(([name, value]) => [name, typeof value === 'string' ? wireHostname(value) : value]),
  );
}

function selectFields(value: unknown): Json {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** Records when validation was restarted: diagnoses depend on this time, but the platform does not report it. */
async function noteRefresh(
  session: Session,
  zoneId: string,
  before: CustomHostname,
  after: CustomHostname,
): Promise<void> {
  const memory = await openZoneMemory(session, zoneId);
  // The platform has already made the change, so an unreadable clock must not make the change appear failed: the user would repeat it.
  const clock = await platformClock(session).catch((error: unknown) => {
    if (!isProblem(error)) throw error;
    return () => session.world.now();
  });
  memory.noteRefresh(before, after, clock());
  await memory.save();
}

/** Removes the saved data of a hostname that was deleted on purpose, so that no diagnosis suggests creating it again. */
async function noteDeletion(session: Session, zoneId: string, record: DeletedHostname): Promise<void> {
  const memory = await openZoneMemory(session, zoneId);
  memory.noteDeletion(record);
  await memory.save();
}
