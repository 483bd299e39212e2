import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/run.ts';
import { isRunning } from '../../../src/liveness.ts';
import { checkJson } from '../../answers/check.ts';
import { visitEdge } from '../../sandbox/workers/test-sandbox.ts';
import { inSoak, sampleCases } from '../../support/in-part.ts';
import { program, userEnvironment } from '../../support/program.ts';
import { runCommand } from '../../support/run-command.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';

const home = scratchFolder('home');
const env = userEnvironment(home);

let folder: string;
const stops: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  folder = scratchFolder('dev');
  mkdirSync(join(folder, 'src'));
  write('edgectl.toml', config());
  write('src/index.ts', worker('text'));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Stops a process, and returns its exit code. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  const [code] = await ended;
  return code;
}

function write(name: string, content: string): void {
  writeFileSync(join(folder, name), content);
}

function config(more = ''): string {
  return `name = "local"\nmain = "src/index.ts"\ncompatibility_date = "2026-11-01"\n${more}
[[kv_namespaces]]\nbinding = "KV"\nid = "production-id"\npreview_id = "preview-id"
[[objstore_buckets]]\nbinding = "BUCKET"\nbucket_name = "pictures"\n`;
}

function worker(answer: string): string {
  return `import { word } from './word.ts';
export default { async fetch(request: Request, env: any): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/value') return new Response(await env.KV.get('key'));
  if (pathname === '/write') { await env.KV.put('from-worker', 'written'); return new Response('ok'); }
  if (pathname === '/env') return Response.json({ ...env, KV: undefined, BUCKET: undefined });
  if (pathname === '/throw') throw new Error('boom');
  console.log('visited ' + pathname);
  return new Response('${answer} ' + word);
} };`;
}

interface Dev {
  readonly url: string;
  readonly apiBaseUrl: string;
  readonly port: number;
  said(): string;
  /** Waits until standard error contains the text. */
  until(text: string): Promise<void>;
  get(path: string): Promise<string>;
}

/** A running `edgectl dev`: its output, and its exit code once it has ended. */
interface Running {
  out(): string;
  err(): string;
  ended(): number | undefined;
}

/** Waits until `dev` serves requests. */
async function served({ out, err, ended }: Running): Promise<Dev> {
  while (!out().endsWith('}\n')) {
    if (ended() !== undefined) throw new Error(`dev did not start:\n${err()}`);
    await sleep(10);
  }
  const { url, apiBaseUrl } = JSON.parse(out());
  const port = Number(new URL(url).port);
  return {
    url,
    apiBaseUrl,
    port,
    said: err,
    async until(text) {
      while (!err().includes(text)) {
        if (ended() !== undefined) throw new Error(`dev ended:\n${err()}`);
        await sleep(10);
      }
    },
    get: async (path) => (await visitEdge(port, 'localhost', path)).text,
  };
}

const serving = ['dev', '--port', '0', '--json'];

/** Runs `dev` in this process, until the test ends. */
async function startDev(
  flags: readonly string[] = [],
  report: (said: string) => void = () => undefined,
): Promise<Dev> {
  const stop = new AbortController();
  const options = { argv: [...serving, ...flags], cwd: folder, folders: foldersIn(home) };
  const world = testWorld({ ...options, interrupted: stop.signal });
  let code: number | undefined;
  // Sleeps in real time, so that file changes can settle.
  const wait = async (milliseconds: number, signal?: AbortSignal) =>
    sleep(milliseconds, undefined, { signal });
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      report(String(chunk));
      world.stderr.write(chunk, done);
    },
  });
  const run = runCommandLine({ ...world, stderr, sleep: wait }, async () => 1).then((ended) => {
    code = ended;
    checkJson(world.argv, { code: ended, out: world.outText(), err: world.errText() });
  });
  stops.push(async () => {
    stop.abort();
    await run;
  });
  return served({ out: world.outText, err: world.errText, ended: () => code });
}

