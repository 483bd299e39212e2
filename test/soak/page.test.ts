import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../support/program.ts';
import { scratchFolder } from '../support/world.ts';

const browser = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** A browser tab, controlled through the browser's own protocol. */
interface Tab {
  /** Returns the value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** Errors reported by the page. */
  readonly faults: readonly string[];
}

test('a browser shows new requests, the data and the hostnames, and switches faults', async ({ skip }) => {
  skip(browser === undefined, 'no Chromium is installed here');
  const { ready, stop } = await startSandbox(['--demo']);
  onTestFinished(stop);
  const origin = new URL(ready.apiBaseUrl).origin;
  const headers = { authorization: `Bearer ${ready.apiToken}` };
  const tab = await openTab(browser ?? '', `${origin}/#${ready.apiToken}`);
  const text = (selector: string) => tab.evaluate(`document.querySelector('${selector}')?.innerText ?? ''`);
  const click = (selector: string) => tab.evaluate(`document.querySelector('${selector}').click()`);
  const showing = (selector: string, words: string) =>
    expect.poll(() => text(selector), { timeout: 20_000 }).toContain(words);

  await showing('#state', 'sandbox clock');
  expect(await tab.evaluate('location.href')).toBe(`${origin}/`);
  await fetch(`${ready.apiBaseUrl}/nowhere?<b>=1`, { headers });
  await showing('#request-rows', '/nowhere?');
  await fetch(
    `${ready.apiBaseUrl}/zones?${'a'.repeat(60)}=1&${'some more of them'.replaceAll(' ', '=1&')}=1`,
    { headers },
  );
  await showing('#request-rows', 'aaaa');
  // A long path and its notes leave enough space for the other columns: the method fits on one line.
  const lines = `(() => { const text = document.createRange();
    text.selectNodeContents(document.querySelector('#request-rows tr').cells[1]); return text.getClientRects().length; })()`;
  expect(await tab.evaluate(lines)).toBe(1);
  await fetch(`${ready.s3Endpoint}/pictures/a.png`);
  await showing('#request-rows', 's3:/pictures/a.png');
  await click('#request-rows tr:last-child');
  await showing('#request', 'No route for that URI');
  expect(await text('#request')).not.toContain(ready.apiToken);

  await click('#tab-hostnames');
  await showing('#hostname-rows', 'shop.tea-house.demo');
  await click('#tab-data');
  await showing('#containers', 'shop-SESSIONS');
  await tab.evaluate(
    "[...document.querySelectorAll('#containers button')].find((one) => one.innerText === 'shop-FEATURE_FLAGS').click()",
  );
  await showing('#names', 'cart.gift-wrapping');
  await click('#names button');
  await showing('#value', '{');

  await click('#tab-faults');
  await click('#switches button');
  await showing('#fault-rows', 'status 429');
  expect((await fetch(`${ready.apiBaseUrl}/zones`, { headers })).status).toBe(429);
  await click('#switches button');
  await expect.poll(() => text('#fault-rows'), { timeout: 20_000 }).toBe('');
  expect((await fetch(`${ready.apiBaseUrl}/zones`, { headers })).status).toBe(200);
  expect(tab.faults).toEqual([]);
});

async function openTab(program: string, url: string): Promise<Tab> {
  const profile = scratchFolder('browser');
  const child = spawn(
    program,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      url,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } },
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    while (child.exitCode === null && child.signalCode === null) await sleep(20);
  });
  const address = await addressIn(child.stderr);
  const pages = async () => {
    const answer = await fetch(`http://${new URL(address).host}/json/list`);
    return (await answer.json()) as { type: string; url: string; webSocketDebuggerUrl: string }[];
  };
  await expect
    .poll(async () => (await pages()).some(({ type }) => type === 'page'), { timeout: 20_000 })
    .toBe(true);
  const page = (await pages()).find(({ type }) => type === 'page');
  return speak(new WebSocket(page?.webSocketDebuggerUrl ?? ''));
}

async function addressIn(stream: NodeJS.ReadableStream): Promise<string> {
  let said = '';
  for await (const chunk of stream) {
    said += String(chunk);
    const found = /DevTools listening on (\S+)/.exec(said)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`the browser did not start:\n${said}`);
}

async function speak(socket: WebSocket): Promise<Tab> {
  const faults: string[] = [];
  const waiting = new Map<number, (result: { result?: { value?: unknown } }) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, method, result, params } = JSON.parse(String(data));
    if (id !== undefined) waiting.get(id)?.(result);
    else if (method === 'Runtime.exceptionThrown') faults.push(JSON.stringify(params));
  });
  await new Promise((settle) => socket.addEventListener('open', settle));
  let count = 0;
  const send = (method: string, params: object) =>
    new Promise<{ result?: { value?: unknown } }>((settle) => {
      count += 1;
      waiting.set(count, settle);
      socket.send(JSON.stringify({ id: count, method, params }));
    });
  await send('Runtime.enable', {});
  return {
    faults,
    async evaluate(expression) {
      return (await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result
        ?.value;
    },
  };
}
