/**
 * The real wrangler, loaded once for many command lines: each start takes two seconds of CPU. Reads one `HostedRun`
 * per line from descriptor 3 and answers each with a `HostedResult` on descriptor 4.
 */
import { createReadStream, writeSync } from 'node:fs';
import { createRequire, flushCompileCache, registerHooks } from 'node:module';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';

export interface HostedRun {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** The content of standard input (default: empty). */
  readonly stdin?: string | undefined;
}

export interface HostedResult {
  readonly code: number;
  /** Standard output and standard error, encoded as base64. */
  readonly stdout: string;
  readonly stderr: string;
}

const cli = process.argv[2] ?? '';

// Functions called by wrangler's entry point, which wrangler does not export.
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    return url.endsWith('/wrangler-dist/cli.js')
      ? { ...loaded, source: `${loaded.source}\nexports.main = main; exports.FatalError = FatalError;` }
      : loaded;
  },
});
const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };

/**
 * Creates a stream that records everything that is written, even after its end: `--pipe` ends the stream, and wrangler may write
 * afterwards.
 */
function keeping(saved: Buffer[]): Writable {
  const stream = new Writable();
  stream.write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => {
    saved.push(Buffer.from(chunk as string));
    const called = typeof encoding === 'function' ? encoding : done;
    if (typeof called === 'function') process.nextTick(called);
    return true;
  };
  return stream;
}

/** Sets up new streams for each run, because wrangler waits until the previous streams end. */
function openStreams(stdin: string | undefined): void {
  const streams = {
    stdin: Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]),
    stdout: keeping(chunks.stdout),
    stderr: keeping(chunks.stderr),
  };
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true });
}

openStreams(undefined);
const { main, FatalError } = createRequire(import.meta.url)(cli) as {
  main(args: readonly string[]): Promise<void>;
  FatalError: new () => { readonly code?: number };
};
// The caller kills this process to stop it.
flushCompileCache();

/** Does the same as wrangler's entry point at the end of its main function. */
async function readCode(run: HostedRun): Promise<number> {
  process.chdir(run.cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, run.env);
  process.argv = [process.execPath, cli, ...run.args];
  process.exitCode = undefined;
  openStreams(run.stdin);
  try {
    await main(run.args);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return (error instanceof FatalError && error.code) || 1;
  }
}

for await (const line of createInterface({ input: createReadStream('', { fd: 3 }) })) {
  const code = await readCode(JSON.parse(line) as HostedRun);
  const [stdout = '', stderr = ''] = [chunks.stdout, chunks.stderr].map((said) =>
    Buffer.concat(said.splice(0)).toString('base64'),
  );
  const answer = Buffer.from(`${JSON.stringify({ code, stdout, stderr } satisfies HostedResult)}\n`);
  for (let sent = 0; sent < answer.length; ) sent += writeSync(4, answer, sent);
}
process.exit(0);
