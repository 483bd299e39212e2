import {
  checkServerIdentity,
  type DetailedPeerCertificate,
  type PeerCertificate,
  type TLSSocket,
} from 'node:tls';
import type { SeenCertificate } from '../model/diagnosis/facts.ts';

/** The certificate that the other side of a TLS connection showed, or undefined when it showed none. */
export function seenCertificate(socket: TLSSocket, hostname: string): SeenCertificate | undefined {
  const certificate: PeerCertificate | DetailedPeerCertificate = socket.getPeerCertificate();
  if (certificate.raw === undefined) return undefined;
  const distrust = socket.authorized ? undefined : String(socket.authorizationError ?? 'not verified');
  return {
    subject: nameOf(certificate.subject),
    names: namesIn(certificate.subjectaltname ?? ''),
    issuer: nameOf(certificate.issuer),
    validFrom: Date.parse(certificate.valid_from),
    validTo: Date.parse(certificate.valid_to),
    serialNumber: certificate.serialNumber,
    covers: checkServerIdentity(hostname, certificate) === undefined,
    ...(distrust !== undefined && { distrust }),
  };
}

function nameOf(name: PeerCertificate['subject'] | undefined): string {
  const parts = [name?.CN, name?.O].flat().filter((part) => part !== undefined && part !== '');
  return parts.join(', ');
}

function namesIn(alternatives: string): readonly string[] {
  return alternatives
    .split(', ')
    .filter((entry) => entry.startsWith('DNS:'))
    .map((entry) => entry.slice('DNS:'.length));
}
