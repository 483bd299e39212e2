import type { DecodedPacket } from 'dns-packet';

/** The option of RFC 8914. */
const extendedErrorOption = 15;

const meanings: Readonly<Record<number, string>> = {
  1: 'unsupported DNSKEY algorithm',
  2: 'unsupported DS digest type',
  3: 'stale answer',
  5: 'DNSSEC indeterminate',
  6: 'DNSSEC bogus',
  7: 'DNSSEC signature expired',
  8: 'DNSSEC signature not yet valid',
  9: 'DNSKEY missing',
  10: 'RRSIGs missing',
  12: 'NSEC missing',
  15: 'blocked',
  16: 'censored',
  17: 'filtered',
  18: 'prohibited',
  20: 'not authoritative',
  22: 'no reachable authority',
  23: 'network error',
};

/** The server's own reasons for its failure, in words; empty when it gives none (RFC 8914). */
export function extendedErrors(packet: DecodedPacket): readonly string[] {
  return (packet.additionals ?? []).flatMap((record) => {
    if (record.type !== 'OPT') return [];
    return record.options.flatMap((option) => {
      const { data } = option;
      const is = Number(option.code) === extendedErrorOption && data !== undefined && data.length >= 2;
      return is ? [inWords(data.readUInt16BE(0), data.subarray(2, 202).toString('utf8'))] : [];
    });
  });
}

function inWords(code: number, text: string): string {
  const meaning = meanings[code] ?? `extended error ${code}`;
  return text === '' ? meaning : `${meaning}: ${text}`;
}
