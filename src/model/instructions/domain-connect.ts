import { ownershipName } from '../hostnames/tokens.ts';
import type { Instructions } from './instructions.ts';
import type { DnsTemplate } from './template.ts';

/** The address of an API: its host and path. */
export interface ApiPlace {
  readonly host: string;
  /** The path: empty, or with a leading slash and no trailing slash. */
  readonly path: string;
}

/**
 * Parses the address of an API in a TXT record at `_domainconnect`: a name, sometimes followed by a path. Returns undefined if the string
 * is not such an address.
 */
export function apiPlace(text: string): ApiPlace | undefined {
  return placeIn(`https://${text}`);
}

/**
 * Returns the host and the path of an https URL. Returns undefined if the URL has a part that could point elsewhere or be misread: credentials, a
 * port, a query, or characters that need an escape.
 */
export function placeIn(url: string): ApiPlace | undefined {
  const found =
    /^https:\/\/((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*)((?:\/[\w.-]+)*)\/?$/i.exec(url);
  const [, host, path] = found ?? [];
  if (host === undefined || host.length > 253 || path === undefined || path.length > 500) return undefined;
  return path.split('/').some((part) => part === '.' || part === '..')
    ? undefined
    : { host: host.toLowerCase(), path };
}

/** Returns the path of a template at an API. */
export function templatePath({ path }: ApiPlace, { provider, service }: DnsTemplate): string {
  return `${path}/v2/domainTemplates/providers/${provider}/services/${service}`;
}

/** Signs the query of a link. The signer's name is the label of the key that verifies the signature. */
export interface QuerySigner {
  readonly name: string;
  sign(query: string): string;
}

/** Returns the link with which a customer adds the records of a template to their zone. */
export function applyLink(
  at: ApiPlace,
  template: DnsTemplate,
  instructions: Instructions & { readonly zone: string },
  signer?: QuerySigner,
): string {
  const { zone } = instructions;
  const base = instructions.hostname.replace(/^\*\./, '');
  const query = canonicalQuery({
    domain: zone,
    host: base === zone ? '' : base.slice(0, -zone.length - 1),
    ...toVariables(instructions),
  });
  const proof =
    signer === undefined ? '' : `&sig=${encodeURIComponent(signer.sign(query))}&key=${signer.name}`;
  return `https://${at.host}${templatePath(at, template)}/apply?${query}${proof}`;
}

/** Returns the query to sign: sorted by name and encoded (Domain Connect, Signing Procedure; RFC 3986). */
function canonicalQuery(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Returns the values of the template's variables: `target`, `ownership`, `delegation`, `challenge` and `challenge2`. */
function toVariables({ hostname, records }: Instructions): Readonly<Record<string, string>> {
  const wanted = records.filter(({ state }) => state !== 'to-remove');
  const findValues = (type: string, name: string) =>
    wanted
      .filter((record) => record.type === type && record.fullName === name)
      .map(({ value }) => value.replace(/^"(.*)"$/, '$1'));
  const base = hostname.replace(/^\*\./, '');
  const challenge = `_acme-challenge.${base}`;
  const [first, second] = findValues('TXT', challenge);
  const named = {
    target: findValues('CNAME', base)[0],
    ownership: findValues('TXT', ownershipName(hostname))[0],
    delegation: findValues('CNAME', challenge)[0],
    challenge: first,
    challenge2: second,
  };
  return Object.fromEntries(Object.entries(named).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