/** Runs `dev` in a separate process. */
async function spawnDev(): Promise<Dev & { readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [program, ...serving], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stops.push(() => end(child, 'SIGTERM'));
  const parts = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (parts.out += chunk));
  child.stderr.on('data', (chunk: Buffer) => (parts.err += chunk));
  const dev = await served({
    out: () => parts.out,
    err: () => parts.err,
    ended: () => child.exitCode ?? undefined,
  });
  return { ...dev, child };
}

/** Runs another command as the same user, in this process. */
async function beside(...argv: string[]): Promise<string> {
  const { code, out, err } = await runCommand({ home, cwd: folder, env: {} }, argv);
  expect({ code, err }).toMatchObject({ code: 0 });
  return out;
}

/**
 * Runs another edgectl in a separate process. The function is asynchronous because the server that the command may contact runs in this
 * process.
 */
async function edgectl(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { cwd: folder, env });
  return stdout;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns the descendants of a process that run workerd, found through the parent ids that the system reports. */
function getWorkerds(parent: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, above, command]) => Number(above) === parent && command?.endsWith('/workerd'))
    .map(([pid]) => Number(pid));
}

const at = (id: string) => ['--namespace-id', id, '--local'];

describe('edgectl dev', { timeout: 60_000 }, () => {
  beforeEach(() => write('src/word.ts', "export const word: string = 'one';"));

  test('runs the worker, and restarts it when an imported file changes', async () => {
    const dev = await startDev();
    expect(await dev.get('/')).toBe('text one');
    write('src/word.ts', "export const word: string = 'two';");
    await dev.until('"Reloaded."');
    expect(await dev.get('/')).toBe('text two');
    expect(dev.said()).toContain('"message":"visited /"');
  });

  test.each(sampleCases([1, 0], 2))(
    'ends workerd when its process is killed after %i reloads',
    async (reloads) => {
      const dev = await spawnDev();
      for (let reload = 0; reload < reloads; reload += 1) {
        write('src/word.ts', `export const word: string = 'reload ${reload}';`);
        await dev.until('"Reloaded."');
      }
      const workerds = getWorkerds(dev.child.pid ?? 0);
      expect(workerds).toHaveLength(1);
      await end(dev.child, 'SIGKILL');
      while (workerds.some(isRunning)) await sleep(10);
    },
  );

  test('reports a change that cannot run, keeps the worker running, and loads the fixed file', async () => {
    const dev = await startDev();
    write('src/word.ts', 'export const word = ;');
    await dev.until('src/word.ts:1:21');
    expect(await dev.get('/')).toBe('text one');
    write('src/index.ts', worker('text').replace('./word.ts', './new.ts'));
    await dev.until('Could not resolve');
    write('src/new.ts', "export const word: string = 'new';");
    await dev.until('"Reloaded."');
    expect(await dev.get('/')).toBe('text new');
  });

  inSoak(() => {
    test('reports a failure once, even if it is logged to a file next to the sources', async () => {
      const log = join(folder, 'src/dev.log.ts');
      const dev = await startDev([], (said) => appendFileSync(log, said));
      write('src/word.ts', 'export const word = ;');
      await dev.until('src/word.ts:1:21');
      write('src/unrelated.ts', 'export {};');
      write('src/word.ts', 'export const  word = ;');
      await dev.until('src/word.ts:1:22');
      expect(dev.said().split('src/word.ts:1:21')).toHaveLength(2);
      write('src/word.ts', "export const word: string = 'mended';");
      await dev.until('"Reloaded."');
      expect(dev.said().split('"error"').length - 1).toBe(2 * 2);
    });
  });

  inSoak(() => {
    test('reloads the worker when a missing import appears in a folder that was missing', async () => {
      const dev = await startDev();
      write('src/index.ts', worker('text').replace('./word.ts', './lib/new.js'));
      await dev.until('Could not resolve');
      mkdirSync(join(folder, 'src/lib'));
      write('src/lib/new.ts', "export const word: string = 'new';");
      await dev.until('"Reloaded."');
      expect(await dev.get('/')).toBe('text new');
    });
  });

  inSoak(() => {
    test('passes variables, secrets of .dev.vars and their changes to the worker', async () => {
      write('edgectl.toml', config('[vars]\nWORD = "plain"\nTOKEN = "not a secret"\n'));
      write('.dev.vars', 'TOKEN="local secret"\n');
      const dev = await startDev();
      expect(JSON.parse(await dev.get('/env'))).toEqual({ WORD: 'plain', TOKEN: 'local secret' });
      rmSync(join(folder, '.dev.vars'));
      await dev.until('"Reloaded."');
      expect(JSON.parse(await dev.get('/env'))).toEqual({ WORD: 'plain', TOKEN: 'not a secret' });
      expect(dev.said()).not.toContain('local secret');
    });
  });

  inSoak(() => {
    test('shares data between another edgectl --local and the worker in both directions', async () => {
      await beside('kv', 'key', 'put', 'key', 'before', ...at('production-id'));
      const dev = await startDev();
      expect(await dev.get('/value')).toBe('before');
      await edgectl('kv', 'key', 'put', 'key', 'beside', ...at('production-id'));
      expect(await dev.get('/value')).toBe('beside');
      await dev.get('/write');
      const written = await edgectl('kv', 'key', 'get', 'from-worker', '--binding', 'KV', '--local');
      expect(written).toBe('written');
      await stops.pop()?.();
      expect(await beside('kv', 'key', 'get', 'from-worker', ...at('production-id'))).toBe('written');
    });
  });

  inSoak(() => {
    test('uses preview ids with --preview, and another folder with --persist-to', async () => {
      await beside('kv', 'key', 'put', 'key', 'preview value', ...at('preview-id'), '--persist-to', 'data');
      const dev = await startDev(['--preview', '--persist-to', 'data']);
      expect(await dev.get('/value')).toBe('preview value');
      expect(readdirSync(folder)).not.toContain('.edgectl');
    });
  });

  test('answers only to names of this machine and the hosts of its routes', async () => {
    write(
      'edgectl.toml',
      `routes = ["shop.example/*", { pattern = "tea.example", custom_domain = true }]\n${config()}`,
    );
    const dev = await startDev();
    const statusAt = async (host: string) => (await visitEdge(dev.port, host, '/')).status;
    for (const host of ['localhost', '127.0.0.1', 'worker.localhost', 'shop.example', 'tea.example'])
      expect(await statusAt(host)).toBe(200);
    expect(await visitEdge(dev.port, 'rebound.evil.example', '/')).toMatchObject({
      status: 403,
      text: expect.stringContaining('localhost'),
    });
    write('edgectl.toml', config());
    await expect.poll(() => statusAt('shop.example'), { timeout: 10_000 }).toBe(403);
  });

  test('requires the token of the lease for its API, and rejects other users, pages and the worker itself', async () => {
    write(
      'src/index.ts',
      `export default { async fetch(request: Request): Promise<Response> {
      const at = request.headers.get('x-at') ?? '';
      return new Response(String((await fetch(at, { method: 'POST' })).status));
    } };`,
    );
    await beside('kv', 'key', 'put', 'key', 'kept', ...at('production-id'));
    const dev = await startDev();
    const reset = `${dev.apiBaseUrl}/sandbox/reset`;
    const page = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' };
    expect((await fetch(reset, { method: 'POST' })).status).toBe(401);
    expect((await fetch(reset, { method: 'POST', headers: page })).status).toBe(403);
    expect((await visitEdge(dev.port, 'localhost', '/', { headers: { 'x-at': reset } })).text).toBe('401');
    expect(await beside('kv', 'key', 'get', 'key', ...at('production-id'))).toBe('kept');
    const lease = join(folder, '.edgectl/state/lease.json');
    expect(statSync(lease).mode & 0o777).toBe(0o600);
    const { token } = JSON.parse(readFileSync(lease, 'utf8'));
    expect(dev.said()).not.toContain(token);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(reset, { method: 'POST', headers })).status).toBe(200);
  });

  test('rejects data that contains a link before a worker can follow the link', async () => {
    await beside('kv', 'key', 'put', 'key', 'secret', ...at('production-id'));
    const blobs = join(folder, '.edgectl/state/v3/kv/production-id/blobs');
    renameSync(blobs, join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), blobs);
    await expect(startDev()).rejects.toThrow(`${blobs} is a symbolic link`);
  });

  inSoak(() => {
    test('writes data without conflicts while another edgectl and a busy worker write', async () => {
      const dev = await startDev();
      const state = { busy: true, answers: new Set<string>() };
      const visits = (async () => {
        while (state.busy) state.answers.add(await dev.get('/write'));
      })();
      const entries = Array.from({ length: 2000 }, (_, index) => ({ key: `k${index}`, value: 'v' }));
      write('bulk.json', JSON.stringify(entries));
      const bulk = ['kv', 'bulk', 'put', 'bulk.json', ...at('production-id')];
      const child = spawn(process.execPath, [program, ...bulk], { cwd: folder, env });
      const said: Buffer[] = [];
      child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
      const [code] = await once(child, 'exit');
      state.busy = false;
      await visits;
      expect({ code, answers: [...state.answers] }, Buffer.concat(said).toString()).toEqual({
        code: 0,
        answers: ['ok'],
      });
    });
  });

  test.each(sampleCases(['SIGINT', 'SIGTERM'] as const, 2))(
    'is rejected if it is the second on the same folder; %s stops the first with its runtime and releases the folder',
    async (signal) => {
      const dev = await spawnDev();
      await expect(startDev()).rejects.toThrow(`Process ${dev.child.pid} already serves`);
      expect(await dev.get('/')).toBe('text one');
      const children = execFileSync('pgrep', ['-x', 'workerd', '-P', String(dev.child.pid)], {
        encoding: 'utf8',
      })
        .trim()
        .split('\n');
      expect(children.length).toBeGreaterThan(0);
      expect(await end(dev.child, signal)).toBe(0);
      for (const pid of children)
        await expect.poll(() => isAlive(Number(pid)), { timeout: 10_000 }).toBe(false);
      const again = await startDev();
      expect(await again.get('/')).toBe('text one');
    },
  );

  test('rejects a port in use, and releases the folder', async () => {
    const blocker = createServer().listen({ port: 0, host: '127.0.0.1' });
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    await expect(startDev(['--port', String(port)])).rejects.toThrow(`Port ${port} is in use`);
    blocker.close();
    expect(await (await startDev()).get('/')).toBe('text one');
  });

  test('rejects code that does not start, with the message of the runtime', async () => {
    write('src/index.ts', 'throw new Error("at the top"); export default {};');
    await expect(startDev()).rejects.toThrow('Uncaught Error: at the top');
  });

  test('answers an exception of the worker with 500, and reports it without stack frames of the runtime', async () => {
    const dev = await startDev();
    expect((await visitEdge(dev.port, 'localhost', '/throw')).status).toBe(500);
    await dev.until('"message":"Uncaught Error: boom"');
  });
});

inSoak(() => {
  test('runs the example project unchanged', { timeout: 60_000 }, async () => {
    const example = join(import.meta.dirname, '../../../examples/bucket-worker');
    write('edgectl.toml', readFileSync(join(example, 'edgectl.toml'), 'utf8'));
    for (const name of ['index.ts', 'objects.ts']) {
      write(`src/${name}`, readFileSync(join(example, 'src', name), 'utf8'));
    }
    write('.dev.vars', 'AUTH_KEY_SECRET="key"\n');
    const dev = await startDev();
    const headers = { 'X-Custom-Auth-Key': 'key' };
    await visitEdge(dev.port, 'localhost', '/cat-pic.jpg', { method: 'PUT', body: 'meow', headers });
    expect(await dev.get('/cat-pic.jpg')).toBe('meow');
  });
});
