import fc from 'fast-check';
import { expect } from 'vitest';
import { remedyTextsFor } from '../../src/cli/output/remedy-texts.ts';
import { listCapabilities } from '../../src/model/capability.ts';
import { isProblem, Problem } from '../../src/model/problem.ts';
import { readFallbackOrigin } from '../../src/services/hostnames/fallback-origin.ts';
import {
  listHostnames,
  readDelegationId,
  readHostname,
  readQuota,
} from '../../src/services/hostnames/hostnames.ts';
import { readItemValues } from '../../src/services/kv/bulk/values.ts';
import { listKeys, readEntry, readValue, removeKey } from '../../src/services/kv/kv.ts';
import { createNamespace, listNamespaces, readNamespace } from '../../src/services/kv/namespaces.ts';
import { listBuckets, readBucket } from '../../src/services/objects/buckets.ts';
import { listObjects, readObject, readObjectEntry } from '../../src/services/objects/objects.ts';
import { readSandboxClock } from '../../src/services/sandbox/clock.ts';
import { listSandboxDns } from '../../src/services/sandbox/dns.ts';
import { describeIdentity } from '../../src/services/session/account.ts';
import { plainChoice, type Session } from '../../src/services/session/session.ts';
import { listDeployments } from '../../src/services/workers/deployments.ts';
import { readWorker } from '../../src/services/workers/running.ts';
import { listSecrets } from '../../src/services/workers/secrets.ts';
import { listWorkers, workerUrl } from '../../src/services/workers/workers.ts';
import { readHold } from '../../src/services/zones/hold.ts';
import { listZoneRecords, listZones, readZone } from '../../src/services/zones/zones.ts';
import { hostnameCells, hostnameLines } from '../../src/text/hostname.ts';
import { problemLines } from '../../src/text/problem.ts';
import { cursorPages, numberedPages } from '../../src/v4/pages.ts';
import type { Answer, Send } from '../../src/v4/send.ts';
import { testWorld } from '../support/world.ts';
import { anyBytes, anyText, chunkSizes, chunksOf, fuzz, mutated, prototypeNames } from './fuzz.ts';

const field = fc.constantFrom(
  ...[
    'id',
    'name',
    'title',
    'hostname',
    'ssl',
    'status',
    'expiration',
    'metadata',
    'key',
    'etag',
    'size',
    'buckets',
  ],
  ...[
    'keys',
    'values',
    'value',
    'result',
    'created_on',
    'created_at',
    'last_modified',
    'http_metadata',
    'allowed',
    'used',
  ],
  ...[
    'custom_metadata',
    'validation_records',
    'validation_errors',
    'verification_errors',
    'ownership_verification',
  ],
  ...[
    'settings',
    'hosts',
    'method',
    'type',
    'origin',
    'hold',
    'hold_after',
    'include_subdomains',
    'uuid',
    'now',
    'email',
  ],
  ...[
    'deployments',
    'versions',
    'version_id',
    'percentage',
    'bindings',
    'content',
    'contents',
    'errors',
    'subdomain',
  ],
  ...[
    'uploaded',
    'storage_class',
    'creation_date',
    'modified_on',
    'txt_name',
    'txt_value',
    'proxied',
    'account',
    'ttl',
  ],
  ...prototypeNames,
);
const leaf = fc.oneof(
  anyText,
  fc.constantFrom(
    'active',
    'moved',
    'pending',
    '2026-11-21T10:00:00Z',
    'TXT',
    'http',
    '0'.repeat(32),
    'k',
    null,
    true,
    false,
  ),
  fc.constantFrom(0, 1, -1, 1e9, 1e21, 0.5, -0, 1e308),
);
const result = fc.letrec<{ node: unknown; table: Record<string, unknown>; list: unknown }>((tie) => ({
  node: fc.oneof({ maxDepth: 4, depthIdentifier: 'answer' }, leaf, tie('list'), tie('table')),
  list: fc.array(tie('node'), { maxLength: 3 }),
  table: fc.dictionary(field, tie('node'), { maxKeys: 6 }),
}));

