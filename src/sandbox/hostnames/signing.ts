import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type JsonName,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { KeyedCertificate } from '../../store/hostnames/hostnames.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

const organisation = 'edgectl sandbox';

type RandomBytes = (bytes: number) => Uint8Array;

/** Validity period of a certificate, in milliseconds since the UNIX epoch. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

/** An authority: its certificate and its signing key. */
export interface Authority {
  readonly certificate: X509Certificate;
  readonly key: webcrypto.CryptoKey;
}

/** A certificate with its key. */
export interface SignedCertificate {
  readonly certificate: X509Certificate;
  readonly key: webcrypto.CryptoKey;
}

/** Creates an authority that signs certificates for servers, but not for other authorities. `role` becomes part of the authority's name. */
export async function makeAuthority(
  random: RandomBytes,
  role: string,
  { from, until }: Validity,
): Promise<Authority> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(random),
    name: toDistinguishedName(`${organisation} ${role}`),
    notBefore: new Date(from),
    notAfter: new Date(until),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, key: keys.privateKey };
}

/** Issues a server certificate for these names, with a new key. */
export async function signCertificate(
  authority: Authority,
  random: RandomBytes,
  {
    commonName,
    names,
    validity,
  }: { readonly commonName: string; readonly names: readonly string[]; readonly validity: Validity },
): Promise<SignedCertificate> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(random),
    subject: toDistinguishedName(commonName),
    issuer: authority.certificate.subjectName,
    notBefore: new Date(validity.from),
    notAfter: new Date(validity.until),
    signingKey: authority.key,
    publicKey: keys.publicKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      // Python 3.13 and other strict implementations of RFC 5280 refuse a certificate without these identifiers.
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(authority.certificate),
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
    ],
  });
  return { certificate, key: keys.privateKey };
}

/** Formats a certificate, the certificates of its authorities, and its key in PEM. */
export async function toKeyedCertificate(
  { certificate, key }: SignedCertificate,
  ...chain: readonly X509Certificate[]
): Promise<KeyedCertificate> {
  return {
    certificate: [certificate, ...chain].map(formatPem).join(''),
    privateKey: await formatKeyPem(key),
  };
}

/** Formats a certificate in PEM, with a final newline. */
export function formatPem(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

/** Imports an authority from PEM. */
export async function importAuthority({ certificate, privateKey }: KeyedCertificate): Promise<Authority> {
  const bytes = Buffer.from(privateKey.replace(/-----[^-]+-----/g, ''), 'base64');
  const key = await crypto.subtle.importKey('pkcs8', bytes, algorithm, true, ['sign']);
  return { certificate: new X509Certificate(certificate), key };
}

function toDistinguishedName(commonName: string): JsonName {
  return [{ CN: [commonName] }, { O: [organisation] }];
}

/** Returns a random serial number, which is positive and at most 20 bytes long (RFC 5280, 4.1.2.2). */
function serialNumber(random: RandomBytes): string {
  return `4${Buffer.from(random(16)).toString('hex').slice(1)}`;
}

async function formatKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64');
  const lines = bytes.match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}
