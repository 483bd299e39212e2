import * as v from 'valibot';
import { lookUpAddresses, lookUpTexts } from '../../dns/lookup.ts';
import { type Fact, ifKnown, known, unknown } from '../../model/diagnosis/facts.ts';
import { addressList } from '../../model/diagnosis/rules/reading.ts';
import type { Resolver } from '../../model/dns/dns.ts';
import {
  type ApiPlace,
  apiPlace,
  applyLink,
  placeIn,
  templatePath,
} from '../../model/instructions/domain-connect.ts';
import type { DomainConnect, Instructions } from '../../model/instructions/instructions.ts';
import { publishedKey } from '../../model/instructions/link-key.ts';
import type { DnsTemplate } from '../../model/instructions/template.ts';
import { type ProbedPage, probePage } from '../../probe/probe.ts';
import type { ServerPlace } from '../diagnosis/server-place.ts';
import type { LinkKey } from './link-key.ts';

/** The inputs for accessing the API of a DNS provider. */
export interface ProviderAccess {
  readonly resolver: Resolver;
  /** Returns where to connect over TLS for an IP address; undefined if edgectl must not connect to it. */
  findPlace(address: string): ServerPlace | undefined;
  /** Whether to accept any certificate: true in a sandbox, whose servers are on this machine and have no trusted certificate. */
  readonly anyCertificate: boolean;
  /** Certificates in PEM to trust in addition to the system's certificates. */
  readonly authorities?: readonly string[];
  /** Timeout for each request, in milliseconds (default: 3,000). */
  readonly timeoutMs?: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(100));
const domainName = v.pipe(v.string(), v.regex(/^(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/i));
const templateShape = v.object({ syncPubKeyDomain: v.fallback(v.optional(domainName), undefined) });
const settingsShape = v.object({
  providerName: v.fallback(v.optional(text), undefined),
  providerDisplayName: v.fallback(v.optional(text), undefined),
  urlSyncUX: v.optional(v.nullable(v.string())),
  urlAPI: v.string(),
});

/**
 * Queries the DNS provider of a customer's zone for Domain Connect. Returns a link if the provider supports the template, or else what is
 * missing. Returns undefined if the provider does not support Domain Connect, or if no record is missing. Does not throw for any response of
 * the provider.
 */
export async function findDomainConnect(
  access: ProviderAccess,
  instructions: Instructions,
  template: DnsTemplate | undefined,
  key?: Fact<LinkKey>,
): Promise<DomainConnect | undefined> {
  const { zone, records } = instructions;
  if (zone === undefined || records.every(({ state }) => state === 'there')) return undefined;
  const texts = ifKnown(await lookUpTexts(access.resolver, `_domainconnect.${zone}`)) ?? [];
  const api = texts.map(apiPlace).find((place) => place !== undefined);
  if (api === undefined) return undefined;
  const settings = await readSettings(access, api, zone);
  if ('unknown' in settings)
    return { label: api.host, lacks: `its API could not be read: ${settings.unknown}` };
  const { providerDisplayName, providerName, urlSyncUX, urlAPI } = settings.known;
  const label = providerDisplayName ?? providerName ?? api.host;
  if (template === undefined)
    return { label, lacks: 'no Domain Connect template is specified', needs: 'template' };
  const at = placeIn(urlSyncUX ?? '');
  if (at === undefined)
    return { label, lacks: 'it has no https page where a customer can approve the changes' };
  const known = await knownTemplate(access, urlAPI, template);
  if ('unknown' in known) return { label, lacks: known.unknown };
  if (key !== undefined && 'unknown' in key) return { label, lacks: `it cannot be signed: ${key.unknown}` };
  const fault = await keyFault(access, known.known.syncPubKeyDomain, key?.known);
  if (fault !== undefined) return { label, ...fault };
  const link = applyLink(at, template, { ...instructions, zone }, key?.known);
  return { label, apply: { link, host: at.host } };
}

/**
 * Returns why the provider would refuse links with this key, or without a key, according to the template and DNS; undefined if it would
 * accept them.
 */
async function keyFault(
  { resolver }: ProviderAccess,
  domain: string | undefined,
  key: LinkKey | undefined,
): Promise<Pick<DomainConnect, 'lacks' | 'needs'> | undefined> {
  if (domain === undefined) return undefined;
  if (key === undefined)
    return { lacks: `its template accepts only signed links (syncPubKeyDomain ${domain})`, needs: 'key' };
  const at = `${key.name}.${domain}`;
  const texts = await lookUpTexts(resolver, at);
  if ('unknown' in texts)
    return { lacks: `it is unknown whether your key is published at ${at}: ${texts.unknown}` };
  const found = publishedKey(texts.known);
  if (found === key.published) return undefined;
  const what = found === undefined ? 'no key is published' : 'a different key is published';
  return {
    lacks: `${what} at ${at}; publish your key there with these TXT records: ${key.records.join(' and ')}`,
  };
}

async function readSettings(
  access: ProviderAccess,
  api: ApiPlace,
  zone: string,
): Promise<Fact<v.InferOutput<typeof settingsShape>>> {
  const page = await fetchPage(access, api.host, `${api.path}/v2/${zone}/settings`);
  if ('unknown' in page) return page;
  const { status, body } = page.known;
  if (status !== 200) return unknown(`${api.host} responded with HTTP ${status}`);
  try {
    return known(v.parse(settingsShape, JSON.parse(Buffer.from(body, 'latin1').toString())));
  } catch {
    return unknown(`the response from ${api.host} does not contain Domain Connect settings`);
  }
}

/**
 * Returns the part of a template that the provider discloses. Returns an unknown fact, with the reason, if the provider does not confirm that
 * it supports the template.
 */
async function knownTemplate(
  access: ProviderAccess,
  urlApi: string,
  template: DnsTemplate,
): Promise<Fact<v.InferOutput<typeof templateShape>>> {
  const api = placeIn(urlApi);
  if (api === undefined) return unknown('it has no https API');
  const page = await fetchPage(access, api.host, templatePath(api, template));
  if ('unknown' in page)
    return unknown(`it is unknown whether the provider supports the template: ${page.unknown}`);
  const { status, body } = page.known;
  const name = `${template.provider}/${template.service}`;
  if (status === 404) return unknown(`it does not know the template ${name}; ask the provider to add it`);
  if (status !== 200)
    return unknown(`${api.host} responded with HTTP ${status} to the request for the template ${name}`);
  try {
    return known(v.parse(templateShape, JSON.parse(Buffer.from(body, 'latin1').toString())));
  } catch {
    // A provider may confirm the template without disclosing its content.
    return known({});
  }
}

/** Sends one GET request over TLS. Follows no redirects, and connects only to public addresses. */
async function fetchPage(access: ProviderAccess, host: string, path: string): Promise<Fact<ProbedPage>> {
  const { resolver, anyCertificate, authorities, timeoutMs = 3000, now, signal } = access;
  const addresses = addressList(await lookUpAddresses(resolver, host));
  const [place] = addresses.flatMap((address) => access.findPlace(address) ?? []);
  if (place === undefined) return unknown(`${host} has no public address`);
  const trusted = authorities === undefined ? {} : { authorities };
  const asked = { ...place, ...trusted, now, signal, hostname: host, secure: true, path, timeout: timeoutMs };
  const page = await probePage(asked);
  if ('unknown' in page || anyCertificate) return page;
  const { covers, distrust } = page.known.certificate ?? { covers: false };
  return covers && distrust === undefined ? page : unknown(`the certificate of ${host} is not trusted`);
}
