import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'dns-packet';
import { checkConfig } from '../../src/config/check.ts';
import { parseConfig } from '../../src/config/read.ts';
import { decodeReply } from '../../src/dns/message.ts';
import type { ConfigFormat } from '../../src/model/config.ts';
import { parsePutEntry } from '../../src/model/kv/bulk.ts';
import { parseLink } from '../../src/model/places/link.ts';
import { isProblem } from '../../src/model/problem.ts';
import { parseUndoEntry } from '../../src/model/undo/entry.ts';
import { parseDocument } from '../../src/s3/xml.ts';
import { answerMessage } from '../../src/sandbox/dns/message.ts';
import { parseZoneFile } from '../../src/sandbox/dns/records/zone-file.ts';
import { readMultipart } from '../../src/sandbox/http/multipart.ts';
import { parseShape, toShapeFault } from '../../src/sandbox/http/shape-faults.ts';
import { seedShape } from '../../src/sandbox/seed/shape.ts';
import { createMatcher as faultMatcherOf } from '../../src/sandbox/traffic/match.ts';
import { openPlanFiles } from '../../src/services/hostnames/fleet/plan-files.ts';
import { readWantedFile } from '../../src/services/hostnames/fleet/wanted.ts';
import { readEntries } from '../../src/services/kv/bulk/entries.ts';
import { openBulkInput } from '../../src/services/kv/bulk/input.ts';
import { readSeedFile } from '../../src/services/sandbox/seed.ts';
import { globMatcher } from '../../src/text/glob.ts';
import { jsonFault } from '../../src/text/json.ts';
import { createMatcher, readPattern } from '../../src/text/search/pattern.ts';
import { parseEnvelope } from '../../src/v4/parse-envelope.ts';
import { readForm } from '../../src/v4/read-form.ts';
import { scratchFolder, testWorld } from './world.ts';

/** A parser of text from outside edgectl, with difficult inputs. */
export interface ParserCase {
  readonly parser: string;
  readonly shape: string;
  /** The number of parts for which a run takes a few milliseconds. */
  readonly small: number;
  /** The maximum number of parts that the parser accepts (default: unlimited). */
  readonly max?: number;
  /** Builds a string with a number of parts, and returns a function that parses it. */
  prepare(parts: number): () => unknown;
}

type Shapes = Readonly<
  Record<string, readonly [small: number, text: (parts: number) => string, max?: number]>
>;

/** Returns the cases of one parser. A rejection is a valid result, because only the time counts. */
function cases(parser: string, parse: (text: string) => unknown, shapes: Shapes): ParserCase[] {
  return Object.entries(shapes).map(([shape, [small, textOf, max]]) => ({
    parser,
    shape,
    small,
    ...(max !== undefined && { max }),
    prepare(parts) {
      const text = textOf(parts);
      return () => parse(text);
    },
  }));
}

/** Returns the cases of a parser that reads a file. */
function fileCases(
  parser: string,
  name: string,
  parse: (path: string) => Promise<unknown>,
  shapes: Shapes,
): ParserCase[] {
  const path = join(folder(), name);
  return cases(parser, () => parse(path), shapes).map((one) => ({
    ...one,
    prepare(parts) {
      writeFileSync(path, shapes[one.shape]?.[1](parts) ?? '');
      return () => parse(path);
    },
  }));
}

let scratch: string | undefined;
function folder(): string {
  scratch ??= scratchFolder('parsers');
  return scratch;
}

async function tried(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isProblem(error) && !(error instanceof Error && error.name !== 'RangeError')) throw error;
  }
}

const many = (parts: number, part: string | ((index: number) => string), separator = '') =>
  typeof part === 'string'
    ? `${part}${separator}`.repeat(parts)
    : Array.from({ length: parts }, (_, index) => part(index)).join(separator);

const parseConfigText = (format: ConfigFormat) => (text: string) =>
  tried(async () => {
    const file = { path: '/p/edgectl.toml', format, fallback: false };
    checkConfig({ ...file, text, byteOrderMark: false, ...(await parseConfig(text, file)) });
  });

