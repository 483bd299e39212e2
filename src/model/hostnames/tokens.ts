import { createHash } from 'node:crypto';
import type { CertificateAuthority, ValidationMethod, ValidationRecord } from './hostname.ts';

/** Returns the DNS name for a hostname's ownership token. */
export function ownershipName(hostname: string): string {
  return `_cf-custom-hostname.${hostname}`;
}

/** Returns the name of the record for DNS validation (RFC 8555, 8.4). */
export function challengeName(hostname: string): string {
  return `_acme-challenge.${hostname}`;
}

/** Returns the CNAME target for `_acme-challenge`. With this CNAME, the platform answers the challenges itself. */
export function delegationTarget(hostname: string, delegation: string): string {
  return `${hostname}.${delegation}`;
}

/** Derives a token that cannot be guessed without the seed. The same seed and purpose always yield the same token. */
function digest(seed: string, purpose: string): Buffer {
  return createHash('sha256').update(`${seed}\n${purpose}`).digest();
}

/** Derives a UUID (RFC 9562, version 8 layout) from the seed. */
export function derivedUuid(seed: string, purpose: string): string {
  const bytes = digest(seed, purpose).subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function token(seed: string, purpose: string): string {
  return digest(seed, purpose).toString('base64url');
}

/** Returns the number of days for which an authority accepts the tokens of an order. */
export function tokenDays(authority: string | undefined): number {
  if (authority === 'lets_encrypt') return 7;
  return authority === 'digicert' ? 30 : 14;
}

export interface ChallengeInput {
  readonly hostname: string;
  readonly seed: string;
  readonly orderNumber: number;
  readonly method: ValidationMethod;
  readonly authority: CertificateAuthority;
  readonly wildcard: boolean;
}

/** Returns the validation records of one order: two TXT values for a wildcard, and two sets for ssl_com (reference, 2.2). */
export function validationRecords(input: ChallengeInput): readonly ValidationRecord[] {
  const { hostname, method } = input;
  if (method === 'email') {
    const boxes = ['admin', 'administrator', 'hostmaster', 'postmaster', 'webmaster'];
    return [{ status: 'pending', emails: boxes.map((box) => `${box}@${hostname}`) }];
  }
  return challenges(input).map((purpose): ValidationRecord => {
    const value = token(input.seed, purpose);
    if (method === 'txt') return { status: 'pending', txt_name: challengeName(hostname), txt_value: value };
    const name = value.slice(0, 22);
    const path = input.authority === 'ssl_com' ? `pki-validation/${name}.txt` : `acme-challenge/${name}`;
    return { status: 'pending', http_url: `http://${hostname}/.well-known/${path}`, http_body: value };
  });
}

function challenges(input: ChallengeInput): readonly string[] {
  const names = input.wildcard && input.method === 'txt' ? ['base', 'wildcard'] : ['base'];
  const keys = input.authority === 'ssl_com' ? ['rsa', 'ecdsa'] : ['any'];
  return keys.flatMap((key) => names.map((name) => `${input.orderNumber} ${input.authority} ${key} ${name}`));
}
