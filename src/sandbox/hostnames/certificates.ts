import {
  type CertificateAuthority,
  certificateNames,
  dayMilliseconds,
  hostnameLimits,
} from '../../model/hostnames/hostname.ts';
import { type InstalledCertificate, validDays, type WantedCertificate } from '../../model/hostnames/state.ts';
import type { KeyedCertificate } from '../../store/hostnames/hostnames.ts';
import type { SettingTable } from '../../store/hostnames/settings.ts';
import {
  type Authority,
  importAuthority,
  makeAuthority,
  signCertificate,
  toKeyedCertificate,
} from './signing.ts';

/** The provider's own name, used as the Common Name with branding, or if all names in a certificate are too long. */
export const brandedName = 'sni.cloudflaressl.com';

const rootYears = 20;

/** A new certificate: its public details, and its PEM with the key and the authority's certificate. */
export interface IssuedCertificate {
  readonly installed: InstalledCertificate;
  readonly keyed: KeyedCertificate;
}

/** The name of each authority in `ssl.issuer`. */
const issuers: Readonly<Record<CertificateAuthority, string>> = {
  google: 'GoogleTrustServices',
  lets_encrypt: 'LetsEncrypt',
  ssl_com: 'SSLcom',
  digicert: 'DigiCert',
};

/**
 * Issues an X.509 certificate from the sandbox's own authority, which is created on first use and stored in the registry. The certificate
 * is valid for 90 days. The Common Name is the hostname or, with branding, the provider's own name; all names are Subject Alternative Names
 * (specification, provider_branding).
 */
export async function makeCertificate(
  settings: SettingTable,
  random: (bytes: number) => Uint8Array,
  wanted: WantedCertificate,
): Promise<IssuedCertificate> {
  const authority = await openAuthority(settings, random, wanted.authority, wanted.since);
  const hosts = certificateNames(wanted.hostname, wanted.wildcard);
  const commonName = wanted.branding
    ? brandedName
    : hosts.find((host) => host.length <= hostnameLimits.commonName);
  const names = wanted.branding ? [brandedName, ...hosts] : hosts;
  const expiresAt = wanted.expiresAt ?? wanted.since + validDays * dayMilliseconds;
  const signed = await signCertificate(authority, random, {
    commonName: commonName ?? brandedName,
    names,
    validity: { from: wanted.since, until: expiresAt },
  });
  return {
    installed: {
      issuer: issuers[wanted.authority],
      serialNumber: BigInt(`0x${signed.certificate.serialNumber}`).toString(),
      signature: 'ECDSAWithSHA256',
      hosts: names,
      uploadedAt: wanted.since,
      expiresAt,
    },
    keyed: await toKeyedCertificate(signed, authority.certificate),
  };
}

/** Returns the certificates of all authorities used so far, in PEM, for clients to trust. */
export function trustedRoots(settings: SettingTable): string {
  return Object.keys(issuers)
    .map((name) => readAuthority(settings, name)?.certificate ?? '')
    .join('');
}

/**
 * Imported authorities, by certificate and not by name, because another process may reset the sandbox, which then creates new authorities
 * with the same names.
 */
const authorities = new WeakMap<SettingTable, Map<string, Promise<Authority>>>();

/** Returns the authority in the registry, which is created on first use. */
async function openAuthority(
  settings: SettingTable,
  random: (bytes: number) => Uint8Array,
  name: CertificateAuthority,
  now: number,
): Promise<Authority> {
  const stored = readAuthority(settings, name) ?? (await storeAuthority(settings, random, name, now));
  const opened = authorities.get(settings) ?? new Map<string, Promise<Authority>>();
  authorities.set(settings, opened);
  const known = opened.get(stored.certificate);
  if (known !== undefined) return known;
  const authority = importAuthority(stored);
  opened.set(stored.certificate, authority);
  return authority;
}

/** Creates and stores an authority. If two calls create the authority concurrently, both use the authority that was stored first. */
async function storeAuthority(
  settings: SettingTable,
  random: (bytes: number) => Uint8Array,
  name: CertificateAuthority,
  now: number,
): Promise<KeyedCertificate> {
  const validity = { from: now - dayMilliseconds, until: now + rootYears * 365 * dayMilliseconds };
  const made = await makeAuthority(random, `authority (${name})`, validity);
  return settings.writeFirst(settingName(name), await toKeyedCertificate(made)) as KeyedCertificate;
}

function settingName(name: string): string {
  return `authority ${name}`;
}

function readAuthority(settings: SettingTable, name: string): KeyedCertificate | undefined {
  return settings.read(settingName(name)) as KeyedCertificate | undefined;
}
