import { dayMilliseconds } from '../../model/hostnames/hostname.ts';
import type { KeyedCertificate } from '../../store/hostnames/hostnames.ts';
import { keyedOf, makeAuthority, pemOf, signFor } from '../hostnames/signing.ts';

/** Shown by a proxy for a host that it stands for. */
export interface ProxyCertificate {
  /** The certificate of its authority, in PEM: what clients have to trust. */
  readonly authority: string;
  readonly keyed: KeyedCertificate;
}

/** Not longer than clients take a certificate of a server to be good for. */
const days = 397;

/**
 * Makes a certificate for one host, by an authority of its own. The authority's key is dropped here, so that nobody ever has
 * another certificate of it: whoever trusts it trusts it for this host and this process.
 */
export async function makeProxyCertificate(
  host: string,
  { now, random }: { now(): number; random(bytes: number): Uint8Array },
): Promise<ProxyCertificate> {
  const validity = { from: now() - dayMilliseconds, until: now() + days * dayMilliseconds };
  const authority = await makeAuthority(random, 'proxy', validity);
  const signed = await signFor(authority, random, { commonName: host, names: [host], validity });
  return { authority: pemOf(authority.certificate), keyed: await keyedOf(signed, authority.certificate) };
}
