import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { badRequest, originRecordRefusal, type Refusal } from '../../../model/hostnames/fault.ts';
import { step } from '../../../model/hostnames/machine.ts';
import {
  type CertificateOrder,
  type HostnameAttributes,
  type HostnameChange,
  type HostnameCreation,
  type ParsedRequest,
  readChange,
  readCreation,
} from '../../../model/hostnames/request.ts';
import type { LiveHostname } from '../../../model/hostnames/state.ts';
import type { StoredZone } from '../../../store/zones/zones.ts';
import { json, ok, refused } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { clockNow } from '../../http/clock.ts';
import { type Exchange, type Platform, readLimited, refusal } from '../../http/exchange.ts';
import { readZonePlan } from '../../zones/zone-changes.ts';
import { requireZone } from '../../zones/zones.ts';
import { hostnameCodes } from '../codes.ts';
import { insertHostname } from '../create.ts';
import { applyShownStatus } from '../interventions.ts';
import { readHostnameQuota, recordIssuance, reserveIssuance } from '../limits.ts';
import { refuseByPlan } from '../plan.ts';
import { brand, createObserver, runUpToDate, settle, storeHostname } from '../run.ts';
import { parseCertificates, readUpload, type UploadedCertificate } from '../upload.ts';
import { requireHostname } from './find.ts';

const bodyLimit = 1024 * 1024;

/** Creates a custom hostname, and answers 200, as in the specification. */
export async function createHostname(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = requireZone(exchange);
  const creation = requireParsed(readCreation(await readBodyJson(exchange), brand));
  const { hostname, certificate } = creation;
  refuseByPlan(platform, readZonePlan(platform, zone.id), {
    ...creation,
    isWildcard: hostname.startsWith('*.') || certificate?.wildcard === true,
  });
  refuseWildcardByHttp(certificate);
  refuseOrigin(platform, zone, creation);
  const upload = readUpload(certificate, hostname, clockNow(platform));
  await refuseUnbundled(platform, certificate);
  const { hostnames } = platform.registry();
  return runUpToDate(platform, () =>
    hostnames.together(() => createInZone(platform, requireZone(exchange), creation, upload)),
  );
}

function createInZone(
  platform: Platform,
  zone: StoredZone,
  creation: HostnameCreation,
  upload: UploadedCertificate | undefined,
): Answer {
  const limited = refuseCreation(platform, zone, creation, upload);
  if (limited !== undefined) return limited;
  const record = insertHostname(platform, zone, creation, upload);
  if (record === undefined) throw duplicateRefusal();
  if (ordersCertificate(creation)) recordIssuance(platform);
  return ok(record);
}

/**
 * Refuses the zone's own name, a duplicate and a hostname over the quota. Returns an answer if the issuance limit is exceeded.
 */
function refuseCreation(
  platform: Platform,
  zone: StoredZone,
  creation: HostnameCreation,
  upload: UploadedCertificate | undefined,
): Answer | undefined {
  if (creation.hostname === zone.name) {
    const message = `The custom hostname ${zone.name} is the zone itself; use a name below or outside it.`;
    throw refusal(400, hostnameCodes.hostnameInvalid, message);
  }
  const taken = platform.registry().hostnames.named(creation.hostname);
  if (taken.some(({ zoneId }) => zoneId === zone.id)) throw duplicateRefusal();
  const quota = readHostnameQuota(platform, zone.id);
  if (quota.hard_cap === 0)
    throw refusal(403, hostnameCodes.noQuota, 'No custom hostname quota has been allocated for this zone.');
  if (quota.used >= (quota.hard_cap ?? Number.POSITIVE_INFINITY)) {
    throw refusal(403, hostnameCodes.quotaExceeded, 'Custom hostname quota exceeded.');
  }
  const wait = upload === undefined && ordersCertificate(creation) ? reserveIssuance(platform) : undefined;
  return wait === undefined ? undefined : formatIssuanceRefusal(wait);
}

function ordersCertificate({ certificate }: HostnameCreation): boolean {
  return certificate !== undefined && certificate.customCertificate === undefined;
}

function formatIssuanceRefusal(seconds: number): Answer {
  const message =
    'The limit of certificate issuances per minute was exceeded: ' +
    `no new certificate is issued for ${seconds} more second${seconds === 1 ? '' : 's'}.`;
  const answer = refused(429, hostnameCodes.issuanceLimited, message);
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } };
}

function duplicateRefusal() {
  return refusal(409, hostnameCodes.duplicate, 'Duplicate custom hostname found.');
}

/**
 * Refuses a wildcard certificate with HTTP validation: "Wildcard custom hostnames require TXT-based validation" (Cloudflare for SaaS:
 * validate certificates). The code is chosen. A seed can contain a wildcard with HTTP validation, because such hostnames still exist on the
 * platform if they were created before this rule.
 */
function refuseWildcardByHttp(order: Partial<CertificateOrder> | undefined): void {
  if (order?.wildcard !== true || order.method !== 'http' || order.customCertificate !== undefined) return;
  const message = 'The SSL attribute is invalid: a wildcard certificate cannot be validated over HTTP.';
  throw refusal(400, 1434, message);
}

