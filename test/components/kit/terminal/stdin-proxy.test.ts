import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StdinProxy } from '../../../../components/kit/terminal/stdin-proxy.ts';

interface Opened {
  readonly source: PassThrough;
  readonly proxy: StdinProxy;
  readonly raw: boolean[];
  /** The input, one entry per read. */
  readonly reads: string[];
}

/** Opens a proxy, and reads it as Ink does. */
function openProxy(): Opened {
  const raw: boolean[] = [];
  const source = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) });
  const proxy = new StdinProxy(source, () => undefined);
  const reads: string[] = [];
  proxy.on('readable', () => {
    for (let chunk = proxy.read(); chunk !== null; chunk = proxy.read()) reads.push(chunk);
  });
  proxy.ref();
  return { source, proxy, raw, reads };
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 5000; !holds(); await turn()) {
    if (performance.now() > end) throw new Error('condition not met within 5 seconds');
  }
}

test('delivers one press per turn of the event loop, even if many presses arrive in one read', async () => {
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

test('delivers a lone Esc after 20 ms, in a form that Ink does not delay again', async () => {
  const { source, reads } = openProxy();
  const start = performance.now();
  source.write('\u001b');
  await until(() => reads.length > 0);
  expect(reads).toEqual(['\u001b[27u']);
  expect(performance.now() - start).toBeGreaterThanOrEqual(19);
});

test('drops a paste that no field accepts, so pasted text runs no shortcuts', async () => {
  const { source, reads } = openProxy();
  source.write('\u001b[200~dq\u001b[201~x');
  await until(() => reads.length > 0);
  expect(reads).toEqual(['x']);
});

test('offers queued tokens in turn, delivers unconsumed tokens, and stops after unregistering', async () => {
  const { source, reads, proxy } = openProxy();
  const offered: string[] = [];
  const stop = proxy.capture((waiting) => {
    offered.push(waiting.map(({ text }) => text).join(''));
    const other = waiting.findIndex(({ text }) => text === '\r');
    return other === -1 ? waiting.length : other;
  });
  source.write('ab\u001b[200~c\u001b[201~\rd');
  await until(() => offered.length === 3);
  expect(offered).toEqual(['abc\rd', '\rd', 'd']);
  expect(reads).toEqual(['\r']);
  stop();
  source.write('e');
  await until(() => reads.length === 2);
  expect(reads.at(-1)).toBe('e');
});

test('checks each press immediately, and drops queued presses before an urgent press', async () => {
  const { source, reads, proxy } = openProxy();
  const asked: string[] = [];
  const unwatch = proxy.watch((press) => {
    asked.push(press);
    if (press === '\u0003') return 'overtakes';
    return press === '\f' ? 'taken' : undefined;
  });
  source.emit('data', `${'jk'.repeat(1500)}\f\u001b[200~\u0003\u001b[201~x`);
  source.emit('data', '\u0003ab');
  expect(asked.slice(3000)).toEqual(['\f', 'x', '\u0003', 'a', 'b']);
  await until(() => reads.length === 2);
  expect(reads).toEqual(['a', 'b']);
  unwatch();
  source.write('\u0003');
  await until(() => reads.length === 3);
});

test('Esc overtakes a long queue, but waits in a short queue', async () => {
  const { source, reads } = openProxy();
  source.emit('data', `${'jk'.repeat(1500)}\u001b\u001b`);
  await until(() => reads.length === 2);
  expect(reads).toEqual(['\u001b[27u', '\u001b[27u']);
  reads.length = 0;
  source.write('dj\u001b');
  await until(() => reads.length === 3);
  expect(reads).toEqual(['d', 'j', '\u001b[27u']);
});

test('counts and removes only queued repeats of the current press', async () => {
  const { source, proxy } = openProxy();
  const counts: Array<readonly [string, number]> = [];
  proxy.removeAllListeners('readable');
  proxy.on('readable', () => {
    for (let press = proxy.read(); press !== null; press = proxy.read()) {
      counts.push([press, press === 'x' ? 0 : proxy.takeRepeats()]);
    }
  });
  source.write('jjjkjjxx');
  await until(() => counts.length === 5);
  expect(counts).toEqual([
    ['j', 2],
    ['k', 0],
    ['j', 1],
    ['x', 0],
    ['x', 0],
  ]);
});

test('reads nothing while another program uses the terminal', async () => {
  const { source, proxy, reads } = openProxy();
  proxy.unref();
  source.write('for the editor');
  await until(() => source.readableLength === 'for the editor'.length);
  await turn();
  expect(reads).toEqual([]);
});

test('joins characters that were split between two reads', async () => {
  const { source, reads } = openProxy();
  const bytes = Buffer.from('é');
  source.write(bytes.subarray(0, 1));
  source.write(bytes.subarray(1));
  await until(() => reads.length > 0);
  expect(reads).toEqual(['é']);
});

test('passes raw-mode calls to the terminal', () => {
  const { proxy, raw } = openProxy();
  proxy.setRawMode(true);
  proxy.setRawMode(false);
  expect(raw).toEqual([true, false]);
});

test('queues input typed before the first read, and returns the input with the first read', async () => {
  const source = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const proxy = new StdinProxy(source, () => undefined);
  const reads: string[] = [];
  let typed = 0;
  proxy.begin(() => typed++);
  await turn();
  expect(typed).toBe(0);
  source.write('ab');
  await until(() => source.readableLength === 0);
  await turn();
  source.write('c');
  await until(() => source.readableLength === 0);
  await turn();
  expect(typed).toBe(1);
  proxy.on('readable', () => {
    for (let chunk = proxy.read(); chunk !== null; chunk = proxy.read()) reads.push(chunk);
  });
  await turn();
  expect(reads).toEqual([]);
  proxy.ref();
  await until(() => reads.length === 3);
});

test('reports a lost terminal once, and sets no modes on it', () => {
  const { source, proxy, raw } = openProxy();
  let message = 0;
  proxy.onLost(() => {
    message++;
    proxy.setRawMode(false);
  });
  source.emit('error', new Error('EIO'));
  source.emit('close');
  expect(message).toBe(1);
  expect(raw).toEqual([]);
});

test('drops input typed before a question was drawn, and delivers input after the response of the terminal', async () => {
  const { source, reads, proxy } = openProxy();
  source.write('d');
  await until(() => reads.length === 1);
  source.write('y');
  proxy.dropTypedAhead('first');
  const end = proxy.dropTypedAhead('second');
  source.write('y\u001b[0ny\r\u001b[0nn');
  await until(() => reads.length === 2);
  expect(reads).toEqual(['d', 'n']);
  end();
});

test('delivers an Esc typed before a question, and the input that follows', async () => {
  const { source, reads, proxy } = openProxy();
  proxy.dropTypedAhead('question');
  source.write('yy\u001b[27uj');
  await until(() => reads.length === 2);
  expect(reads).toEqual(['\u001b[27u', 'j']);
});

test('accepts answers to a question after a timeout if the terminal does not respond to the status query', async () => {
  const { source, reads, proxy } = openProxy();
  proxy.dropTypedAhead('question');
  const typing = setInterval(() => source.write('y'), 50);
  await until(() => reads.length > 0);
  clearInterval(typing);
  expect(reads[0]).toBe('y');
});
