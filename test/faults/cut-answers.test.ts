import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Passing } from '../support/proxy.ts';
import { runCommand } from '../support/run-command.ts';
import { openServed, type Served } from '../support/served.ts';

let served: Served;
let namespace: string;

beforeEach(async () => {
  served = await openServed();
  namespace = await served.createNamespace();
});
afterEach(() => served.close());

function kv(...argv: string[]) {
  return runCommand(served.person, ['kv', ...argv, '--namespace-id', namespace]);
}

/** Cuts off the body of the first answer that matches `which` after this number of bytes. */
function cutFirst(which: (passing: Passing) => boolean, cutBehind: number): void {
  let cut = false;
  served.proxy.use((passing) => {
    if (cut || !which(passing)) return undefined;
    cut = true;
    return { cutBehind };
  });
}

const text = 'a value of some length'.repeat(20_000);

describe.each([0, 20])('an answer that is truncated after %i bytes', (bytes) => {
  it('requests a list of keys again if the list is truncated', async () => {
    await kv('key', 'put', 'one', 'x');
    const before = served.proxy.passed.length;
    cutFirst(({ path }) => path.includes('/keys'), bytes);
    const { code, out, err } = await kv('key', 'list');
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('the connection was closed'),
    });
    expect(JSON.parse(out)).toEqual([{ name: 'one' }]);
    const listings = served.proxy.passed.slice(before).filter(({ path }) => path.includes('/keys'));
    expect(listings).toHaveLength(2);
  });

  it('resends a repeatable bulk request if its answer is truncated', async () => {
    writeFileSync(join(served.person.cwd, 'in.json'), JSON.stringify([{ key: 'one', value: 'x' }]));
    cutFirst(({ path }) => path.endsWith('/bulk'), bytes);
    expect(await kv('bulk', 'put', 'in.json')).toMatchObject({ code: 0 });
    cutFirst(({ path }) => path.endsWith('/bulk/get'), bytes);
    const { code, out } = await kv('export');
    expect({ code, out: JSON.parse(out) }).toEqual({ code: 0, out: { key: 'one', value: 'x' } });
  });
});

describe('a truncated value', () => {
  beforeEach(async () => {
    writeFileSync(join(served.person.cwd, 'value'), text);
    await kv('key', 'put', 'long', '--path', 'value');
  });

  it('requests a value again if the answer is truncated before its first byte', async () => {
    cutFirst(({ method }) => method === 'GET', 0);
    expect(await kv('key', 'get', 'long')).toMatchObject({ code: 0, out: text });
  });

  it('reports an error if a value is truncated after its first byte, and returns no byte twice', async () => {
    cutFirst(({ method }) => method === 'GET', 1000);
    const { code, out, err } = await kv('key', 'get', 'long');
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('the connection was closed'),
    });
    expect(out).toBe(text.slice(0, 1000));
  });

  it('repeats the request for a value that is read completely before its use, regardless of where the answer was truncated', async () => {
    writeFileSync(join(served.person.cwd, 'bytes'), Buffer.alloc(100_000, 0xff));
    await kv('key', 'put', 'bytes', '--path', 'bytes');
    cutFirst(({ path }) => path.includes('/values/bytes'), 50_000);
    const { code } = await kv('export', '--prefix', 'bytes', '--output', 'out.ndjson');
    expect({ code, written: existsSync(join(served.person.cwd, 'out.ndjson')) }).toEqual({
      code: 0,
      written: true,
    });
  });
});

describe('truncated answers for many objects', () => {
  const count = 6;
  const object = (...argv: string[]) => runCommand(served.person, ['objstore', 'object', ...argv]);
  const content = (index: number): string => `content ${index}`.repeat(10_000);
  const isRead = ({ method, path }: Passing): boolean => method === 'GET' && path.includes('/objects/');

  beforeEach(async () => {
    await runCommand(served.person, ['objstore', 'bucket', 'create', 'assets']);
    for (let index = 0; index < count; index += 1) {
      writeFileSync(join(served.person.cwd, 'file'), content(index));
      await object('put', `assets/dir/${index}`, '--path', 'file');
    }
  });

  it('stores all objects if each download is truncated once; a second run transfers no object', async () => {
    const cut = new Set<string>();
    served.proxy.use((passing) => {
      if (!isRead(passing) || cut.has(passing.path)) return undefined;
      cut.add(passing.path);
      return { cutBehind: 5000 };
    });
    const first = await object('get', 'assets/dir', '--recursive', '--file', 'down');
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('Wrote 6 objects') });
    for (let index = 0; index < count; index += 1) {
      expect(readFileSync(join(served.person.cwd, 'down', String(index)), 'utf8')).toBe(content(index));
    }
    writeFileSync(join(served.person.cwd, 'down', '3'), content(3).replace('3', '4'));
    const before = served.proxy.passed.length;
    const again = await object('get', 'assets/dir', '--recursive', '--file', 'down', '--force');
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringContaining('Wrote 1 object to down, 5 unchanged'),
    });
    expect(served.proxy.passed.slice(before).filter(isRead)).toHaveLength(1);
  });

  it('reports a failure for an object whose download is always truncated, and stores all other objects', async () => {
    served.proxy.use((passing) => (passing.path.endsWith('dir%2F2') ? { cutBehind: 5000 } : undefined));
    const { code, out, err } = await object('get', 'assets/dir', '--recursive', '--file', 'down');
    expect({ code, out, err }).toMatchObject({
      code: 6,
      out: expect.stringContaining('Wrote 5 objects'),
      err: expect.stringContaining('"dir/2"'),
    });
    expect(
      served.proxy.passed.filter((passing) => passing.path.endsWith('dir%2F2') && isRead(passing)),
    ).toHaveLength(4);
  });

  it('deletes many objects even if the list or the answer is truncated', async () => {
    const cut = new Set<string>();
    served.proxy.use(({ method, path }) => {
      if (!path.includes('/objects') || cut.has(method)) return undefined;
      cut.add(method);
      return { cutBehind: 20 };
    });
    const deleted = await object('delete', 'assets/dir', '--recursive', '--yes');
    expect(deleted).toMatchObject({ code: 0, out: expect.stringContaining('6 objects') });
    expect([...cut].sort()).toEqual(['DELETE', 'GET']);
    expect(JSON.parse((await object('list', 'assets', '--json')).out)).toEqual([]);
  });
});

it('does not resend a call that creates something if its answer is truncated', async () => {
  cutFirst(({ method, path }) => method === 'POST' && path.endsWith('/namespaces'), 20);
  const before = served.proxy.passed.length;
  const { code, err } = await runCommand(served.person, ['kv', 'namespace', 'create', 'other']);
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('the connection was closed') });
  expect(served.proxy.passed.slice(before).filter(({ method }) => method === 'POST')).toHaveLength(1);
});