const configLimit = 1024 * 1024;
const upTo = (bytes: number) => Math.floor(configLimit / bytes);
/** Returns the maximum number of parts of this size in a zone file. */
const fileBytes = (bytes: number) => Math.floor((4 * 1024 * 1024) / bytes);

const seedFile = (path: string) =>
  tried(async () => {
    const { value } = await readSeedFile(testWorld(), path);
    const read = parseShape(seedShape, value);
    if (!read.success) for (const issue of read.issues.slice(0, 20)) toShapeFault(seedShape, issue);
  });

const bulkFile = (path: string) =>
  tried(async () => {
    const input = await openBulkInput(testWorld(), path);
    const rules = { now: 0, anyKey: false } as unknown as Parameters<typeof parsePutEntry>[2];
    const parse = (value: unknown, index: number) => parsePutEntry(value, index, rules);
    try {
      for await (const _ of readEntries(input, parse, () => undefined)) void _;
    } finally {
      await input.close();
    }
  });

const formType = 'multipart/form-data; boundary=b';
const createForm = (parts: number, part: (index: number) => string) =>
  `${many(parts, (index) => `--b\r\n${part(index)}\r\n`)}--b--\r\n`;
const field = (index: number) => `content-disposition: form-data; name="f${index}"\r\n\r\nvalue`;

const question = { name: 'a.example', type: 'A' } as const;
const reply = (answers: Parameters<typeof encode>[0]['answers']) =>
  encode({ type: 'response', id: 1, questions: [{ name: 'a.example', type: 'A' }], answers }).toString(
    'latin1',
  );

const undoLine = (more: object) =>
  JSON.stringify({
    version: 1,
    id: '00000000',
    at: 1,
    did: 'deleted',
    where: { kind: 'local', folder: '/x' },
    accountId: 'a',
    target: 'local',
    thing: { kind: 'dns-record', zoneId: 'z', recordId: 'r', type: 'A', name: 'n', content: 'c', ...more },
    size: 0,
    sha256: '0'.repeat(64),
    left: 'nothing',
  });

