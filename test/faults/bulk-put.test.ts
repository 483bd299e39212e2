import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inSoak } from '../support/in-part.ts';
import { type Passing, refusing } from '../support/proxy.ts';
import { runCommand } from '../support/run-command.ts';
import { openServed, type Served } from '../support/served.ts';

let served: Served;
let namespace: string;

beforeEach(async () => {
  served = await openServed();
  namespace = await served.createNamespace();
});
afterEach(() => served.close());

const entries = Array.from({ length: 1000 }, (_, index) => ({
  key: `key:${index}`,
  value: `value ${index}`,
}));

function writeInput(count = entries.length): string {
  const path = join(served.person.cwd, 'entries.json');
  writeFileSync(path, JSON.stringify(entries.slice(0, count)));
  return path;
}

function put(...flags: string[]) {
  const argv = [
    'kv',
    'bulk',
    'put',
    'entries.json',
    '--namespace-id',
    namespace,
    '--batch-size',
    '100',
    ...flags,
  ];
  return runCommand(served.person, argv);
}

/** Removes the fault from the proxy, and returns the contents of the namespace. */
async function contents(): Promise<Record<string, string>> {
  served.proxy.use(() => undefined);
  const { out } = await runCommand(served.person, ['kv', 'export', '--namespace-id', namespace]);
  const lines = out.split('\n').filter((line) => line !== '');
  return Object.fromEntries(lines.map((line) => JSON.parse(line)).map(({ key, value }) => [key, value]));
}

const expected = (count = entries.length) =>
  Object.fromEntries(entries.slice(0, count).map(({ key, value }) => [key, value]));

const isBulk = ({ method, path }: Passing): boolean => method === 'PUT' && path.endsWith('/bulk');

function succeeding(result: unknown) {
  const body = JSON.stringify({ success: true, result, errors: [], messages: [] });
  return { answer: { status: 200, headers: {}, body } };
}

/** Returns the keys of each bulk request after the first `from` requests. */
function sent(from = 0): string[][] {
  return served.proxy.passed
    .slice(from)
    .filter(isBulk)
    .map(({ body }) => JSON.parse(body.toString()).map(({ key }: { key: string }) => key));
}

