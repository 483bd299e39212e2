import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { CertificateOrder } from '../../model/hostnames/request.ts';
import type { InstalledCertificate } from '../../model/hostnames/state.ts';
import type { KeyedCertificate } from '../../store/hostnames/hostnames.ts';
import { refusal } from '../http/exchange.ts';
import { hostnameCodes } from './codes.ts';

/** A certificate that a customer uploads. */
export interface UploadedCertificate {
  readonly installed: InstalledCertificate;
  readonly keyed: KeyedCertificate;
}

/**
 * Reads an uploaded certificate with its chain; undefined if the order contains no certificate. Refuses unreadable input (1426, 1428), a
 * key that does not match (1429), several leaf certificates (1444), an authority's certificate (1445), a certificate without the hostname
 * (1446), and a signature algorithm other than ECDSA or RSA with SHA-256, or RSA with SHA-1 (1447).
 */
export function readUpload(
  order: Partial<CertificateOrder> | undefined,
  hostname: string,
  now: number,
): UploadedCertificate | undefined {
  const pem = order?.customCertificate;
  if (pem === undefined) return undefined;
  const certificate = parseCertificate(pem);
  const key = parsePrivateKey(order?.customKey ?? '');
  if (!certificate.checkPrivateKey(key)) {
    throw refusal(400, hostnameCodes.keyMismatch, 'The private key does not belong to the certificate.');
  }
  if (
    parseCertificates(pem)
      .slice(1)
      .some(({ ca }) => !ca)
  ) {
    const message = 'The uploaded bundle has more than one leaf certificate.';
    throw refusal(400, hostnameCodes.severalLeaves, message);
  }
  if (certificate.ca) {
    throw refusal(400, hostnameCodes.leafMissing, 'The uploaded bundle has no leaf certificate.');
  }
  const hosts = (certificate.subjectAltName ?? '').split(', ').map((name) => name.replace(/^DNS:/, ''));
  if (!hosts.includes(hostname) && certificate.checkHost(hostname) === undefined) {
    throw refusal(400, hostnameCodes.hostnameNotCovered, 'The custom hostname is not in the certificate.');
  }
  const signature = acceptedSignatures[readSignatureIdentifier(certificate.raw) ?? ''];
  if (signature === undefined) {
    const message =
      'The signature algorithm of the uploaded certificate is not supported: it must be SHA-256/ECDSA, SHA-256/RSA or SHA-1/RSA.';
    throw refusal(400, hostnameCodes.signatureUnsupported, message);
  }
  return {
    installed: {
      issuer: /(?:^|\n)O=([^\n]*)/.exec(certificate.issuer)?.[1] ?? certificate.issuer.replaceAll('\n', ', '),
      serialNumber: BigInt(`0x${certificate.serialNumber}`).toString(),
      signature,
      hosts,
      uploadedAt: now,
      expiresAt: Date.parse(certificate.validTo),
    },
    keyed: { certificate: pem, privateKey: order?.customKey ?? '' },
  };
}

/** Parses the certificates of a PEM string, in order. Refuses an unreadable certificate (1426). */
export function parseCertificates(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return blocks.map(parseCertificate);
}

function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw refusal(400, hostnameCodes.certificateUnreadable, 'The uploaded certificate cannot be parsed.');
  }
}

function parsePrivateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw refusal(400, hostnameCodes.keyUnreadable, 'The uploaded private key cannot be parsed.');
  }
}

/**
 * Returns the signature algorithm of a certificate in DER (RFC 5280, 4.1.1.2) as its object identifier in hexadecimal. The algorithm
 * follows the signed part. Returns undefined if the bytes are not a certificate.
 */
function readSignatureIdentifier(der: Uint8Array): string | undefined {
  const signed = findContents(der, findContents(der, 0)?.start);
  const identifier = findContents(der, findContents(der, signed?.end)?.start);
  return identifier && Buffer.from(der.subarray(identifier.start, identifier.end)).toString('hex');
}

/** Returns where the contents of the element at an offset start and end (X.690, 8.1.3). */
function findContents(der: Uint8Array, at: number | undefined): { start: number; end: number } | undefined {
  const first = at === undefined ? undefined : der[at + 1];
  if (at === undefined || first === undefined) return undefined;
  const bytes = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + bytes;
  const length =
    bytes === 0 ? first : Number(`0x${Buffer.from(der.subarray(at + 2, start)).toString('hex')}`);
  return start + length <= der.length ? { start, end: start + length } : undefined;
}

/**
 * The signature algorithms that the platform accepts for uploaded certificates, with the names that the platform uses.
 */
const acceptedSignatures: Readonly<Record<string, string>> = {
  '2a8648ce3d040302': 'ECDSAWithSHA256',
  '2a864886f70d01010b': 'SHA256WithRSA',
  '2a864886f70d010105': 'SHA1WithRSA',
};
