import { isIP } from 'node:net';
import { certificateNames, hostnameLimits } from './hostname.ts';

/** A refusal in the platform's wording: HTTP status, the platform's error code, and a sentence (reference, error codes). */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** Returns a refusal of invalid input, with status 400. */
export function badRequest(code: number, message: string): Refusal {
  return { status: 400, code, message };
}

/** The reason why edgectl refuses input before sending it. Includes the code if the platform would also refuse the input. */
export type Objection = Pick<Refusal, 'message'> & Partial<Pick<Refusal, 'code'>>;

/** The codes of the six checks that are the same for custom hostnames and custom origins. */
interface NameCodes {
  readonly what: string;
  readonly invalid: number;
  readonly notAscii: number;
  readonly reserved: number;
  readonly noDomain: number;
  readonly documentation: number;
}

const hostnameCodes: NameCodes = {
  what: 'custom hostname',
  invalid: 1407,
  notAscii: 1408,
  reserved: 1409,
  noDomain: 1410,
  documentation: 1411,
};

const originCodes: NameCodes = {
  what: 'custom origin hostname',
  invalid: 1415,
  notAscii: 1416,
  reserved: 1417,
  noDomain: 1418,
  documentation: 1419,
};

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;

function nameRefusal(name: string, codes: NameCodes): Refusal | undefined {
  const labels = name.split('.');
  const top = labels.at(-1)?.toLowerCase() ?? '';
  if (/[^\x00-\x7f]/.test(name)) {
    return badRequest(
      codes.notAscii,
      `A ${codes.what} must be ASCII: write international names in punycode.`,
    );
  }
  if (
    name.length > hostnameLimits.hostname ||
    isIP(name) !== 0 ||
    !labels.every((part) => label.test(part))
  ) {
    return badRequest(
      codes.invalid,
      `Invalid ${codes.what}: use fewer than 256 letters, digits, hyphens and dots, and no IP address.`,
    );
  }
  if (['test', 'example', 'invalid', 'localhost'].includes(top)) {
    return badRequest(
      codes.reserved,
      `A ${codes.what} under the reserved top-level domain "${top}" is refused.`,
    );
  }
  if (/(?:^|\.)example\.(?:com|net|org)$/i.test(name)) {
    return badRequest(codes.documentation, `A ${codes.what} under example.com, .net or .org is refused.`);
  }
  if (labels.length < 2 || /^\d+$/.test(top)) {
    const reason = `publicsuffix: cannot derive eTLD+1 for domain "${name}"`;
    return badRequest(codes.noDomain, `Unable to parse the ${codes.what} - ${reason}.`);
  }
  return undefined;
}

/**
 * Returns the reason why the platform refuses this string as a custom hostname; undefined if the platform accepts it. A leading `*.` is
 * allowed (see 1448).
 */
export function hostnameRefusal(hostname: string): Refusal | undefined {
  return nameRefusal(hostname.startsWith('*.') ? hostname.slice(2) : hostname, hostnameCodes);
}

/**
 * Returns the reason why the platform refuses this string as a custom origin; undefined if the platform accepts it. `originRecordRefusal`
 * checks whether the origin exists.
 */
export function originRefusal(origin: string): Refusal | undefined {
  if (origin.startsWith('*.')) return badRequest(1420, 'A custom origin hostname cannot be a wildcard.');
  return nameRefusal(origin, originCodes);
}

/** Returns the refusal of a name that cannot be an origin because it has no A, AAAA or CNAME record in the zone. */
export function originRecordRefusal(
  origin: string,
  zoneId: string,
  records: readonly { readonly type: string; readonly name: string }[],
): Refusal | undefined {
  const found = records.some((record) => record.name === origin && /^(?:A|AAAA|CNAME)$/.test(record.type));
  if (found) return undefined;
  return badRequest(
    1421,
    `The custom origin hostname is not a DNS record (A, AAAA or CNAME) of the zone ${zoneId}.`,
  );
}

/**
 * Returns the objection to a certificate that could never be validated, because HTTP proves control of the hostname only, not of the names
 * below it (reference, 2.2). The platform accepts such an order, but it stays pending forever.
 */
export function validationObjection(method: string | undefined, wildcard: boolean): Objection | undefined {
  if (!wildcard || method !== 'http') return undefined;
  return { message: 'A wildcard certificate cannot be validated over HTTP: validate it by TXT.' };
}

/**
 * Returns the refusal of a name for which no certificate can be ordered (specification, Errors, 1469): the Common Name would be longer than
 * 64 characters, and the request does not replace it with the provider's own name.
 */
export function commonNameRefusal(
  hostname: string,
  wildcard: boolean,
  branding: boolean,
): Refusal | undefined {
  const fits = certificateNames(hostname, wildcard).some((name) => name.length <= hostnameLimits.commonName);
  if (fits || branding) return undefined;
  return badRequest(
    1469,
    'Since no host is 64 characters or fewer, Cloudflare Branding is required. Please check your input and try again.',
  );
}

const withScheme = /^(?:https?:)?\/\//i;

/** Matches a name followed by a path, a query or a port. */
const withRest = /^[^\s/?#:@]+(?:[/?#]|:\d)/;

/**
 * Returns the hostname of a URL that was entered instead of a hostname. Parses the URL as a browser does. Undefined if the string is not a
 * URL, or its hostname cannot be a custom hostname.
 */
export function hostnameInAddress(text: string): string | undefined {
  const isSchemed = withScheme.test(text);
  if (!isSchemed && !withRest.test(text)) return undefined;
  const address = `https://${text.replace(withScheme, '')}`;
  if (!URL.canParse(address)) return undefined;
  const name = new URL(address).hostname.replace(/\.$/, '');
  return hostnameRefusal(name) === undefined ? name : undefined;
}