function checkpoints(): { confirmed: [number, number][] }[] {
  const folder = join(served.person.home, 'state', 'checkpoints');
  return readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

describe('a bulk put on a faulty platform', () => {
  it('delays every request after a 429 with Retry-After, and stores all entries', async () => {
    writeInput();
    let refusals = 0;
    served.proxy.use((passing) => {
      if (!isBulk(passing) || refusals >= 2) return undefined;
      refusals++;
      return refusing(429, { 'retry-after': '7' });
    });
    const { code, err, slept } = await put();
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('HTTP 429 with Retry-After; attempt 2 in 7.0 s'),
    });
    expect(slept.filter((milliseconds) => milliseconds >= 6900).length).toBeGreaterThanOrEqual(2);
    expect(await contents()).toEqual(expected());
  });

  it('stops immediately after a 429 with a wait of a day, and reports the wait', async () => {
    writeInput();
    served.proxy.use((passing) => (isBulk(passing) ? refusing(429, { 'retry-after': '86400' }) : undefined));
    const { code, err, slept } = await put();
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'The platform asks clients to wait 24 hours (Retry-After), but edgectl does not wait that long.',
      ),
    });
    expect(slept).toEqual([]);
    served.proxy.use(() => undefined);
    expect(await put()).toMatchObject({ code: 0 });
  });

  it('repeats a request after a 503, and stores all entries', async () => {
    writeInput();
    served.proxy.use(({ number }) => (number === 3 || number === 5 ? refusing(503) : undefined));
    const { code, err } = await put();
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('HTTP 503') });
    expect(await contents()).toEqual(expected());
  });

  it.each(['cut', 'cut-after'] as const)('stores all entries over connections that are %s', async (fault) => {
    writeInput();
    served.proxy.use(({ number }) => (number === 2 || number === 6 ? fault : undefined));
    const { code, err } = await put();
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('attempt 2') });
    expect(await contents()).toEqual(expected());
  });

  it('repeats requests with an empty answer, and stores all entries', async () => {
    writeInput();
    const nothing = { answer: { status: 200, headers: {}, body: '' } };
    served.proxy.use(({ number }) => (number % 10 < 3 ? nothing : undefined));
    const { code, err } = await put();
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('An empty response (HTTP 200)'),
    });
    expect(await contents()).toEqual(expected());
  });

  it.each([200, 204])('counts nothing as written if all answers are empty (HTTP %i)', async (status) => {
    writeInput(2);
    served.proxy.use(() => ({ answer: { status, headers: {}, body: '' } }));
    expect(await put()).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('returned an empty response'),
    });
  });

  it.each([
    ['too few keys', { successful_key_count: 0, unsuccessful_keys: [] }, '0 of 2 entries succeeded'],
    ['too many keys', { successful_key_count: 3 }, '3 of 2 entries succeeded'],
    ['other keys', { unsuccessful_keys: ['key:7'] }, 'reports keys as failed that were not sent'],
  ])('counts nothing as written if a success reports %s', async (_, result, words) => {
    writeInput(2);
    served.proxy.use((passing) => (isBulk(passing) ? succeeding(result) : undefined));
    expect(await put()).toMatchObject({ code: 1, out: '', err: expect.stringContaining(words) });
  });

  it('does not count a batch that is only partly written, and resends the batch on --resume', async () => {
    writeInput();
    served.proxy.use((passing) => {
      if (!isBulk(passing) || !passing.body.includes('"key:350"')) return undefined;
      return { change: (response) => counting(response, 40) };
    });
    const stopped = await put('--json');
    expect(stopped.code).toBe(6);
    expect(stopped.err).toContain('40 of 100 entries succeeded');
    expect(stopped.err).toContain('--resume');
    const { written, finished } = JSON.parse(stopped.out);
    const confirmed = checkpoints().flatMap((one) => one.confirmed);
    expect(confirmed.filter(([from, to]) => from < 400 && to > 300)).toEqual([]);
    expect({ written, finished }).toEqual({
      written: confirmed.reduce((sum, [from, to]) => sum + to - from, 0),
      finished: false,
    });

    const before = served.proxy.passed.length;
    served.proxy.use(() => undefined);
    expect(await put('--resume')).toMatchObject({ code: 0 });
    const again = sent(before).flat();
    expect(again).toEqual(expect.arrayContaining(entries.slice(300, 400).map(({ key }) => key)));
    expect(again).toHaveLength(entries.length - written);
    expect(await contents()).toEqual(expected());
    expect(checkpoints()).toEqual([]);
  });

  it('trusts a success without a count', async () => {
    writeInput(2);
    served.proxy.use((passing) => (isBulk(passing) ? succeeding(null) : undefined));
    expect(await put()).toMatchObject({ code: 0, out: expect.stringContaining('Wrote 2 entries') });
  });

  it('waits for up to four slow answers in parallel', async () => {
    writeInput();
    let waiting = 0;
    let maximum = 0;
    served.proxy.use(async () => {
      maximum = Math.max(maximum, ++waiting);
      await new Promise((settle) => setTimeout(settle, 50));
      waiting--;
      return undefined;
    });
    expect(await put()).toMatchObject({ code: 0 });
    expect(maximum).toBe(4);
    expect(await contents()).toEqual(expected());
  });

  it('reports its progress if all requests get a 503, and sends only unconfirmed entries on --resume', async () => {
    writeInput();
    served.proxy.use((passing) => (sent().length > 6 && isBulk(passing) ? refusing(503) : undefined));
    const stopped = await put();
    expect(stopped.code).toBe(6);
    expect(stopped.out).toMatch(/^Wrote \d00 entries to namespace id \w+, of 1,000 entries\.\n$/);
    expect(stopped.err).toContain('hint: To resume: edgectl kv bulk put entries.json');
    expect(stopped.err).toContain('--resume');

    const confirmed = checkpoints().flatMap((one) => one.confirmed);
    expect(confirmed.length).toBeGreaterThan(0);
    const before = served.proxy.passed.length;
    served.proxy.use(() => undefined);
    const resumed = await put('--resume');
    expect(resumed).toMatchObject({ code: 0, out: expect.stringMatching(/\(\d00 done by an earlier run\)/) });
    const again = new Set(sent(before).flat());
    for (const [index, { key }] of entries.entries()) {
      if (confirmed.some(([from, to]) => index >= from && index < to)) expect(again).not.toContain(key);
    }
    expect(await contents()).toEqual(expected());
    expect(checkpoints()).toEqual([]);
  });

  inSoak(() => {
    it('reports that it starts over after an interrupted run, unless it writes nothing', async () => {
      writeInput();
      served.proxy.use((passing) => (sent().length > 3 && isBulk(passing) ? refusing(503) : undefined));
      expect((await put()).code).toBe(6);
      served.proxy.use(() => undefined);
      const preview = await put('--dry-run');
      expect(preview.code).toBe(0);
      expect(preview.err).not.toContain('from the beginning');
      const anew = await put();
      expect(anew).toMatchObject({ code: 0, err: expect.stringContaining('starts from the beginning') });
    });
  });

  it('resends keys that were rejected at first, and no other keys', async () => {
    writeInput(100);
    let answers = 0;
    served.proxy.use((passing) => {
      if (!isBulk(passing) || ++answers > 2) return undefined;
      const unsuccessful = answers === 1 ? ['key:3', 'key:7'] : ['key:7'];
      return { change: (response) => partly(response, unsuccessful) };
    });
    const { code, out } = await put();
    expect({ code, out }).toEqual({
      code: 0,
      out: `Success! Wrote 100 entries to namespace id ${namespace}.\n`,
    });
    expect(sent().slice(1)).toEqual([['key:3', 'key:7'], ['key:7']]);
    expect(await contents()).toEqual(expected(100));
  });

  it('lists keys that are always rejected, and exits with 6; --resume retries these keys', async () => {
    writeInput(300);
    served.proxy.use((passing) => {
      if (!isBulk(passing) || !passing.body.includes('"key:150"')) return undefined;
      return { change: (response) => partly(response, ['key:150']) };
    });
    const { code, out, err } = await put('--json');
    expect(code).toBe(6);
    expect(JSON.parse(out)).toMatchObject({
      written: 299,
      failed: 1,
      failedKeys: ['key:150'],
      finished: false,
    });
    expect(err).toContain('key:150');
    expect(sent().filter((keys) => keys.length === 1)).toHaveLength(3);

    const before = served.proxy.passed.length;
    served.proxy.use(() => undefined);
    expect(await put('--resume')).toMatchObject({ code: 0 });
    expect(sent(before)).toEqual([entries.slice(100, 200).map(({ key }) => key)]);
  });

  it('completes and counts pending requests after Ctrl-C, and continues after them on --resume', async () => {
    writeInput();
    const interruption = new AbortController();
    served.proxy.use(async () => {
      if (sent().length >= 3) interruption.abort();
      await new Promise((settle) => setTimeout(settle, 20));
      return undefined;
    });
    const argv = ['kv', 'bulk', 'put', 'entries.json', '--namespace-id', namespace, '--batch-size', '100'];
    const stopped = await runCommand(served.person, argv, { interrupted: interruption.signal });
    const inFlight = sent().length;
    expect(inFlight).toBeLessThan(10);
    expect(stopped.code).toBe(130);
    expect(stopped.out).toBe(`Wrote ${inFlight}00 entries to namespace id ${namespace}, of 1,000 entries.\n`);
    expect(stopped.err).toContain('To resume: edgectl kv bulk put');
    expect(Object.keys(await contents())).toHaveLength(inFlight * 100);

    const before = served.proxy.passed.length;
    expect(await put('--resume')).toMatchObject({ code: 0 });
    expect(sent(before).flat()).toHaveLength(1000 - inFlight * 100);
    expect(await contents()).toEqual(expected());
  });

  inSoak(() => {
    it('refuses a file that has changed with --resume, and accepts it without --resume', async () => {
      writeInput();
      served.proxy.use((passing) => (sent().length > 3 && isBulk(passing) ? refusing(503) : undefined));
      expect((await put()).code).toBe(6);
      served.proxy.use(() => undefined);
      const before = served.proxy.passed.length;
      writeInput(999);
      const refused = await put('--resume');
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('has changed') });
      expect(sent(before)).toEqual([]);
      expect(await put()).toMatchObject({ code: 0 });
      expect(await contents()).toEqual(expected(999));
      expect(checkpoints()).toEqual([]);
    });
  });

  it('does not repeat a request that was permanently refused, and shows the reason', async () => {
    writeInput();
    served.proxy.use(() => refusing(403));
    const { code, out, err } = await put();
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(err).toContain('not now');
    expect(sent().length).toBeLessThanOrEqual(4);
  });
});

function partly<R extends { readonly body: Buffer | string }>(response: R, unsuccessful: string[]): R {
  const envelope = JSON.parse(response.body.toString());
  envelope.result.unsuccessful_keys = unsuccessful;
  return { ...response, body: JSON.stringify(envelope) };
}

function counting<R extends { readonly body: Buffer | string }>(response: R, count: number): R {
  const envelope = JSON.parse(response.body.toString());
  envelope.result = { successful_key_count: count, unsuccessful_keys: [] };
  return { ...response, body: JSON.stringify(envelope) };
}
