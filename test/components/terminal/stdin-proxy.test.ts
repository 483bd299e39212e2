import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StdinProxy } from '../../../components/terminal/stdin-proxy.ts';

interface Opened {
  readonly source: PassThrough;
  readonly proxy: StdinProxy;
  readonly raw: boolean[];
  /** What has been read, read by read. */
  readonly reads: string[];
}

/** A proxy that is read as Ink reads it. */
function openProxy(): Opened {
  const raw: boolean[] = [];
  const source = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) });
  const proxy = new StdinProxy(source);
  const reads: string[] = [];
  proxy.on('readable', () => {
    for (let chunk = proxy.read(); chunk !== null; chunk = proxy.read()) reads.push(chunk);
  });
  proxy.ref();
  return { source, proxy, raw, reads };
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 5000; !holds(); await turn()) {
    if (performance.now() > end) throw new Error('it did not happen');
  }
}

test('hands on one press in a turn of the event loop, however many came in one read', async () => {
  const { source, reads, proxy } = openProxy();
  const inOneTurn: number[] = [];
  let sinceTurn = 0;
  proxy.on('readable', () => {
    sinceTurn++;
  });
  source.write('\u001b[B\u001b[Bjk\r');
  while (reads.length < 5) {
    await turn();
    inOneTurn.push(sinceTurn);
    sinceTurn = 0;
  }
  expect(reads).toEqual(['\u001b[B', '\u001b[B', 'j', 'k', '\r']);
  expect(Math.max(...inOneTurn)).toBe(1);
});

test('hands on a lone Esc after 20 ms, in a form that is not held back again', async () => {
  const { source, reads } = openProxy();
  const start = performance.now();
  source.write('\u001b');
  await until(() => reads.length > 0);
  expect(reads).toEqual(['\u001b[27u']);
  expect(performance.now() - start).toBeGreaterThanOrEqual(19);
});

test('drops a paste that nobody translates, so that pasted text runs no shortcuts', async () => {
  const { source, reads } = openProxy();
  source.write('\u001b[200~dq\u001b[201~x');
  await until(() => reads.length > 0);
  expect(reads).toEqual(['x']);
});

test('translates each token when its turn comes, and no longer than it is asked to', async () => {
  const { source, reads, proxy } = openProxy();
  let seen = 0;
  const stop = proxy.translate(({ text }) => {
    seen++;
    return [text, `${text}${seen}`];
  });
  source.write('ab');
  await until(() => reads.length === 4);
  expect(reads).toEqual(['a', 'a1', 'b', 'b2']);
  stop();
  source.write('c');
  await until(() => reads.length === 5);
  expect(reads.at(-1)).toBe('c');
});

test('reads nothing while another program has the terminal', async () => {
  const { source, proxy, reads } = openProxy();
  proxy.unref();
  source.write('for the editor');
  await until(() => source.readableLength === 'for the editor'.length);
  await turn();
  expect(reads).toEqual([]);
});

test('puts characters together that were cut between two reads', async () => {
  const { source, reads } = openProxy();
  const bytes = Buffer.from('é');
  source.write(bytes.subarray(0, 1));
  source.write(bytes.subarray(1));
  await until(() => reads.length > 0);
  expect(reads).toEqual(['é']);
});

test('passes raw mode on', () => {
  const { proxy, raw } = openProxy();
  proxy.setRawMode(true);
  proxy.setRawMode(false);
  expect(raw).toEqual([true, false]);
});
