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
import type { DnsTemplate } from '../../model/instructions/template.ts';
import { type ProbedPage, probePage } from '../../probe/probe.ts';
import type { ServerPlace } from '../diagnosis/server-place.ts';

/** How a DNS provider's API is asked. */
export interface ProviderAccess {
  readonly resolver: Resolver;
  /** Where an address is reached over TLS; undefined where it is not to be asked. */
  placeOf(address: string): ServerPlace | undefined;
  /** Whether any certificate does: in a sandbox, whose servers are on this machine and have none that is trusted. */
  readonly anyCertificate: boolean;
  /** Certificates in PEM that are trusted besides the system's. */
  readonly authorities?: readonly string[];
  /** Milliseconds for one answer; 3,000 when left out. */
  readonly patience?: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(100));
const settingsShape = v.object({
  providerName: v.fallback(v.optional(text), undefined),
  providerDisplayName: v.fallback(v.optional(text), undefined),
  urlSyncUX: v.optional(v.nullable(v.string())),
  urlAPI: v.string(),
});

/**
 * Asks the DNS provider of a customer's zone what it offers by Domain Connect: a link where it knows the template, else what it takes.
 * Undefined where it does not take part, or nothing is left to be entered. Never throws for what is answered.
 */
export async function domainConnectOf(
  access: ProviderAccess,
  instructions: Instructions,
  template: DnsTemplate | undefined,
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
  if (template === undefined) return { label, lacks: 'none of your templates is named', needsTemplate: true };
  const at = placeIn(urlSyncUX ?? '');
  if (at === undefined) return { label, lacks: 'it names no page over https on which a customer agrees' };
  const refusal = await refusalOf(access, urlAPI, template);
  if (refusal !== undefined) return { label, lacks: refusal };
  return { label, apply: { link: applyLink(at, template, { ...instructions, zone }), host: at.host } };
}

async function readSettings(
  access: ProviderAccess,
  api: ApiPlace,
  zone: string,
): Promise<Fact<v.InferOutput<typeof settingsShape>>> {
  const page = await fetchPage(access, api.host, `${api.path}/v2/${zone}/settings`);
  if ('unknown' in page) return page;
  const { status, body } = page.known;
  if (status !== 200) return unknown(`${api.host} answered ${status}`);
  try {
    return known(v.parse(settingsShape, JSON.parse(Buffer.from(body, 'latin1').toString())));
  } catch {
    return unknown(`what ${api.host} answered are no settings of Domain Connect`);
  }
}

/** Why the provider cannot enter the records of a template; undefined where it can. */
async function refusalOf(
  access: ProviderAccess,
  urlApi: string,
  template: DnsTemplate,
): Promise<string | undefined> {
  const api = placeIn(urlApi);
  if (api === undefined) return 'it names no API over https';
  const page = await fetchPage(access, api.host, templatePath(api, template));
  if ('unknown' in page) return `whether it knows the template is not known: ${page.unknown}`;
  const { status } = page.known;
  const name = `${template.provider}/${template.service}`;
  if (status === 404)
    return `it does not know the template ${name}; a provider takes one up when it is asked to`;
  return status === 200 ? undefined : `asked for the template ${name}, ${api.host} answered ${status}`;
}

/** One GET over TLS. No redirect is followed, and no address asked that is not of the internet. */
async function fetchPage(access: ProviderAccess, host: string, path: string): Promise<Fact<ProbedPage>> {
  const { resolver, anyCertificate, authorities, patience = 3000, now, signal } = access;
  const addresses = addressList(await lookUpAddresses(resolver, host));
  const [place] = addresses.flatMap((address) => access.placeOf(address) ?? []);
  if (place === undefined) return unknown(`${host} has no address that can be asked`);
  const trusted = authorities === undefined ? {} : { authorities };
  const asked = { ...place, ...trusted, now, signal, hostname: host, secure: true, path, timeout: patience };
  const page = await probePage(asked);
  if ('unknown' in page || anyCertificate) return page;
  const { covers, distrust } = page.known.certificate ?? { covers: false };
  return covers && distrust === undefined ? page : unknown(`the certificate of ${host} is not to be trusted`);
}