/** Results that are valid, or nearly valid. */
const plausible = fc.oneof(
  fc.array(
    fc.record(
      {
        id: leaf,
        name: leaf,
        title: leaf,
        hostname: leaf,
        key: leaf,
        etag: leaf,
        size: leaf,
        status: leaf,
        ssl: result.table,
        type: leaf,
        contents: result.list,
      },
      { requiredKeys: ['id', 'name', 'title', 'hostname'] },
    ),
    { maxLength: 3 },
  ),
  fc.record(
    {
      id: fc.string(),
      hostname: fc.string(),
      status: leaf,
      ssl: result.table,
      verification_errors: result.list,
      ownership_verification: result.table,
      created_at: leaf,
      custom_metadata: result.table,
    },
    { requiredKeys: ['id', 'hostname'] },
  ),
  fc.record(
    {
      buckets: result.list,
      values: result.table,
      deployments: result.list,
      now: leaf,
      allowed: leaf,
      used: leaf,
      hold: leaf,
      origin: leaf,
      uuid: leaf,
      subdomain: leaf,
    },
    { requiredKeys: [] },
  ),
);
const error = fc.record({ code: leaf, message: leaf, error_chain: result.list }, { requiredKeys: [] });
const info = fc.record(
  {
    page: leaf,
    total_pages: leaf,
    total_count: leaf,
    per_page: leaf,
    count: leaf,
    cursor: leaf,
    delimited: result.list,
  },
  { requiredKeys: [] },
);
const envelope = fc.record(
  {
    success: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.boolean(), leaf),
    result: fc.oneof(plausible, plausible, result.node),
    errors: fc.oneof(fc.constant([]), fc.array(error, { maxLength: 3 }), leaf),
    messages: fc.constant([]),
    result_info: fc.oneof(info, leaf),
  },
  { requiredKeys: ['success'] },
);
const deepChain = fc
  .nat(5000)
  .map((depth) =>
    Buffer.from(
      '{"success":false,"errors":[{"code":1,"message":"m","error_chain":['.concat(
        '{"error_chain":['.repeat(depth),
        ']}'.repeat(depth),
        ']}]}',
      ),
    ),
  );
const envelopeBytes = envelope.map((one) => Buffer.from(JSON.stringify(one)));
const body = fc.oneof(
  { weight: 8, arbitrary: envelopeBytes },
  { weight: 3, arbitrary: mutated(envelopeBytes) },
  { weight: 1, arbitrary: anyBytes },
  { weight: 1, arbitrary: deepChain },
);
const header = anyText.map((text) => text.replace(/[^\t\x20-\x7e]/g, ''));
const answer = fc.record({
  status: fc.oneof(
    { weight: 5, arbitrary: fc.constant(200) },
    fc.constantFrom(201, 204, 206, 301, 304, 400, 401, 403, 404, 409, 412, 413, 429, 500, 503),
  ),
  headers: fc.record(
    {
      'retry-after': header,
      'cf-ray': header,
      location: header,
      expiration: header,
      etag: header,
      'last-modified': header,
      expires: header,
      'content-length': header,
      'content-range': header,
      'content-type': header,
      'cf-r2-custom-metadata': fc.oneof(header, fc.json()),
    },
    { requiredKeys: [] },
  ),
  body,
  sizes: fc.option(chunkSizes),
});
type Given = typeof answer extends fc.Arbitrary<infer Value> ? Value : never;

async function* streamed(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  yield* chunksOf(
    bytes,
    sizes.map((size) => size * 20),
  );
}

function createAnswer({ status, headers, body: bytes, sizes }: Given): Answer {
  const given = Object.fromEntries(Object.entries(headers).filter(([, text]) => text !== undefined));
  return {
    status,
    headers: given as Record<string, string>,
    body: sizes === null ? bytes : streamed(bytes, sizes),
  };
}

const world = testWorld({ now: () => Date.UTC(2026, 10, 21) });

function sessionOver(send: Send): Session {
  return {
    world,
    choice: plainChoice,
    send,
    target: 'production',
    where: { kind: 'remote', profile: 'p', baseUrl: 'http://127.0.0.1/client/v4' },
    can: listCapabilities({ kind: 'remote' }),
    credential: 'token',
    label: 'profile p',
    readOnly: false,
    accountId: async () => 'a',
    accountLabel: async () => 'a',
    zoneId: async () => 'z',
    project: async () => undefined,
    brand: 'cloudflare',
    bulkBytes: 1 << 20,
    s3Access: async () => {
      throw new Error('Nothing answers S3 here.');
    },
    retries: () => 0,
    note: () => undefined,
    close: async () => undefined,
  };
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pages) found.push(page);
  return found;
}

