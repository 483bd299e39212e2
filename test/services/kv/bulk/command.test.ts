import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusing } from '../../../support/proxy.ts';
import { newPerson, type Person, type Ran, runCommand } from '../../../support/run-command.ts';
import { openServed, type Served } from '../../../support/served.ts';

const at = ['--local', '--persist-to', 'data', '--namespace-id', 'ns'];

type Options = Parameters<typeof runCommand>[2];

function run(person: Person, argv: readonly string[], options: Options = {}): Promise<Ran> {
  return runCommand(person, [...argv, ...at], options);
}

async function personWithKeys(...keys: string[]): Promise<Person> {
  const person = newPerson();
  const stdin = JSON.stringify(keys.map((key) => ({ key, value: key })));
  expect(await run(person, ['kv', 'bulk', 'put', '-'], { stdin })).toMatchObject({ code: 0 });
  return person;
}

async function readKeys(person: Person): Promise<string[]> {
  return JSON.parse((await run(person, ['kv', 'key', 'list'])).out).map(({ name }: { name: string }) => name);
}

async function withServed(work: (served: Served, namespace: string) => Promise<void>): Promise<void> {
  const served = await openServed();
  try {
    await work(served, await served.createNamespace('the title'));
  } finally {
    await served.close();
  }
}

describe('the question before keys are deleted', () => {
  it('names the file and the namespace id, and accepts Enter as yes', async () => {
    const person = await personWithKeys('a', 'b', 'c');
    writeFileSync(join(person.cwd, 'keys.json'), '["a", "b"]');
    const { code, err } = await run(person, ['kv', 'bulk', 'delete', 'keys.json'], { answers: [''] });
    expect(code).toBe(0);
    expect(err).toContain('Delete the 2 keys in keys.json from namespace id ns');
    expect(err).toContain('(Y/n)');
    expect(await readKeys(person)).toEqual(['c']);
  });

  it('accepts n as no, and changes nothing', async () => {
    const person = await personWithKeys('a');
    writeFileSync(join(person.cwd, 'keys.json'), '["a"]');
    const ran = await run(person, ['kv', 'bulk', 'delete', 'keys.json'], { answers: ['n'] });
    expect(ran).toMatchObject({ code: 5, out: '' });
    expect(await readKeys(person)).toEqual(['a']);
  });

  it('requires a title with leading or trailing spaces exactly', () =>
    withServed(async (served) => {
      const id = await served.createNamespace('  two  words ');
      const place = ['--namespace-id', id];
      await runCommand(served.person, ['kv', 'key', 'put', 'a', '1', ...place]);
      const clear = (answer: string) =>
        runCommand(served.person, ['kv', 'namespace', 'clear', ...place], { answers: [answer] });
      expect(await clear('two  words')).toMatchObject({ code: 5 });
      expect(await clear('')).toMatchObject({ code: 5 });
      expect(await clear('  two  words ')).toMatchObject({ code: 0 });
    }));

  it('requires the typed title before a namespace is cleared, and shows how many keys will be lost', () =>
    withServed(async ({ person }, namespace) => {
      const place = ['--namespace-id', namespace];
      const stdin = '{"key":"a","value":"1"}\n{"key":"b","value":"2"}';
      await runCommand(person, ['kv', 'bulk', 'put', '-', ...place], { stdin });
      const clear = (answer: string) =>
        runCommand(person, ['kv', 'namespace', 'clear', ...place], { answers: [answer] });
      const wrong = await clear('The title');
      expect(wrong).toMatchObject({
        code: 5,
        err: expect.stringContaining('Delete 2 keys from namespace "the title"'),
      });
      expect(await clear('the title')).toMatchObject({
        code: 0,
        out: `Success! Deleted 2 keys from namespace id ${namespace}.\n`,
      });
    }));
});

describe('a file with invalid entries', () => {
  it('is rejected before any request, with the first twenty invalid entries and a count', async () => {
    const person = newPerson();
    const wrong = Array.from({ length: 23 }, (_, index) => ({ key: `key ${index}`, value: '' }));
    const stdin = JSON.stringify([{ key: 'right', value: '' }, ...wrong]);
    const { code, out, err } = await run(person, ['kv', 'bulk', 'put', '-'], { stdin });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.match(/^Entry \d+, key "key \d+": /gm)).toHaveLength(20);
    expect(err).toContain('… and 3 more.');
    expect(err).toContain('23 of 24 entries in standard input are invalid; nothing was sent.');
    expect(await readKeys(person)).toEqual([]);
  });

  it('is reported to a program entry by entry', async () => {
    const stdin = '{"key":"a","value":"1"}\nnonsense\n{"key":"b","value":"\ud800"}';
    const { err } = await run(newPerson(), ['kv', 'bulk', 'put', '-', '--json'], {
      stdin: Buffer.concat([Buffer.from(stdin), Buffer.from([0x0a, 0x22, 0xff, 0x22])]),
    });
    const events = talk(err)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { type: 'warning', index: 1, reason: expect.stringContaining('invalid JSON') },
      { type: 'warning', index: 3, reason: 'it is not UTF-8' },
      { type: 'error', error: { code: 'invalid-input' } },
    ]);
  });
});

