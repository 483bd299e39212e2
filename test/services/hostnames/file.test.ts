import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { issuanceWait } from '../../../src/model/hostnames/issuance.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

function write(name: string, content: string | Buffer): string {
  writeFileSync(join(stage.cwd, name), content);
  return name;
}

function csv(count: number): string {
  return ['hostname', ...Array.from({ length: count }, (_, at) => `shop${at}.acme.com`)].join('\n');
}

function results(out: string) {
  return out
    .trim()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as { readonly line: number; readonly hostname: string; readonly result: string },
    );
}

async function hostnames(): Promise<string[]> {
  const ran = await stage.edgectl('hostname', 'list', '--json');
  return (JSON.parse(ran.out) as { hostname: string }[]).map(({ hostname }) => hostname);
}

describe('create --file', () => {
  test('creates sixty hostnames without a refusal, and never more per minute than the limit', async () => {
    const begun = stage.clock.now;
    const ran = await stage.edgectl('hostname', 'create', '--file', write('all.csv', csv(60)), '--json');
    expect(ran.code).toBe(0);
    expect(ran.err).not.toContain('warning');
    expect(results(ran.out).map(({ result }) => result)).toEqual(Array(60).fill('created'));
    const all = await stage.zone<{ created_at: string }[]>('GET', '/custom_hostnames?per_page=50&page=1');
    const times = all.map((record) => Date.parse(record.created_at)).sort((a, b) => a - b);
    for (const [at, time] of times.entries()) {
      const within = times.slice(at).filter((other) => other - time < 60_000);
      expect(within.length).toBeLessThan(15);
    }
    const minutes = (stage.clock.now - begun) / 60_000;
    expect(minutes).toBeGreaterThan(4);
    expect(minutes).toBeLessThan(5);
  });

  test('counts hostnames of a previous file and of a previous single create in the limit', async () => {
    await stage.edgectl('hostname', 'create', 'first.acme.com');
    await stage.edgectl('hostname', 'create', '--file', write('a.csv', csv(13)));
    const second = csv(13).replaceAll('shop', 'store');
    const ran = await stage.edgectl('hostname', 'create', '--file', write('b.csv', second));
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.err).not.toContain('limit');
  });

  test('waits and then continues if other clients have used up the limit', async () => {
    for (let at = 0; at < 10; at += 1) {
      await stage.zone('POST', '/custom_hostnames', {
        hostname: `other${at}.acme.com`,
        ssl: { method: 'http', type: 'dv' },
      });
    }
    const ran = await stage.edgectl('hostname', 'create', '--file', write('all.csv', csv(10)));
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('waiting 30 seconds');
    expect(await hostnames()).toHaveLength(20);
  });

  test('reports each failed line with the reason, completes the other lines, and exits with 6', async () => {
    await stage.edgectl('hostname', 'create', 'shop1.acme.com');
    const file = write('all.csv', csv(3));
    const ran = await stage.edgectl('hostname', 'create', '--file', file);
    expect(ran.code).toBe(6);
    expect(ran.out).toMatch(/^created {2}line 2 {2}shop0\.acme\.com {2}[0-9a-f-]{36} {2}pending/);
    expect(ran.out).toContain('failed   line 3  shop1.acme.com  Duplicate');
    expect(ran.err).toContain('Created 2 custom hostnames, 1 failed. Total: 3 lines.');
    const again = await stage.edgectl('hostname', 'create', '--file', file, '--if-not-exists');
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('exists   line 2  shop0.acme.com') });
  });

  test('resumes after an interruption, and creates no hostname twice', async () => {
    const file = write('all.csv', csv(20));
    const stop = new AbortController();
    const sent = stage.edgectlWith({ interrupted: stop.signal }, 'hostname', 'create', '--file', file);
    while ((await stage.zone<unknown[]>('GET', '/custom_hostnames')).length < 5) {
      await new Promise((settle) => setImmediate(settle));
    }
    stop.abort();
    const first = await sent;
    expect(first.code).toBe(130);
    expect(first.err).toContain('edgectl hostname create --file all.csv --sandbox --resume');
    const done = (await hostnames()).length;
    const second = await stage.edgectl('hostname', 'create', '--file', file, '--resume', '--json');
    expect(second.code).toBe(0);
    expect(await hostnames()).toHaveLength(20);
    expect(results(second.out).length).toBeLessThanOrEqual(21 - done);
  });

  test('lists all invalid lines before any request, or skips the lines', async () => {
    const text =
      'hostname,ca\nshop.acme.com,google\nshop.example,\nok.acme.com,verisign\n,\nshop.acme.com,\n';
    const file = write('some.csv', text);
    const ran = await stage.edgectl('hostname', 'create', '--file', file);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('3 invalid lines; nothing was sent');
    expect(ran.err).toContain('line 3, "shop.example"');
    expect(ran.err).toContain('line 4, "ok.acme.com": the authority must be one of');
    expect(ran.err).toContain('line 6, "shop.acme.com": already on line 2');
    expect(await hostnames()).toEqual([]);
    const left = await stage.edgectl('hostname', 'create', '--file', file, '--skip-invalid', '--json');
    expect(left.code).toBe(6);
    expect(results(left.out).map(({ result }) => result)).toEqual([
      'invalid',
      'invalid',
      'invalid',
      'created',
    ]);
  });

  test('uses attributes in columns instead of flags', async () => {
    const text =
      'Hostname;Method;CA;Min_TLS;Wildcard;metadata.Plan\n"a.acme.com";txt;google;1.3;yes;pro\nb.acme.com;;;;;\n';
    const ran = await stage.edgectl('hostname', 'create', '--file', write('c.csv', text), '--min-tls', '1.2');
    expect(ran.code).toBe(0);
    expect(await stage.record('a.acme.com')).toMatchObject({
      custom_metadata: { Plan: 'pro' },
      ssl: {
        method: 'txt',
        certificate_authority: 'google',
        wildcard: true,
        settings: { min_tls_version: '1.3' },
      },
    });
    expect(await stage.record('b.acme.com')).toMatchObject({
      ssl: { method: 'http', wildcard: false, settings: { min_tls_version: '1.2' } },
    });
  });

  test.each([
    ['NDJSON', '{"hostname":"a.acme.com"}\n{"hostname":"b.acme.com","metadata":{"plan":"pro"}}\n'],
    ['a JSON array', '[{"hostname":"a.acme.com"},"b.acme.com"]'],
    ['one hostname per line', 'a.acme.com\r\n\r\nb.acme.com\r\n'],
    ['gzip', gzipSync('a.acme.com\nb.acme.com\n')],
  ])('reads a file of hostnames as %s', async (_what, content) => {
    const ran = await stage.edgectl('hostname', 'create', '--file', write('some', content));
    expect(ran.code).toBe(0);
    expect((await hostnames()).sort()).toEqual(['a.acme.com', 'b.acme.com']);
  });

  test('accepts an empty array', async () => {
    const ran = await stage.edgectl('hostname', 'create', '--file', write('none', ' []\n'));
    expect(ran).toMatchObject({ code: 0, out: '' });
    expect(ran.err).toContain('Created 0 custom hostnames');
  });

  test('accepts the output of hostname list --json, and standard input', async () => {
    await stage.edgectl(
      'hostname',
      'create',
      'a.acme.com',
      '--method',
      'txt',
      '--metadata',
      '{"plan":"pro"}',
    );
    const listed = await stage.edgectl('hostname', 'list', '--json');
    await stage.edgectl('hostname', 'delete', 'a.acme.com', '--yes');
    const ran = await stage.edgectlWith({ stdin: listed.out }, 'hostname', 'create', '--file', '-');
    expect(ran.code).toBe(0);
    expect(await stage.record('a.acme.com')).toMatchObject({
      custom_metadata: { plan: 'pro' },
      ssl: { method: 'txt' },
    });
  });

  test.each([
    ['an unknown column', 'hostname,colour\na.acme.com,red\n', 'unknown column "colour"'],
    ['no hostname columns', 'name,ca\na.acme.com,\n', 'unknown column'],
    ['an unterminated quote', 'hostname,ca\n"a.acme.com,google\n', 'is not valid CSV at line 2'],
    ['nothing', '\n\n', 'contains no hostname'],
    ['an unknown field', '{"hostname":"a.acme.com","__proto__":{},"constructor":1}', 'unknown field'],
  ])('rejects a file of hostnames with %s', async (_what, content, message) => {
    const ran = await stage.edgectl('hostname', 'create', '--file', write('some', content));
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(message);
  });
});

test('computes the exact wait until the next certificate can be ordered', () => {
  const begun = 1_000_000;
  expect(issuanceWait([], 15, begun)).toBe(0);
  const issued = Array.from({ length: 15 }, (_, at) => begun + at);
  expect(issuanceWait(issued.slice(1), 15, begun + 20)).toBe(0);
  expect(issuanceWait(issued, 15, begun + 20)).toBe(61_000 - 20);
  expect(issuanceWait(issued, 15, begun + 61_000)).toBe(0);
});
