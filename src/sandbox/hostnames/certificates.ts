import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type JsonName,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import {
  type CertificateAuthority,
  certificateNames,
  dayMilliseconds,
  hostnameLimits,
} from '../../model/hostnames/hostname.ts';
import type { InstalledCertificate, WantedCertificate } from '../../model/hostnames/state.ts';
import type { KeyedCertificate } from '../../store/hostnames/hostnames.ts';
import type { SettingTable } from '../../store/hostnames/settings.ts';

/** The provider's own name, which stands as Common Name where the hostname does not. */
export const brandedName = 'sni.cloudflaressl.com';

/** Days for which a managed certificate is good. */
const validDays = 90;
const rootYears = 20;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** The public facts of a new certificate, and the certificate with its key and its authority's certificate. */
export interface MadeCertificate {
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
 * Makes the wanted certificate: X.509 from the sandbox's own authority, which is made at the first use and kept in the
 * registry. Good for 90 days. The Common Name is the hostname, or the provider's own name with branding; all names are
 * Subject Alternative Names (specification, provider_branding).
 */
export async function makeCertificate(
  settings: SettingTable,
  random: (bytes: number) => Uint8Array,
  wanted: WantedCertificate,
): Promise<MadeCertificate> {
  const authority = await openAuthority(settings, random, wanted.authority, wanted.since);
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const hosts = certificateNames(wanted.hostname, wanted.wildcard);
  const commonName = wanted.branding
    ? brandedName
    : hosts.find((host) => host.length <= hostnameLimits.commonName);
  const names = wanted.branding ? [brandedName, ...hosts] : hosts;
  const expiresAt = wanted.expiresAt ?? wanted.since + validDays * dayMilliseconds;
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(random),
    subject: nameOf(commonName ?? brandedName),
    issuer: authority.certificate.subjectName,
    notBefore: new Date(wanted.since),
    notAfter: new Date(expiresAt),
    signingKey: authority.key,
    publicKey: keys.publicKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
    ],
  });
  return {
    installed: {
      issuer: issuers[wanted.authority],
      serialNumber: BigInt(`0x${certificate.serialNumber}`).toString(),
      signature: 'ECDSAWithSHA256',
      hosts: names,
      uploadedAt: wanted.since,
      expiresAt,
    },
    keyed: {
      certificate: `${certificate.toString('pem')}\n${authority.certificate.toString('pem')}\n`,
      privateKey: await pemOf(keys.privateKey),
    },
  };
}

interface Authority {
  readonly certificate: X509Certificate;
  readonly key: webcrypto.CryptoKey;
}

/** The certificates of every authority that was used so far, in PEM: what a client has to trust. */
export function trustedRoots(settings: SettingTable): string {
  return Object.keys(issuers)
    .map((name) => readAuthority(settings, name)?.certificate ?? '')
    .join('');
}

/** By its certificate: another process on the same data may reset the sandbox, which then has another authority. */
const authorities = new WeakMap<SettingTable, Map<string, Promise<Authority>>>();

/** The authority that the registry holds, made at its first use. */
async function openAuthority(
  settings: SettingTable,
  random: (bytes: number) => Uint8Array,
  name: CertificateAuthority,
  now: number,
): Promise<Authority> {
  const kept = readAuthority(settings, name) ?? (await keepAuthority(settings, random, name, now));
  const opened = authorities.get(settings) ?? new Map<string, Promise<Authority>>();
  authorities.set(settings, opened);
  const known = opened.get(kept.certificate);
  if (known !== undefined) return known;
  const authority = authorityOf(kept);
  opened.set(kept.certificate, authority);
  return authority;
}

async function authorityOf({ certificate, privateKey }: KeyedCertificate): Promise<Authority> {
  return { certificate: new X509Certificate(certificate), key: await keyOf(privateKey) };
}

/** Two that make the authority at once both go on with the one that was kept first. */
async function keepAuthority(
  settings: SettingTable,
  random: (bytes: number) => Uint8Array,
  name: CertificateAuthority,
  now: number,
): Promise<KeyedCertificate> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(random),
    name: nameOf(`edgectl sandbox authority (${name})`),
    notBefore: new Date(now - dayMilliseconds),
    notAfter: new Date(now + rootYears * 365 * dayMilliseconds),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const made = { certificate: `${certificate.toString('pem')}\n`, privateKey: await pemOf(keys.privateKey) };
  return settings.writeFirst(settingOf(name), made) as KeyedCertificate;
}

function settingOf(name: string): string {
  return `authority ${name}`;
}

function readAuthority(settings: SettingTable, name: string): KeyedCertificate | undefined {
  return settings.read(settingOf(name)) as KeyedCertificate | undefined;
}

function nameOf(commonName: string): JsonName {
  return [{ CN: [commonName] }, { O: ['edgectl sandbox'] }];
}

/** Positive and at most 20 bytes (RFC 5280, 4.1.2.2). */
function serialNumber(random: (bytes: number) => Uint8Array): string {
  return `4${Buffer.from(random(16)).toString('hex').slice(1)}`;
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64');
  const lines = bytes.match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

function keyOf(pem: string): Promise<webcrypto.CryptoKey> {
  const bytes = Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');
  return crypto.subtle.importKey('pkcs8', bytes, algorithm, true, ['sign']);
}
