/**
 * The signature algorithm of a certificate in DER (RFC 5280, 4.1.1.2) as its object identifier in hexadecimal: it stands behind
 * what is signed. Undefined where the bytes are no certificate.
 */
export function signatureIdentifier(der: Uint8Array): string | undefined {
  const signed = contentsAt(der, contentsAt(der, 0)?.start);
  const identifier = contentsAt(der, contentsAt(der, signed?.end)?.start);
  return identifier && Buffer.from(der.subarray(identifier.start, identifier.end)).toString('hex');
}

/** Where the contents of the element at a place begin and end (X.690, 8.1.3). */
function contentsAt(der: Uint8Array, at: number | undefined): { start: number; end: number } | undefined {
  const first = at === undefined ? undefined : der[at + 1];
  if (at === undefined || first === undefined) return undefined;
  const bytes = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + bytes;
  const length =
    bytes === 0 ? first : Number(`0x${Buffer.from(der.subarray(at + 2, start)).toString('hex')}`);
  return start + length <= der.length ? { start, end: start + length } : undefined;
}

/** The algorithms of uploaded certificates that the platform takes, as it writes them. */
export const acceptedSignatures: Readonly<Record<string, string>> = {
  '2a8648ce3d040302': 'ECDSAWithSHA256',
  '2a864886f70d01010b': 'SHA256WithRSA',
  '2a864886f70d010105': 'SHA1WithRSA',
};
