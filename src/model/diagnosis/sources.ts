/**
 * The documents on which the rules are based, with the ids of their rules. Pages of the provider's documentation are referred to by title.
 */
const sources: readonly (readonly [source: string, ids: string])[] = [
  ['Custom hostnames: validation status', 'A0 A1 A2 A3 A4 A5 A6 A10 C15'],
  ['Custom hostnames: validation backoff schedule', 'A7 D1 D2 D7'],
  ['Zone holds', 'A8'],
  ['Custom hostnames: validation status (blocked)', 'A9'],
  ['Custom hostnames: fallback origin', 'B1 B2 B3 B4'],
  ['Custom hostnames: custom origin server', 'B5'],
  ['Certificate and hostname priority', 'B6 G3'],
  ['Custom hostnames: quotas; issuance limit', 'B7 B8'],
  ['Zone status', 'B9'],
  ['Custom hostnames: real-time validation; RFC 1034, 3.6.2', 'C1 C2 C3 C4 C5 C6 C7 C8 C10 C17 C24'],
  ['Custom hostnames: error codes', 'C9'],
  ['Custom hostnames: apex proxying', 'C11'],
  ['HTTP validation; RFC 8555, 8.3', 'C12 F4 F5 F31 F32 F33 F34 F35 F36'],
  ['RFC 1034, 4.2', 'C13 C14'],
  ['Error 1014', 'C16'],
  ['RFC 4035, 5; RFC 8914, 4.7', 'C18'],
  ['Error 1000', 'C19'],
  ['Error 1034', 'C20'],
  ['Error 1001', 'C21'],
  ['Error 1023', 'C22'],
  ['Orange to orange', 'C23'],
  ['Custom hostnames: pre-validation', 'D3 D4 D5 D6 D8'],
  ['CAA: RFC 8659, 3 to 4.5', 'E0 E1 E2 E3 E4 E5 E6 E8 E10 E12'],
  ['CAA parameters: RFC 8657', 'E7'],
  ['CAA lookups that fail: RFC 8659, 6', 'E9'],
  ['Certificate authorities', 'E11 F16 F17 F18 F21'],
  ['Custom hostnames: certificate statuses', 'F1 F2 F3 F15 F22 F23 F24 F25 F26 F27'],
  ['TXT validation; RFC 8555, 8.4', 'F6 F7 F8 F9 F10 F14 F29 F30'],
  ['Delegated DCV', 'F11 F12 F13 F39'],
  ['Domain control validation: troubleshooting', 'F19'],
  ['RFC 5280, appendix A.1', 'F20'],
  ["Let's Encrypt: change of the certificate chain", 'F28'],
  ['Error 1016', 'G1 G2'],
  ['Custom hostnames: readiness for production', 'G4 G5 G6 G17'],
  ['Errors 520 to 526', 'G7 G8 G9 G10 G11 G12'],
  ['Encryption modes: flexible', 'G13'],
  ['Redirect loops (ERR_TOO_MANY_REDIRECTS)', 'G15 G16'],
  ['Workers: routes', 'G14'],
];

const byId: ReadonlyMap<string, string> = new Map(
  sources.flatMap(([source, ids]) => ids.split(' ').map((id) => [id, source] as const)),
);

/** Returns the document on which a rule is based; undefined for an unknown rule. */
export function findSource(id: string): string | undefined {
  return byId.get(id);
}
