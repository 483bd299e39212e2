import { decode, encode } from 'dns-packet';
import fc from 'fast-check';
import { expect } from 'vitest';
import { textBytes } from '../../src/model/dns/strings.ts';
import { Problem } from '../../src/model/problem.ts';
import { answerMessage } from '../../src/sandbox/dns/message.ts';
import { layouts } from '../../src/sandbox/dns/records/presentation.ts';
import { typeNumbers } from '../../src/sandbox/dns/records/rdata.ts';
import { formatZoneFile, parseZoneFile } from '../../src/sandbox/dns/records/zone-file.ts';
import { openDnsZones } from '../../src/sandbox/dns/zones.ts';
import { canBeProxied, readDraft } from '../../src/sandbox/zones/draft.ts';
import type { StoredRecord } from '../../src/store/zones/dns-records.ts';
import { anyText, fuzz, tenth } from './fuzz.ts';

/** Number of cases that run regardless of the share: several records of each type. */
const first = 100;

const zone = { name: 'saas.sandbox' };
const types = [
  'A',
  'AAAA',
  'CNAME',
  'NS',
  'TXT',
  'SOA',
  'LOC',
  ...Object.keys(layouts),
  'MX',
  'PTR',
  'OPENPGPKEY',
];

const quotes = fc
  .array(
    fc.constantFrom('"', '\\', ';', '(', ')', '$', '@', ' ', '\n', '\0', '\\009', '\\255', 'ü', '.', 'a'),
  )
  .map((units) => units.join(''));
const long = fc.tuple(fc.constantFrom('x', 'ü', '"', '\n'), fc.constantFrom(255, 256, 700, 700, 700, 70_000));
const odd = fc.oneof(
  anyText,
  quotes,
  quotes.map((text) => `"${text}"`),
  quotes.map((text) => `alpn="${text}" key65000=${text}`),
  long.map(([unit, count]) => unit.repeat(count)),
);
const label = fc.stringMatching(/^[!-~]{1,8}$/);
const host = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'));
const number = fc.oneof(
  fc.nat(300),
  fc.double({ min: -1e6, max: 1e8, noNaN: true }),
  fc.constantFrom(59.9996, 1e21, 65_535, 65_536, 90, 180),
);
const part = fc.oneof(odd, host, number, fc.constantFrom('0a0b', 'QUJD', 'issue', 'N', 'E', '.', null));
const place = ['lat', 'long'].flatMap((way) =>
  ['degrees', 'minutes', 'seconds', 'direction'].map((one) => `${way}_${one}`),
);
const fields = ['altitude', 'size', 'precision_horz', 'precision_vert', ...place];
const small = fc.integer({ min: 0, max: 59 });
const located = fc
  .tuple(
    fc.record({
      lat_degrees: small,
      long_degrees: small,
      lat_seconds: number,
      altitude: number,
      size: number,
    }),
  )
  .map(([parts]) => ({ ...parts, lat_direction: 'N', long_direction: 'E' }));
/** Parts that are often valid, so that the API accepts most records. */
const data = fc.constantFrom(...types).chain((type) => {
  const layout = layouts[type] ?? fields.map((field) => [field, 'u8'] as const);
  const right: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    u8: fc.nat(255),
    u16: fc.nat(65_535),
    name: host,
    hex: fc.constant('0a0B'),
    base64: fc.constant('QUJD='),
    tag: fc.constant('issue'),
  };
  const parts = layout.map(([field, kind]) => [
    field,
    fc.oneof({ weight: 6, arbitrary: right[kind] ?? odd }, { weight: 1, arbitrary: part }),
  ]);
  const own = fc.record(Object.fromEntries(parts));
  return fc.record({ type: fc.constant(type), data: type === 'LOC' ? fc.oneof(located, own) : own });
});
const content = fc.record({
  type: fc.constantFrom(...types),
  content: fc.oneof(
    odd,
    host,
    fc.ipV4(),
    fc.ipV6(),
    quotes.map((text) => `0 issue "${text}"`),
  ),
});
const more = fc.record(
  {
    name: host,
    ttl: fc.constantFrom(1, 60, 86_400),
    proxied: fc.constant(true),
    priority: fc.nat(65_535),
    comment: odd.map((text) => text.slice(0, 500)),
    tags: fc.array(fc.oneof(odd, fc.constantFrom('team:dns', 'cf-proxied:true'))),
  },
  { requiredKeys: ['name', 'ttl', 'priority'] },
);
const body = fc.tuple(fc.oneof(data, content), more).map(([one, other]) => {
  const { proxied, ...rest } = other;
  return { ...rest, ...one, ...(proxied === true && canBeProxied(one.type) && { proxied }) };
});

/** Returns a body as the registry stores it: parsed from JSON, with well-formed strings. */
function saved(given: unknown): unknown {
  return JSON.parse(JSON.stringify(given), (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}

/** Returns the record that the API creates from a body; undefined if the API rejects the body. */
function taken(given: unknown): StoredRecord | undefined {
  try {
    const draft = readDraft(zone, saved(given));
    return { ...draft, id: 'x', zoneId: 'z', createdAt: 0, modifiedAt: 0 };
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({ code: 'refused', status: 400, platformCode: 9005 });
    return undefined;
  }
}

/** Returns the content of a record; differently quoted strings are equal. */
function said({ type, name, content: text, ttl, proxied, more: others }: StoredRecord) {
  const { comment, tags = [], priority, data: parts } = others;
  const plain = type === 'TXT' ? textBytes(text).toString('hex') : text;
  return { type, name, content: plain, ttl, proxied, comment: comment ?? '', tags, priority, parts };
}

fuzz(
  'exports and imports a record that the API accepts unchanged, of any type and with any data',
  [body],
  (given) => {
    const record = taken(given);
    if (record === undefined || (record.type === 'NS' && record.name === zone.name)) return;
    const file = formatZoneFile(zone.name, [record], 0);
    const [read, ...others] = parseZoneFile(zone.name, file);
    expect(others).toEqual([]);
    const again = taken({ ...read, proxied: read?.proxied === true });
    expect(again && said(again)).toEqual(said(record));
  },
  tenth,
  first,
);

fuzz(
  'DNS answers a record that the API accepts, of any type and with any data',
  [body],
  (given) => {
    const record = taken({ ...given, name: 'here' });
    if (record === undefined) return;
    const zones = openDnsZones({ zones: [], records: [record], entries: [] }, () => undefined);
    const asked =
      typeNumbers[record.type] === undefined ? record.type : `UNKNOWN_${typeNumbers[record.type]}`;
    // The encoder accepts every record type as a number in this form; its TypeScript types declare only some names.
    const questions = [{ name: record.name, type: (record.proxied ? 'A' : asked) as 'NULL' }];
    const answer = answerMessage(() => zones, encode({ type: 'query', id: 7, questions }), 'tcp');
    const { flags = 0, answers, authorities } = decode(answer ?? Buffer.alloc(0));
    const found = record.type === 'NS' ? authorities : answers;
    expect([flags & 0x0f, found?.length]).toEqual([0, 1]);
  },
  tenth,
  first,
);
