import { readNamedFile } from '../../../files/read.ts';
import { changedNumberFault, changedNumberHint } from '../../../model/kv/changed-number.ts';
import { isoSeconds, type KeyEntry, kvLimits } from '../../../model/kv/kv.ts';
import { Problem } from '../../../model/problem.ts';
import { Samples } from '../../../model/samples.ts';
import * as kv from '../../../services/kv/kv.ts';
import { readBody } from '../../../v4/send.ts';
import type { World } from '../../../world.ts';
import { answerArray } from '../../output/json-array.ts';
import { jsonText } from '../../output/output.ts';
import { answerToTerminal, textOrBase64 } from '../../output/value-output.ts';
import { type Context, command } from '../../parsing/command.ts';
import { namespaceFlags, placeFlags } from '../../parsing/flags.ts';
import { interruptibleStdin } from '../../stdin.ts';
import { type OpenNamespace, openNamespace } from './namespace-choice.ts';

const keyArgument = { about: 'Name of the key' } as const;

export const putCommand = command({
  arguments: { KEY: keyArgument, VALUE: { about: 'The value, as UTF-8 text', optional: true } },
  flags: {
    ...namespaceFlags,
    ...placeFlags,
    path: {
      kind: 'path',
      placeholder: 'PATH',
      about: 'Read the value from this file instead; - is standard input',
    },
    ttl: {
      kind: 'number',
      placeholder: 'SECONDS',
      about: 'Expire after this time, at least 60; wins over --expiration',
    },
    expiration: { kind: 'number', placeholder: 'UNIX_SECONDS', about: 'Expire at this time' },
    metadata: { kind: 'text', placeholder: 'JSON', about: 'A JSON object of at most 1,024 bytes' },
    'any-key': { kind: 'boolean', about: 'Allow white space and unprintable characters in the key' },
    'if-unchanged': {
      kind: 'text',
      placeholder: 'SHA256',
      about: 'Write only while the stored value has this SHA-256 (kv key get --json tells it)',
    },
  },
  examples: [
    ['kv key put greeting hello --binding KV', 'write a text'],
    ['kv key put logo --path logo.png --binding KV --ttl 3600', 'write a file that expires in an hour'],
    [`kv key put user:1 --path - --binding KV --metadata '{"plan":"pro"}'`, 'write standard input'],
  ],
  notes: [
    'The platform has no atomic form of --if-unchanged: the value is read, compared and written, and another writer can come between.',
    'Where the value is another one, or the key is missing, nothing is written: exit code 1.',
  ],
  async run(context, { args, flags }) {
    const source = sourceOf(args.VALUE, flags.path);
    const metadata = parseMetadata(flags.metadata);
    const write = await writerOf(flags['if-unchanged']);
    const place = await openNamespace(context, flags);
    const { session, id } = place;
    const value = await readSource(context.world, source);
    await write(place, args.KEY, {
      value,
      ...(flags.ttl === undefined ? {} : { ttl: flags.ttl }),
      ...(flags.expiration === undefined ? {} : { expiration: flags.expiration }),
      ...(metadata === undefined ? {} : { metadata }),
      anyKey: flags['any-key'],
    });
    const what = 'path' in source ? `the contents of ${nameOf(source.path)}` : 'the value';
    await context.output.result(`Wrote ${what} to key "${args.KEY}" on namespace id ${id}.`, {
      key: args.KEY,
      namespaceId: id,
      target: session.label,
      bytes: value.length,
    });
  },
});

type Write = (place: OpenNamespace, key: string, entry: kv.NewValue) => Promise<void>;

async function writerOf(sha256: string | undefined): Promise<Write> {
  if (sha256 !== undefined) return (await import('./if-unchanged.ts')).writerIfUnchanged(sha256);
  return ({ session, id }, key, entry) => kv.writeValue(session, id, key, entry);
}

type Source = { text: string } | { path: string };

function sourceOf(text: string | undefined, path: string | undefined): Source {
  if (text !== undefined && path !== undefined) {
    throw new Problem('usage', 'Both a VALUE and --path are given; a key has one value.', {
      hint: 'Keep one.',
    });
  }
  if (path !== undefined) return { path };
  if (text !== undefined) return { text };
  throw new Problem('usage', 'No value is given: type a VALUE, or name a file with --path.', {
    hint: '--path - reads standard input. An empty text ("") is a value.',
  });
}

/** A file's name as it was typed; `-` in words. */
function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path;
}

function parseMetadata(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const fault = changedNumberFault(text);
    if (fault === undefined) return JSON.parse(text);
    throw new Problem('invalid-input', `--metadata ${fault}.`, { hint: changedNumberHint });
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('invalid-input', `--metadata is not JSON: ${(error as Error).message}.`, {
      cause: error,
      hint: `Quote it for the shell: --metadata '{"plan":"pro"}'`,
    });
  }
}

async function readSource(world: World, source: Source): Promise<Uint8Array> {
  if ('text' in source) return Buffer.from(source.text);
  if (source.path === '-') return readLimited(interruptibleStdin(world), 'Standard input');
  const { path: name } = source;
  return readNamedFile(world, { name }, (bytes) => readLimited(bytes, name));
}

