// A list of a million keys in the console, on a real terminal over a platform that makes them as they are asked for: how
// much memory it takes, and how long a letter of a filter takes until its first frame and until all keys are looked at.
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';

const program = resolve('dist/edgectl.cjs');
const frameEnd = '\u001b[?2026l';
const account = 'a'.repeat(32);

/** Budgets: megabytes of resident memory, and milliseconds of a letter. */
const budgets = { megabytes: 250, milliseconds: 100 };

/** Rows { name, megabytes, megabytesBudget } and { name, milliseconds, letterBudget } of lists of so many keys. */
export async function benchLists({ sizes = [100_000, 1_000_000] } = {}) {
  const rows = [];
  for (const keys of sizes) rows.push(...(await benchList(keys)));
  return rows;
}

async function benchList(keys) {
  const platform = await platformOf(keys);
  const terminal = open(platform.url);
  const said = keys.toLocaleString('en');
  try {
    await terminal.until(/Namespaces/);
    terminal.write('1');
    await terminal.until(/SESSIONS/);
    terminal.write('\r');
    await terminal.until(/session:0000000/);
    terminal.write('L');
    await terminal.until(new RegExp(`${said} keys`), 300_000);
    await sleep(1000);
    const listed = terminal.megabytes();
    const rows = [
      { name: `console, ${said} keys listed`, megabytes: listed, megabytesBudget: budgets.megabytes },
    ];
    terminal.write('/');
    await terminal.until(/regex/);
    for (const letter of '7123') rows.push(await letterRow(terminal, letter, said));
    rows.push({ name: `console, ${said} keys filtered`, megabytes: terminal.megabytes() });
    return rows;
  } finally {
    terminal.close();
    await platform.close();
  }
}

/** A letter of a filter: until the first frame, and until all keys have been looked at. */
async function letterRow(terminal, letter, said) {
  terminal.clear();
  const start = performance.now();
  terminal.write(letter);
  await terminal.until(new RegExp(frameEnd.replaceAll(/[[?]/g, '\\$&')));
  const first = performance.now() - start;
  await terminal.until(new RegExp(`[^…] of ${said} loaded`));
  const milliseconds = performance.now() - start;
  return {
    name: `console, ${said} keys, filter ${letter}`,
    first,
    milliseconds,
    millisecondsBudget: budgets.milliseconds,
  };
}

/** A platform with one namespace, whose keys are made as they are listed. */
async function platformOf(keys) {
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://platform');
    const [result, info] = answer(url, keys);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success: true, errors: [], messages: [], result, result_info: info }));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${server.address().port}/client/v4`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function answer(url, keys) {
  if (url.pathname.endsWith('/keys')) {
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const to = Math.min(keys, from + Number(url.searchParams.get('limit') ?? 1000));
    const page = Array.from({ length: to - from }, (_, at) => keyAt(from + at));
    return [page, { count: page.length, cursor: to < keys ? String(to) : '' }];
  }
  if (url.pathname.endsWith('/namespaces')) {
    const found = [{ id: 'b'.repeat(32), title: 'SESSIONS', supports_url_encoding: true }];
    return [found, { page: 1, per_page: 1000, count: 1, total_count: 1, total_pages: 1 }];
  }
  return [[], { page: 1, per_page: 50, count: 0, total_count: 0, total_pages: 1 }];
}

function keyAt(index) {
  return {
    name: `session:${String(index).padStart(7, '0')}:user-${(index * 7919) % 1000}`,
    ...(index % 3 === 0 && { expiration: 2_000_000_000 + index, metadata: { index } }),
  };
}

/** A console on a pseudo-terminal. */
function open(baseUrl) {
  const home = mkdtempSync(join(tmpdir(), 'bench-lists-'));
  const pty = spawn(process.execPath, [program, 'console'], {
    cols: 120,
    rows: 40,
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TERM: 'xterm-256color',
      EDGECTL_API_BASE_URL: baseUrl,
      EDGECTL_API_TOKEN: 'token-of-the-bench-token-of-the-bench-12',
      EDGECTL_ACCOUNT_ID: account,
    },
  });
  let text = '';
  let waiting = [];
  pty.onData((data) => {
    text = (text + data).slice(-200_000);
    waiting = waiting.filter((look) => !look());
  });
  return {
    write: (press) => pty.write(press),
    clear: () => {
      text = '';
    },
    until: (wanted, patience = 30_000) =>
      new Promise((resolved, reject) => {
        const late = () =>
          reject(new Error(`the console did not draw ${wanted}: ${JSON.stringify(text.slice(-600))}`));
        const timer = setTimeout(late, patience);
        const look = () => {
          if (!wanted.test(text)) return false;
          clearTimeout(timer);
          resolved();
          return true;
        };
        if (!look()) waiting.push(look);
      }),
    megabytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pty.pid}/status`, 'utf8'))[1]) / 1000,
    close: () => pty.kill('SIGKILL'),
  };
}