describe('standard input', () => {
  it('is spooled to a file that is deleted afterward', async () => {
    const person = await personWithKeys('a');
    const folder = join(person.home, 'state');
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });
});

/** Returns a command's stderr without the line "Acting on …". */
function talk(err: string): string {
  return err.replace(/^.*Acting on .*\n/m, '');
}

describe('progress', () => {
  const stdin = Array.from({ length: 500 }, (_, index) => `{"key":"key:${index}","value":"${index}"}`).join(
    '\n',
  );
  /** Returns a clock that advances by a second at each reading. */
  const slowClock = (): (() => number) => {
    let now = Date.UTC(2026, 0, 1);
    return () => (now += 1000);
  };
  const put = (flags: readonly string[], options: Options) =>
    run(newPerson(), ['kv', 'bulk', 'put', '-', '--batch-size', '50', ...flags], {
      stdin,
      now: slowClock(),
      ...options,
    });

  it('is reported as events to a program, with one result on stdout', async () => {
    const { out, err } = await put(['--json'], {});
    const events = talk(err)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const writing = events.filter(({ type, phase }) => type === 'progress' && phase === 'writing');
    expect(writing.length).toBeGreaterThan(3);
    expect(writing.at(-1)).toMatchObject({ done: 500, total: 500, unit: 'entries', retries: 0, failed: 0 });
    expect(writing.at(-1).rate).toBeGreaterThan(0);
    expect(JSON.parse(out)).toMatchObject({ written: 500, finished: true });
  });

  it('is a plain line every few seconds without a terminal', async () => {
    const { out, err } = await put([], {});
    expect(err).toMatch(/^writing \d+ of 500 entries \(\d+%\), \d+\/s, \d+s left$/m);
    expect(err).not.toContain('\u001b');
    expect(out).toBe('Success! Wrote 500 entries to namespace id ns.\n');
  });

  it('is a single line on a terminal, which is removed at the end', async () => {
    const { err } = await put([], { terminal: true });
    expect(err).toContain('\r\u001b[2Kwriting ');
    expect(talk(err)).not.toContain('\n');
    expect(err.endsWith('\r\u001b[2K')).toBe(true);
  });

  it('is not shown with --quiet', async () => {
    expect(await put(['--quiet'], {})).toMatchObject({ code: 0, err: '' });
  });
});

describe('kv bulk get', () => {
  it('kv bulk get returns strings, null for missing keys, and base64 for binary values', async () => {
    const person = newPerson();
    const stdin = JSON.stringify([
      { key: 'text', value: 'ä\u0007' },
      { key: '__proto__', value: 'own' },
      { key: 'bytes', value: '/wA=', base64: true },
      { key: 'replacement', value: 'a\ufffdb' },
    ]);
    await run(person, ['kv', 'bulk', 'put', '-'], { stdin });
    const keys = '["text", "missing", {"name": "bytes"}, "replacement", "text", "__proto__"]';
    const { code, out, err } = await run(person, ['kv', 'bulk', 'get', '-'], { stdin: keys });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(
      JSON.parse(
        '{"missing":null,"bytes":{"base64":"/wA="},"replacement":"a\\ufffdb","text":"ä\\u0007","__proto__":"own"}',
      ),
    );
    expect(err).toContain('1 of 5 keys did not exist.');
  });

  it('kv bulk get escapes control characters on a terminal', async () => {
    const person = newPerson();
    await run(person, ['kv', 'bulk', 'put', '-'], { stdin: '{"key":"bell","value":"\\u001b[2J\\u009b"}' });
    for (const command of [
      ['kv', 'bulk', 'get', '-'],
      ['kv', 'export'],
    ]) {
      const { out } = await run(person, command, { stdin: '"bell"', terminal: true });
      expect(out).toContain('\\u001b[2J\\u009b');
      expect(out).not.toMatch(/[\u001b\u009b]/);
    }
  });

  it('kv bulk get requests fewer keys at a time if their values are too long for one answer', () =>
    withServed(async ({ person, proxy }, namespace) => {
      const place = ['--namespace-id', namespace];
      const entries = Array.from({ length: 9 }, (_, index) => ({ key: `k${index}`, value: `v${index}` }));
      await runCommand(person, ['kv', 'bulk', 'put', '-', ...place], { stdin: JSON.stringify(entries) });
      const asked: number[] = [];
      proxy.use(({ path, body }) => {
        if (!path.endsWith('/bulk/get')) return undefined;
        const { keys } = JSON.parse(body.toString());
        asked.push(keys.length);
        return keys.length > 2 || keys.includes('k4') ? refusing(413) : undefined;
      });
      const stdin = JSON.stringify(entries.map(({ key }) => key));
      const { code, out } = await runCommand(person, ['kv', 'bulk', 'get', '-', ...place], { stdin });
      expect(code).toBe(0);
      expect(JSON.parse(out)).toEqual(Object.fromEntries(entries.map(({ key, value }) => [key, value])));
      expect(asked[0]).toBe(9);
      expect(Math.max(...asked.slice(1))).toBeLessThan(9);
    }));
});