/** Changes a custom hostname and restarts its validation (specification, Effects of PATCH). */
export async function changeHostname(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = requireZone(exchange);
  const body = await readBodyJson(exchange);
  return runUpToDate(platform, async () => {
    const stored = requireHostname(exchange);
    const { record, certificate } = stored.state;
    if (record.status === 'pending_deletion') {
      const message = 'Modifying the custom hostname is not supported: it is being deleted.';
      throw refusal(409, hostnameCodes.changedMeanwhile, message);
    }
    const order = certificate === undefined ? {} : { certificate: certificate.order };
    const change = requireParsed(readChange(body, brand, { hostname: record.hostname, ...order }));
    if (change.certificate !== undefined)
      refuseWildcardByHttp({ ...certificate?.order, ...change.certificate });
    refuseByPlan(platform, readZonePlan(platform, zone.id), {
      ...change,
      ...resultingAttributes(record, change),
    });
    refuseOrigin(platform, zone, change);
    const now = clockNow(platform);
    const upload = readUpload(change.certificate, record.hostname, now);
    await refuseUnbundled(platform, change.certificate);
    const observe = createObserver(platform, zone, { ...stored, hostname: record.hostname });
    const uploaded = upload === undefined ? {} : { uploaded: upload.installed };
    const next = step(stored.state, { type: 'patch', change, seen: observe(now), ...uploaded }, now);
    const keyed = upload?.keyed ?? stored.keyed;
    const settled = next && (await settle(platform, { state: next, ...(keyed && { keyed }) }, observe, now));
    const isStored = await storeHostname(platform, { stored, isEdit: true }, settled, now);
    if (!isStored)
      throw refusal(409, hostnameCodes.changedMeanwhile, 'The custom hostname was changed meanwhile.');
    return ok(applyShownStatus(platform, requireHostname(exchange).state.record));
  });
}

/**
 * Returns whether the hostname will be a wildcard after a change. If the change sets metadata or makes the hostname a wildcard, also
 * returns the resulting metadata.
 */
function resultingAttributes(
  { hostname, ssl, custom_metadata }: LiveHostname,
  { metadata, certificate }: HostnameChange,
) {
  const isWildcard = hostname.startsWith('*.') || (certificate?.wildcard ?? ssl?.wildcard) === true;
  const becomes = certificate?.wildcard === true && ssl?.wildcard !== true;
  const wanted = metadata ?? (becomes ? custom_metadata : undefined);
  return { isWildcard, ...(wanted && { metadata: wanted }) };
}

/**
 * Removes a custom hostname. The answer contains the id of the hostname in both places that the documentation shows.
 */
export async function removeHostname(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = requireZone(exchange);
  return runUpToDate(platform, async () => {
    const stored = requireHostname(exchange);
    const { id, hostname } = stored.state.record;
    const now = clockNow(platform);
    const seen = createObserver(platform, zone, { ...stored, hostname })(now);
    const left = step(stored.state, { type: 'remove', seen }, now);
    await storeHostname(platform, { stored }, left && { ...stored, state: left }, now);
    const envelope = { success: true, result: { id }, errors: [], messages: [] };
    return { ...json(200, envelope), body: Buffer.from(JSON.stringify({ id, ...envelope })) };
  });
}

function refuseOrigin(platform: Platform, zone: StoredZone, { origin }: HostnameAttributes): void {
  if (typeof origin !== 'string') return;
  const records = platform.registry().dnsRecords.list(zone.id);
  const refusalOfOrigin = originRecordRefusal(origin, zone.id, records);
  if (refusalOfOrigin !== undefined) throw toProblem(refusalOfOrigin);
}

async function readBodyJson(exchange: Exchange): Promise<unknown> {
  const bytes = await readLimited(exchange.call.body, bodyLimit, () => toProblem(notDecodable));
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw toProblem(notDecodable);
  }
}

const notDecodable = badRequest(
  hostnameCodes.notDecodable,
  'The JSON body of the request could not be decoded.',
);

function requireParsed<T>(parsed: ParsedRequest<T>): T {
  if ('refusal' in parsed) throw toProblem(parsed.refusal);
  return parsed.ok;
}

function toProblem({ status, code, message }: Refusal) {
  return refusal(status, code, message);
}

let publicRoots: readonly X509Certificate[] | undefined;

/**
 * Refuses an uploaded certificate whose chain does not end at a trusted authority (1441). Trusted authorities are the authorities in
 * Mozilla's list and the sandbox's own authorities. With the bundle method `force`, the chain is accepted unchanged. Unlike the platform,
 * the sandbox does not add missing intermediate certificates.
 */
async function refuseUnbundled(
  platform: Platform,
  order: Partial<CertificateOrder> | undefined,
): Promise<void> {
  const pem = order?.customCertificate;
  if (pem === undefined || order?.bundleMethod === 'force') return;
  const { trustedRoots } = await import('../certificates.ts');
  publicRoots ??= rootCertificates.map((root) => new X509Certificate(root));
  const own = parseCertificates(trustedRoots(platform.registry().settings));
  if (isTrusted(parseCertificates(pem), [...own, ...publicRoots])) return;
  const message =
    'The certificate that you uploaded is having trouble bundling against the public trust store.';
  throw refusal(400, hostnameCodes.unbundled, message);
}

function isTrusted(
  [leaf, ...others]: readonly X509Certificate[],
  roots: readonly X509Certificate[],
): boolean {
  let last = leaf;
  for (let steps = 0; last !== undefined && steps <= others.length; steps += 1) {
    const current: X509Certificate = last;
    if (roots.some((root) => root.fingerprint256 === current.fingerprint256 || isSignedBy(current, root)))
      return true;
    last = others.find((other) => other !== current && isSignedBy(current, other));
  }
  return false;
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