async function readLimited(stream: AsyncIterable<Uint8Array>, name: string): Promise<Uint8Array> {
  try {
    return await readBody(stream, kvLimits.valueBytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Problem('invalid-input', `${name} is longer than a value can be: 26,214,400 bytes (25 MiB).`);
  }
}

export const listCommand = command({
  arguments: {},
  flags: {
    ...namespaceFlags,
    ...placeFlags,
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Only keys that start with this' },
    limit: { kind: 'number', placeholder: 'COUNT', about: 'At most so many keys' },
    metadata: { kind: 'boolean', about: "Show each key's metadata as well" },
    match: { kind: 'text', placeholder: 'GLOB', about: 'Only keys that match: * any characters, ? one' },
    'value-contains': { kind: 'text', placeholder: 'TEXT', about: 'Only keys whose value contains this' },
    'expires-within': {
      kind: 'text',
      placeholder: 'DURATION',
      about: 'Only keys that expire within this: 90m, 7d',
    },
  },
  examples: [
    ['kv key list --binding KV', 'every key, streamed'],
    [`kv key list --binding KV --match 'user:*:cart' --expires-within 7d`, 'what is about to go'],
    ['kv key list --binding KV --prefix user: --limit 10 --metadata', 'the first ten with their metadata'],
  ],
  async run(context, { flags }) {
    const limit = checkLimit(flags.limit);
    const { session, id } = await openNamespace(context, flags);
    const { match, 'value-contains': valueContains, 'expires-within': expiresWithin } = flags;
    const isSearch = [match, valueContains, expiresWithin].some((text) => text !== undefined);
    const lost = new Samples();
    const signal = context.world.interrupted;
    const pages = isSearch
      ? (await import('../../../services/kv/search.ts')).searchKeys(
          { session, namespaceId: id, lost },
          { prefix: flags.prefix, match, valueContains, expiresWithin },
          signal,
        )
      : kv.listKeys(session, id, {
          ...(flags.prefix === undefined ? {} : { prefix: flags.prefix }),
          ...(limit === undefined ? {} : { limit: Math.max(10, Math.min(limit, kvLimits.listLimit)) }),
          signal,
        });
    await answerArray(context.output, rowsOf(pages, flags.metadata), limit ?? Number.POSITIVE_INFINITY);
    if (lost.count > 0) (await import('./bulk-report.ts')).refuseLost(lost);
  },
});

function checkLimit(limit: number | undefined): number | undefined {
  if (limit === undefined || limit >= 1) return limit;
  throw new Problem('usage', `--limit is a count of at least 1; this is ${limit}.`);
}

async function* rowsOf(
  pages: AsyncIterable<KeyEntry[]>,
  withMetadata: boolean,
): AsyncGenerator<Record<string, unknown>[]> {
  for await (const page of pages) yield page.map((entry) => rowOf(entry, withMetadata));
}

function rowOf(entry: KeyEntry, withMetadata: boolean): Record<string, unknown> {
  return {
    name: entry.name,
    ...(entry.expiration === undefined ? {} : { expiration: isoSeconds(entry.expiration) }),
    ...(withMetadata && entry.metadata !== undefined ? { metadata: entry.metadata } : {}),
  };
}

export const getCommand = command({
  arguments: { KEY: keyArgument },
  flags: {
    ...namespaceFlags,
    ...placeFlags,
    text: { kind: 'boolean', about: 'Decode the value as UTF-8 text' },
    metadata: { kind: 'boolean', about: 'Print metadata and expiry as JSON instead of the value' },
  },
  examples: [
    ['kv key get greeting --binding KV', 'the stored bytes and nothing else'],
    ['kv key get logo --binding KV > logo.png', 'into a file'],
    ['kv key get user:1 --binding KV --metadata', 'name, expiration and metadata'],
    ['kv key get user:1 --binding KV --json', 'the value and its SHA-256, for kv key put --if-unchanged'],
  ],
  notes: [
    'On a terminal, a value with control characters is shown escaped; through a pipe it is always the bytes.',
    'A missing key ends with exit code 3 and nothing on stdout.',
  ],
  async run(context, { args, flags }) {
    const { session, id } = await openNamespace(context, flags);
    if (flags.metadata) {
      const entry = await kv.readEntry(session, id, args.KEY, context.world.interrupted);
      if (entry === undefined) throw missingKey(args.KEY, id);
      await context.output.answerJson(rowOf(entry, true));
      return;
    }
    const value = await kv.readValue(session, id, args.KEY, context.world.interrupted);
    if (value === undefined) throw missingKey(args.KEY, id);
    await answerValue(context, args.KEY, value, flags.text);
  },
});

function missingKey(key: string, id: string): Problem {
  return new Problem('not-found', `Namespace id ${id} has no key "${key}".`);
}

async function answerValue(context: Context, key: string, value: kv.Value, text: boolean): Promise<void> {
  const { output } = context;
  if (output.json) {
    const bytes = await readBody(value.body);
    const expiration = value.expiration === undefined ? {} : { expiration: isoSeconds(value.expiration) };
    // Not as a listing: a value stays what it is, whatever it holds.
    const { sha256Of } = await import('../../../services/kv/key-change.ts');
    const fields = { key, ...textOrBase64(bytes, text), sha256: sha256Of(bytes), ...expiration };
    await output.answer(`${jsonText(fields, 2)}\n`);
  } else if (output.isTerminal) {
    await answerToTerminal(output, await readBody(value.body));
  } else if (text) {
    await output.answer(Buffer.from(await readBody(value.body)).toString('utf8'));
  } else if (value.body instanceof Uint8Array) {
    await output.answer(value.body);
  } else {
    for await (const chunk of value.body) await output.answer(chunk);
  }
}

export const deleteCommand = command({
  arguments: { KEY: keyArgument },
  flags: { ...namespaceFlags, ...placeFlags },
  examples: [['kv key delete greeting --binding KV', 'a missing key is no fault']],
  async run(context, { args, flags }) {
    const { session, id } = await openNamespace(context, flags);
    await kv.removeKey(session, id, args.KEY);
    await context.output.result(`Deleted key "${args.KEY}" on namespace id ${id}.`, {
      key: args.KEY,
      namespaceId: id,
      target: session.label,
      deleted: true,
    });
  },
});
