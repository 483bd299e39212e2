import type { CertificateAuthority } from './hostname.ts';

/** Labels of a name that Let's Encrypt certifies at most. */
const mostLabels = 10;

/** Why an authority never certifies one of these names, in one sentence; undefined where it does. */
export function authorityLimit(
  authority: CertificateAuthority | string | undefined,
  names: readonly string[],
): string | undefined {
  if (authority === 'google' && names.some((name) => /(?:^|\.)xn--/.test(name)))
    return 'Google does not certify international names.';
  if (authority === 'lets_encrypt' && names.some((name) => name.split('.').length > mostLabels))
    return `Let's Encrypt certifies names of at most ${mostLabels} labels.`;
  return undefined;
}