const at = { bucket: 'b', key: 'k' };
/** Calls of services that check and read answers in different ways. */
const asked: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  namespaces: (session) => all(listNamespaces(session)),
  namespace: (session) => readNamespace(session, 'n'),
  'a new namespace': (session) => createNamespace(session, 'title'),
  keys: (session) => all(listKeys(session, 'n')),
  key: (session) => readEntry(session, 'n', 'k'),
  value: async (session) => all(await streamedBody((await readValue(session, 'n', 'k'))?.body)),
  'removed key': (session) => removeKey(session, 'n', 'k'),
  values: (session) =>
    all(
      readItemValues(
        { session, namespaceId: 'n', withMetadata: true },
        pagesOf(['k', '__proto__']),
        (one) => one,
      ),
    ),
  buckets: (session) => all(listBuckets(session)),
  bucket: (session) => readBucket(session, 'b'),
  objects: (session) => all(listObjects(session, 'b')),
  'object entry': (session) => readObjectEntry(session, at),
  object: async (session) => all(await streamedBody((await readObject(session, at))?.body)),
  workers: (session) => listWorkers(session),
  worker: (session) => readWorker(session, 'w'),
  deployments: (session) => listDeployments(session, 'w'),
  'worker url': (session) => workerUrl(session, 'w'),
  secrets: (session) => listSecrets(session, 'w'),
  hostnames: async (session) =>
    (await all(listHostnames(session, 'z')))
      .flat()
      .map((one) => [hostnameLines(one), hostnameCells(one, 0, undefined)]),
  hostname: async (session) => hostnameLines(await readHostname(session, 'z', 'i')),
  quota: (session) => readQuota(session, 'z'),
  delegation: (session) => readDelegationId(session, 'z'),
  'fallback origin': (session) => readFallbackOrigin(session, 'z'),
  hold: (session) => readHold(session, 'z'),
  zones: (session) => all(listZones(session, {})),
  zone: (session) => readZone(session, 'z'),
  'zone records': (session) => listZoneRecords(session, 'z', { name: 'a.example.com' }),
  identity: (session) => describeIdentity(session),
  'sandbox dns': (session) => listSandboxDns(session.send),
  'sandbox clock': (session) => readSandboxClock(session.send),
};

async function* pagesOf(names: readonly string[]): AsyncGenerator<readonly string[]> {
  yield names;
}

async function streamedBody(content: Answer['body'] | undefined): Promise<AsyncIterable<unknown>> {
  return content === undefined || content instanceof Uint8Array ? pagesOf([]) : content;
}

fuzz(
  'any answer is a result, or a problem that names the error',
  [fc.constantFrom(...Object.keys(asked)), fc.array(answer, { minLength: 1, maxLength: 2 })],
  async (what, answers) => {
    let sent = 0;
    const send: Send = async () => {
      sent += 1;
      // The next property covers a platform whose listing never ends.
      if (sent > 20) throw new Problem('unreachable', 'gone');
      const given = answers[(sent - 1) % answers.length];
      if (given === undefined) throw new Error('no answer');
      return createAnswer(given);
    };
    try {
      await asked[what]?.(sessionOver(send));
    } catch (thrown) {
      if (!isProblem(thrown)) throw thrown;
      expect(thrown.code).not.toBe('bug');
      expect(thrown.message).toMatch(/./);
      expect(problemLines(thrown, remedyTextsFor([])).join('\n')).not.toMatch(/[^\P{C}\n]/u);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
);

/** A page of a list. The values come from a small set, so that pages repeat, as from a faulty server or a server that ignores `page`. */
const page = fc.record({
  items: fc.array(fc.nat(3), { maxLength: 3 }),
  info: fc.record(
    {
      cursor: fc.constantFrom('', 'a', 'b', 'c', null),
      total_pages: fc.constantFrom(0, 1, 3, 1e9, -1, 0.5, 'x'),
      total_count: fc.constantFrom(0, 2, 7, 1e9, -1),
      per_page: fc.constantFrom(1, 2, 3, 100),
      page: fc.nat(3),
      count: fc.nat(3),
    },
    { requiredKeys: [] },
  ),
});

fuzz(
  'reading a list ends, regardless of its pages',
  [fc.array(page, { minLength: 1, maxLength: 5 }), fc.boolean()],
  async (pages, numbered) => {
    let sent = 0;
    const send: Send = async () => {
      const { items, info: facts } = pages[sent % pages.length] ?? { items: [], info: {} };
      sent += 1;
      if (sent > 60) throw new Error('it does not end');
      const json = { success: true, errors: [], messages: [], result: items, result_info: facts };
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(json)) };
    };
    const call = { method: 'GET', path: '/x', headers: {}, repeatable: true } as const;
    const check = (items: unknown) => items as number[];
    const list = numbered
      ? numberedPages(send, () => call, check)
      : cursorPages(
          send,
          () => call,
          check,
          (items) => items,
        );
    try {
      await all(list);
    } catch (thrown) {
      if (!isProblem(thrown)) throw thrown;
      expect(thrown.code).toBe('refused');
    }
  },
);
