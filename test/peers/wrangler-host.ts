/**
 * The real wrangler, loaded once for many command lines: a start of its own costs each two seconds of a processor.
 * Reads a `HostedRun` a line from descriptor 3 and answers each with a `HostedResult` on descriptor 4.
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
  /** What standard input holds; empty when left out. */
  readonly stdin?: string | undefined;
}

export interface HostedResult {
  readonly code: number;
  /** In base64. */
  readonly stdout: string;
  readonly stderr: string;
}

const cli = process.argv[2] ?? '';

// It keeps to itself what its own entry calls.
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    return url.endsWith('/wrangler-dist/cli.js')
      ? { ...loaded, source: `${loaded.source}\nexports.main = main; exports.FatalError = FatalError;` }
      : loaded;
  },
});
const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };

/** A stream that keeps what is written, also behind its end: `--pipe` ends it, and who knows it may write on. */
function keeping(kept: Buffer[]): Writable {
  const stream = new Writable();
  stream.write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => {
    kept.push(Buffer.from(chunk as string));
    const called = typeof encoding === 'function' ? encoding : done;
    if (typeof called === 'function') process.nextTick(called);
    return true;
  };
  return stream;
}

/** Gives wrangler streams of this run, which those of the last one may not be any more: it waits for their end. */
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
// Who ends this process kills it.
flushCompileCache();

/** What wrangler's own entry does with an end of its main function. */
async function codeOf(run: HostedRun): Promise<number> {
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
  const code = await codeOf(JSON.parse(line) as HostedRun);
  const [stdout = '', stderr = ''] = [chunks.stdout, chunks.stderr].map((said) =>
    Buffer.concat(said.splice(0)).toString('base64'),
  );
  const answer = Buffer.from(`${JSON.stringify({ code, stdout, stderr } satisfies HostedResult)}\n`);
  for (let sent = 0; sent < answer.length; ) sent += writeSync(4, answer, sent);
}
process.exit(0);
