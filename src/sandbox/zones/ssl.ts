import { createHash } from 'node:crypto';
import { dayMilliseconds } from '../../model/hostnames/hostname.ts';
import { wireTime } from '../../model/hostnames/state.ts';
import { isObject } from '../../model/json-object.ts';
import type { StoredZone } from '../../store/zones/zones.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, param, readJson, refusal } from '../http/exchange.ts';
import { pageInfo, readWholeNumber } from '../http/paging.ts';
import { requireZone } from './zones.ts';

/** Validity in days of the universal certificate. Every zone has only this certificate pack, which the edge serves. */
const validDays = 90;

/** Derives a fixed id in the format of a UUID for an item that exists once per zone. */
function deriveId(zone: StoredZone, what: string): string {
  const hex = createHash('sha256').update(`${what} ${zone.id}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

function formatPack(zone: StoredZone) {
  const hosts = [zone.name, `*.${zone.name}`];
  const certificate = {
    id: deriveId(zone, 'certificate'),
    hosts,
    issuer: 'GoogleTrustServices',
    signature: 'ECDSAWithSHA256',
    status: 'active',
    bundle_method: 'ubiquitous',
    zone_id: zone.id,
    uploaded_on: wireTime(zone.createdAt),
    modified_on: wireTime(zone.createdAt),
    expires_on: wireTime(zone.createdAt + validDays * dayMilliseconds),
    priority: 0,
  };
  return {
    id: deriveId(zone, 'pack'),
    type: 'universal',
    hosts,
    primary_certificate: certificate.id,
    status: 'active',
    certificates: [certificate],
    certificate_authority: 'google',
    validation_method: 'txt',
    validity_days: validDays,
  };
}

export function listPacks(exchange: Exchange): Answer {
  const { query } = exchange;
  const page = readWholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = readWholeNumber(query, 'per_page', 5, 50, 20);
  const packs = page === 1 ? [formatPack(requireZone(exchange))] : [];
  return ok(packs, pageInfo(page, perPage, packs.length, 1));
}

/** `GET .../certificate_packs/quota`: returns a quota of 0, because a sandbox does not support advanced certificates. */
export function getPackQuota(exchange: Exchange): Answer {
  requireZone(exchange);
  return ok({ advanced: { allocated: 0, used: 0 } });
}

export function getPack(exchange: Exchange): Answer {
  return ok(requirePack(exchange));
}

function requirePack(exchange: Exchange): ReturnType<typeof formatPack> {
  const pack = formatPack(requireZone(exchange));
  if (pack.id === param(exchange, 'pack')) return pack;
  throw refusal(404, 1408, 'The certificate pack does not exist.');
}

/** Returns the validation status of the universal certificate, which is always active. */
export function getVerification(exchange: Exchange): Answer {
  const { id } = formatPack(requireZone(exchange));
  return ok([
    {
      certificate_status: 'active',
      brand_check: false,
      cert_pack_uuid: id,
      signature: 'ECDSAWithSHA256',
      validation_method: 'txt',
      verification_status: true,
      verification_type: 'cname',
    },
  ]);
}

const methods: readonly unknown[] = ['http', 'cname', 'txt', 'email'];

/** Accepts another validation method for a pack, but the method has no effect, because the pack is already active. */
export async function changeVerification(exchange: Exchange): Promise<Answer> {
  requirePack(exchange);
  const body = await readJson(exchange, 'the validation method');
  const method = isObject(body) ? body['validation_method'] : undefined;
  if (!methods.includes(method)) {
    throw refusal(
      400,
      codes.requestInvalid,
      `invalid validation_method: must be one of ${methods.join(', ')}`,
    );
  }
  return ok({ status: 'active', validation_method: method });
}

/** Lists the page rules of a zone; the list is always empty in a sandbox. */
export function listPageRules(exchange: Exchange): Answer {
  requireZone(exchange);
  return ok([]);
}