/** Every parser of text from outside edgectl, each with several kinds of text. */
export const parserCases: readonly ParserCase[] = [
  ...cases('TOML', parseConfigText('toml'), {
    'unknown tables': [500, (n) => many(n, (i) => `[t${i}]\n`), upTo(10)],
    'unknown fields': [500, (n) => many(n, (i) => `f${i} = 1\n`), upTo(12)],
    'nested tables': [50, (n) => `[${many(n, 'a.')}a]\n`, upTo(2)],
    'unknown environments': [500, (n) => many(n, (i) => `[env.e${i}]\nx = 1\n`), upTo(22)],
    bindings: [300, (n) => many(n, (i) => `[[kv_namespaces]]\nbinding = "B${i}"\nmore = 1\n`), upTo(50)],
    'bindings with one name': [300, (n) => many(n, '[[kv_namespaces]]\nbinding = "B"\nid = "x"\n'), upTo(45)],
    comments: [3000, (n) => many(n, '# a\n'), upTo(4)],
    'empty lines': [10_000, (n) => many(n, '\n'), upTo(1)],
    'a long text': [5000, (n) => `name = "${many(n, 'a\\u0041')}"\n`, upTo(8)],
    'an unterminated string': [5000, (n) => `name = "${many(n, 'a')}`, upTo(1)],
    'a long list': [3000, (n) => `x = [${many(n, '1, ')}]\n`, upTo(3)],
    'nested lists': [200, (n) => `x = ${many(n, '[')}${many(n, ']')}\n`, upTo(2)],
  }),
  ...cases('JSON with comments', parseConfigText('jsonc'), {
    'unknown fields': [500, (n) => `{${many(n, (i) => `"f${i}": 1`, ',')}}`, upTo(14)],
    'unknown environments': [500, (n) => `{"env": {${many(n, (i) => `"e${i}": {"x": 1}`, ',')}}}`, upTo(22)],
    bindings: [
      500,
      (n) => `{"kv_namespaces": [${many(n, (i) => `{"binding": "B${i}", "more": 1}`, ',')}]}`,
      upTo(38),
    ],
    comments: [3000, (n) => `{${many(n, '/* a */')}}`, upTo(7)],
    'nested lists': [200, (n) => `{"x": ${many(n, '[')}${many(n, ']')}}`, upTo(2)],
    'an unterminated string': [5000, (n) => `{"x": "${many(n, 'a')}`, upTo(1)],
    'text that is not JSON': [1000, (n) => `{"x": ${many(n, '} {')}}`, upTo(3)],
  }),
  ...fileCases('YAML', 'seed.yaml', seedFile, {
    'unknown fields': [300, (n) => many(n, (i) => `f${i}: 1\n`)],
    keys: [
      100,
      (n) => `namespaces:\n  - title: t\n    keys:\n${many(n, (i) => `      - { key: k${i}, value: v }\n`)}`,
    ],
    'keys over lines': [
      100,
      (n) =>
        `namespaces:\n  - title: t\n    keys:\n${many(n, (i) => `      - key: k${i}\n        value: v\n`)}`,
    ],
    'invalid hostnames': [
      100,
      (n) => `hostnames:\n${many(n, (i) => `  - { hostname: h${i}.demo, nothing: 1 }\n`)}`,
    ],
    'a long text': [1000, (n) => `namespaces:\n  - title: |\n${many(n, '      a\n')}`],
    'a quoted text': [1000, (n) => `a: "${many(n, 'a\\n')}"\n`],
    comments: [1000, (n) => `${many(n, '# a\n')}{}\n`],
    documents: [100, (n) => many(n, '---\na: 1\n')],
    anchors: [100, (n) => `a: &a 1\nb:\n${many(n, '  - *a\n')}`],
    'anchors that refer to anchors': [
      20,
      (n) => `a0: &a0 [1, 1]\n${many(n, (i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`)}`,
    ],
    'merged maps': [50, (n) => `a: &a { x: 1 }\n${many(n, (i) => `b${i}: { <<: *a }\n`)}`],
    'nested maps': [50, (n) => `a: ${many(n, '{a: ')}1${many(n, '}')}\n`],
    'nested lists': [50, (n) => `a: ${many(n, '[')}${many(n, ']')}\n`],
    'lists in lines': [50, (n) => `${many(n, '- ')}a\n`],
    'repeated keys': [300, (n) => many(n, (i) => `f${i >> 1}: 1\n`)],
    'an unterminated string': [1000, (n) => `a: "${many(n, 'a\n')}`],
    faults: [100, (n) => many(n, 'a: b: c\n')],
  }),
  ...fileCases('JSON (seeds, snapshots)', 'seed.json', seedFile, {
    'unknown fields': [3000, (n) => `{${many(n, (i) => `"f${i}": 1`, ',')}}`],
    keys: [
      3000,
      (n) =>
        `{"namespaces": [{"title": "t", "keys": [${many(n, (i) => `{"key": "k${i}", "value": "v"}`, ',')}]}]}`,
    ],
    'invalid hostnames': [
      500,
      (n) => `{"hostnames": [${many(n, (i) => `{"hostname": "h${i}.demo", "nothing": 1}`, ',')}]}`,
    ],
    'nested lists': [1000, (n) => `{"x": ${many(n, '[')}${many(n, ']')}}`],
    'no end': [5000, (n) => `{"x": [${many(n, '1, ')}`],
  }),
  ...cases('JSON errors', jsonFault, {
    'an error at the end': [5000, (n) => `[${many(n, '1, ')}`],
    faults: [1000, (n) => many(n, '} ')],
    'nested lists': [100, (n) => many(Math.min(n, 2000), '['), 2000],
  }),
  ...fileCases('NDJSON', 'bulk.ndjson', bulkFile, {
    entries: [3000, (n) => many(n, (i) => `{"key":"k${i}","value":"v"}\n`)],
    'wrong entries': [3000, (n) => many(n, '{"key":\n')],
    'empty lines': [50_000, (n) => `${many(n, '\n')}{"key":"k","value":"v"}\n`],
    'backslashes in an array': [20_000, (n) => `[{"key":"k","value":"${many(n, '\\\\')}"}]`],
    'backslashes and quotes': [20_000, (n) => `[{"key":"k","value":"${many(n, '\\"')}"}]`],
    'nested lists': [5000, (n) => `[${many(n, '[')}${many(n, ']')}]`],
    'no end': [20_000, (n) => `[{"key":"${many(n, 'k')}`],
    'metadata of large numbers': [
      500,
      (n) => `{"key":"k","value":"v","metadata":{"a":[${many(n, '12345678901234567890')}0]}}\n`,
    ],
  }),
  ...fileCases('CSV', 'hostnames.csv', (path) => tried(() => readWantedFile(testWorld(), path)), {
    hostnames: [1000, (n) => many(n, (i) => `h${i}.demo\n`)],
    'equal hostnames': [1000, (n) => many(n, 'h.demo\n')],
    columns: [500, (n) => `hostname,${many(n, (i) => `metadata.m${i}`, ',')}\nh.demo,${many(n, 'x', ',')}\n`],
    quotes: [5000, (n) => `"${many(n, '""')}"\n`],
    'an unterminated quote': [5000, (n) => `h.demo\n"${many(n, 'a\n')}`],
    'empty lines': [10_000, (n) => `${many(n, '\n')}h.demo\n`],
    blanks: [10_000, (n) => `${many(n, ' ')}h.demo\n`],
    'spaces in a cell': [5000, (n) => `h.demo${many(n, ' ')}x\n`],
    separators: [5000, (n) => many(n, ',')],
    labels: [3000, (n) => `${many(n, 'a.')}demo\n`],
    NDJSON: [1000, (n) => many(n, (i) => `{"hostname":"h${i}.demo"}\n`)],
  }),
  ...cases('zone file', (text) => tried(() => parseZoneFile('z.demo', text)), {
    records: [1000, (n) => many(n, (i) => `r${i} 300 IN A 192.0.2.1\n`), fileBytes(24)],
    'a group': [1000, (n) => `r IN TXT (\n${many(n, '"a"\n')})\n`, fileBytes(4)],
    'nested groups': [1000, (n) => `r IN TXT ${many(n, '(')}"a"${many(n, ')')}\n`, fileBytes(2)],
    'a long text': [3000, (n) => `r IN TXT "${many(n, 'ab')}"\n`, fileBytes(2)],
    escapes: [3000, (n) => `r IN TXT "${many(n, '\\065')}"\n`, fileBytes(4)],
    'an unterminated string': [3000, (n) => `r IN TXT "${many(n, 'a')}\n`, fileBytes(1)],
    texts: [1000, (n) => `r IN TXT ${many(n, '"a" ')}\n`, fileBytes(4)],
    blanks: [5000, (n) => `r${many(n, ' ')}IN A 192.0.2.1${many(n, ' ')}x\n`, fileBytes(2)],
    'a comment': [3000, (n) => `r IN A 192.0.2.1 ;${many(n, ' cf_tags=a')} b\n`, fileBytes(10)],
    'a long tag': [3000, (n) => `r IN A 192.0.2.1 ; cf_tags=${many(n, 'a,')} b\n`, fileBytes(2)],
    times: [1000, (n) => `r ${many(n, '1h')} IN A 192.0.2.1\n`, fileBytes(2)],
    'an invalid time': [1000, (n) => `r ${many(n, '1')}x IN A 192.0.2.1\n`, fileBytes(1)],
    classes: [1000, (n) => `r ${many(n, 'IN ')}A 192.0.2.1\n`, fileBytes(3)],
    'a long name': [1000, (n) => `${many(n, 'a.')} IN A 192.0.2.1\n`, fileBytes(2)],
    backslashes: [3000, (n) => `r IN TXT ${many(n, '\\')}\n`, fileBytes(1)],
  }),
  ...cases('DNS message', (text) => decodeReply(Buffer.from(text, 'latin1'), question, 1, 'x'), {
    records: [
      100,
      (n) => reply(Array.from({ length: n }, () => ({ type: 'A', name: 'a.example', data: '192.0.2.1' }))),
      2500,
    ],
    'a chain of aliases': [
      50,
      (n) =>
        reply(
          Array.from({ length: n }, (_, i) => ({
            type: 'CNAME',
            name: i === 0 ? 'a.example' : `c${i}.example`,
            data: `c${i + 1}.example`,
          })),
        ),
      1500,
    ],
    'a reversed chain': [
      50,
      (n) =>
        reply(
          Array.from({ length: n }, (_, i) => ({
            type: 'CNAME' as const,
            name: i === 0 ? 'a.example' : `c${i}.example`,
            data: `c${i + 1}.example`,
          })).reverse(),
        ),
      1500,
    ],
  }),
  ...cases(
    'DNS question',
    (text) =>
      answerMessage(
        () => ({ answer: () => ({ kind: 'nxdomain', aliases: [] }) }),
        Buffer.from(text, 'latin1'),
        'tcp',
      ),
    {
      pointers: [
        500,
        (n) =>
          `\0\x01\0\0${String.fromCharCode(n >> 8, n & 255)}\0\0\0\0\0\0${many(n, '\x01a\xc0\x0c\0\x01\0\x01')}`,
        8000,
      ],
      questions: [
        100,
        (n) =>
          `\0\x01\0\0${String.fromCharCode(n >> 8, n & 255)}\0\0\0\0\0\0${many(n, '\x01a\0\0\x01\0\x01')}`,
        8000,
      ],
    },
  ),
  ...cases('XML', (text) => parseDocument(text), {
    elements: [
      1000,
      (n) => `<Delete>${many(n, '<Object><Key>k</Key></Object>')}</Delete>`,
      2 * fileBytes(28),
    ],
    'nested elements': [1000, (n) => `${many(n, '<a>')}${many(n, '</a>')}`, 2 * fileBytes(7)],
    'unterminated elements': [1000, (n) => many(n, '<a '), 2 * fileBytes(3)],
    attributes: [500, (n) => `<a ${many(n, (i) => `a${i}="x" `)}/>`, 2 * fileBytes(12)],
    'a long text': [5000, (n) => `<a>${many(n, 'a&amp;')}</a>`, 2 * fileBytes(6)],
    comments: [1000, (n) => `<a>${many(n, '<!-- a -->')}</a>`, 2 * fileBytes(10)],
    'an unterminated comment': [3000, (n) => `<a><!--${many(n, ' -')}`, 2 * fileBytes(2)],
    'a long name': [3000, (n) => `<${many(n, 'a:')}a/>`, 2 * fileBytes(2)],
    'opened comments': [1000, (n) => `<a>${many(n, '<!--')}`, 2 * fileBytes(4)],
    CDATA: [1000, (n) => `<a>${many(n, '<![CDATA[')}`, 2 * fileBytes(9)],
  }),
  ...cases(
    'multipart',
    (text) => tried(() => readMultipart(formType, Buffer.from(text), 1e9, () => new Error('long') as never)),
    {
      parts: [20, (n) => createForm(n, field)],
      'a long part': [20_000, (n) => createForm(1, () => `${field(1)}${many(n, 'value')}`)],
      'beginnings of a boundary': [5000, (n) => createForm(1, () => `${field(1)}${many(n, '\r\n--')}`)],
      'a long header': [1000, (n) => createForm(1, () => `x: ${many(n, 'a')}\r\n${field(1)}`)],
      'a long beginning': [20_000, (n) => many(n, 'value')],
    },
  ),
  ...cases('multipart answer', (text) => tried(() => readForm(formType, Buffer.from(text), 1e9)), {
    parts: [100, (n) => createForm(n, field)],
    'a long part': [20_000, (n) => createForm(1, () => `${field(1)}${many(n, 'value')}`)],
  }),
  ...cases('plan', (text) => planIn(text), {
    steps: [500, (n) => planText(Array.from({ length: n }, (_, i) => [`h${i}.demo`, '0'.repeat(64)]))],
    'wrong steps': [500, (n) => planText(Array.from({ length: n }, () => [1]))],
  }),
  ...cases('undo journal', (text) => tried(() => parseUndoEntry(text)), {
    fields: [
      500,
      (n) => undoLine({ besides: Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}`, i])) }),
    ],
    'a long text': [5000, (n) => undoLine({ content: many(n, 'a') })],
  }),
  ...cases('envelope', (text) => parseEnvelope(Buffer.from(text)), {
    errors: [
      500,
      (n) => `{"success":false,"errors":[${many(n, '{"code":1,"message":"a"}', ',').slice(0, -1)}]}`,
    ],
    'nested errors': [
      100,
      (n) =>
        `{"success":false,"errors":[${many(n, '{"code":1,"message":"a","error_chain":[')}${many(n, ']}')}]}`,
      2000,
    ],
  }),
  ...cases('glob (pattern)', (text) => tried(() => globMatcher(text)(many(512, 'a'))), {
    stars: [100, (n) => many(n, '*a'), 2000],
    braces: [100, (n) => many(n, '{a,b}'), 800],
    'stars in braces': [50, (n) => many(n, '{*,*}'), 800],
    'open braces': [200, (n) => many(n, '{,'), 2000],
    'nested braces': [50, (n) => many(n, '{a,') + many(n, '}'), 1000],
    brackets: [100, (n) => many(n, '[a-'), 1300],
    'open brackets': [400, (n) => many(n, '['), 4000],
  }),
  ...cases('glob (name)', (text) => tried(() => globMatcher('*a*b{a,*}?*[!x]*b')(text)), {
    'a long name': [1000, (n) => many(n, 'a')],
  }),
  ...cases(
    'match of a fault (pattern)',
    (text) => tried(() => faultMatcherOf(`GET /${text}`)(requestTo(40))),
    {
      'stars over segments': [50, (n) => `${many(n, '**/')}c`],
      'stars and segments': [50, (n) => `${many(n, '**/a/')}c`],
    },
  ),
  ...cases(
    'match of a fault (path)',
    (text) => faultMatcherOf('GET /**/a/**/a/**/a/**/c')(requestTo(text.length)),
    {
      segments: [500, (n) => many(n, 'a')],
    },
  ),
  ...cases(
    'filter',
    (text) =>
      tried(() => {
        const m = createMatcher(readPattern(text));
        if ('lets' in m) {
          m.lets(many(200, 'a'));
          m.rangesIn(many(200, 'ab'));
        }
      }),
    {
      'a part': [2000, (n) => many(n, 'a'), 10_000],
      signs: [200, (n) => many(n, '!'), 5000],
      fuzzy: [20, (n) => `~${many(n, 'a')}`, 190],
      'an unterminated expression': [200, (n) => `/${many(n, '(')}/`, 990],
    },
  ),
  ...cases('link', (text) => tried(() => parseLink(text)), {
    'a key': [5000, (n) => `kv/a/${many(n, 'k/')}`],
    escapes: [5000, (n) => `kv/a/${many(n, '%41')}`],
    'a wrong escape': [5000, (n) => `kv/a/${many(n, '%41')}%`],
    sides: [5000, (n) => `diff/a/${many(n, '@')}`],
  }),
];

/** Returns a request whose path has this number of segments, and one more. */
function requestTo(segments: number) {
  return { method: 'GET', path: `/${many(segments, 'a/')}b`, headers: {}, repeatable: false } as const;
}

function planText(steps: readonly unknown[]): string {
  const hash = 'a'.repeat(64);
  return JSON.stringify({
    version: 1,
    hash,
    target: 'x',
    zoneId: 'z',
    fingerprint: 'f',
    prune: false,
    expires: 8e15,
    begun: false,
    steps,
  });
}

/** Finds and parses a saved plan with this text. */
async function planIn(text: string): Promise<void> {
  const world = testWorld({
    folders: { cache: folder(), config: folder(), data: folder(), state: folder() } as never,
  });
  const { mkdirSync } = await import('node:fs');
  mkdirSync(join(folder(), 'plans'), { recursive: true });
  writeFileSync(join(folder(), 'plans', `${'a'.repeat(64)}.json`), text);
  await tried(() => openPlanFiles(world).find('a'.repeat(64)));
}
