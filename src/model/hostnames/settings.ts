import { badRequest, type Refusal } from './fault.ts';

/** TLS versions that a hostname can require as the minimum. */
export const minimumTlsVersions = ['1.0', '1.1', '1.2', '1.3'] as const;

/** Cipher suites that a hostname can be restricted to, as the platform spells them. */
const cipherSuites: ReadonlySet<string> = new Set([
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-SHA256',
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-RSA-AES128-SHA256',
  'ECDHE-RSA-AES128-SHA',
  'AES128-GCM-SHA256',
  'AES128-SHA256',
  'AES128-SHA',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-AES256-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-SHA384',
  'ECDHE-RSA-AES256-SHA',
  'AES256-GCM-SHA384',
  'AES256-SHA256',
  'AES256-SHA',
  'DES-CBC3-SHA',
]);

const switches: readonly (readonly [field: string, code: number])[] = [
  ['http2', 1422],
  ['tls_1_2_only', 1423],
  ['tls_1_3', 1424],
  ['early_hints', 1434],
];

/** Returns the reason why the platform refuses these TLS settings; undefined if it accepts them. */
export function settingsRefusal(settings: unknown): Refusal | undefined {
  if (settings === undefined || settings === null) return undefined;
  if (typeof settings !== 'object' || Array.isArray(settings))
    return badRequest(1434, 'The SSL attribute is invalid.');
  const fields = settings as Readonly<Record<string, unknown>>;
  for (const [field, code] of switches) {
    const value = fields[field];
    if (value !== undefined && value !== 'on' && value !== 'off') {
      return badRequest(code, `Invalid ${field} setting: use "on" or "off".`);
    }
  }
  const minimum = fields['min_tls_version'];
  if (minimum !== undefined && !minimumTlsVersions.some((version) => version === String(minimum))) {
    return badRequest(1425, 'Invalid min_tls_version setting: use "1.0", "1.1", "1.2" or "1.3".');
  }
  return ciphersRefusal(fields['ciphers'], minimum);
}

function ciphersRefusal(ciphers: unknown, minimum: unknown): Refusal | undefined {
  if (ciphers === undefined || ciphers === null) return undefined;
  if (!Array.isArray(ciphers) || !ciphers.every((cipher) => cipherSuites.has(String(cipher)))) {
    return badRequest(1442, 'Invalid ciphers setting: use a list of supported cipher suites.');
  }
  if (minimum !== '1.3' || ciphers.length === 0) return undefined;
  return badRequest(1443, 'Cipher suites cannot be chosen for a minimum TLS version of 1.3.');
}
