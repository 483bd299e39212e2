import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { CertificateOrder } from '../../model/hostnames/request.ts';
import { type Platform, refusal } from '../http/exchange.ts';
import { hostnameCodes } from './codes.ts';
import { certificatesIn } from './upload.ts';

let publicRoots: readonly X509Certificate[] | undefined;

/**
 * Refuses an uploaded certificate that does not lead to an authority that everybody trusts (1441): those of Mozilla's list, and the
 * sandbox's own. With the bundle method `force` the chain is taken as it came. Intermediate ones are not completed, as the
 * platform does where it knows them.
 */
export async function refuseUnbundled(
  platform: Platform,
  order: Partial<CertificateOrder> | undefined,
): Promise<void> {
  const pem = order?.customCertificate;
  if (pem === undefined || order?.bundleMethod === 'force') return;
  const { trustedRoots } = await import('./certificates.ts');
  publicRoots ??= rootCertificates.map((root) => new X509Certificate(root));
  const own = certificatesIn(trustedRoots(platform.registry().settings));
  if (isTrusted(certificatesIn(pem), [...own, ...publicRoots])) return;
  const message =
    'The certificate that you uploaded is having trouble bundling against the public trust store.';
  throw refusal(400, hostnameCodes.unbundled, message);
}

function isTrusted(
  [leaf, ...others]: readonly X509Certificate[],
  roots: readonly X509Certificate[],
): boolean {
  let last = leaf;
  for (let steps = 0; last !== undefined && steps <= others.length; steps += 1) {
    const current: X509Certificate = last;
    if (roots.some((root) => root.fingerprint256 === current.fingerprint256 || isSignedBy(current, root)))
      return true;
    last = others.find((other) => other !== current && isSignedBy(current, other));
  }
  return false;
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
