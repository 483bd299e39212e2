import { readNamedFile } from '../../../files/read.ts';
import { changedNumberFault, changedNumberHint } from '../../../model/kv/changed-number.ts';
import { checkNewKey, isoSeconds, type KeyEntry, kvLimits } from '../../../model/kv/kv.ts';
import { isProblem, Problem } from '../../../model/problem.ts';
import { Samples } from '../../../model/samples.ts';
import * as kv from '../../../services/kv/kv.ts';
import { parseUnitDuration } from '../../../text/time.ts';
import { readBody } from '../../../v4/send.ts';
import type { World } from '../../../world.ts';
import { answerArray, jsonText } from '../../output/output.ts';
import { answerToTerminal, textOrBase64 } from '../../output/value.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import { interruptibleStdin } from '../../stdin.ts';
import { openUndoRecorder, type UndoFlags } from '../undo/undo-recorder.ts';
import type * as declared from './declarations.ts';
import type { Before, PreservedParts, Write } from './if-unchanged.ts';
import { type OpenNamespace, openNamespace } from './namespace-choice.ts';

export const putCommand = command<typeof declared.keyPut>({
  async run(context, { args, flags }) {
    const source = describeSource(args.VALUE, flags.path);
    const keep = { metadata: flags['keep-metadata'], expiry: flags['keep-expiry'] };
    refuseBoth(flags);
    const metadata = parseMetadata(flags.metadata);
    const write = await createWriter(context, flags);
    const namespace = await openNamespace(context, flags);
    const { session, id } = namespace;
    const value = await readSource(context.world, source);
    const { ttl, expiration } = flags;
    const entry: kv.NewValue = {
      value,
      ...(ttl === undefined ? {} : { ttl }),
      ...(expiration === undefined ? {} : { expiration }),
      ...(metadata === undefined ? {} : { metadata }),
      anyKey: flags['any-key'],
    };
    const before = await write(namespace, args.KEY, entry, keep);
    const what = 'path' in source ? `the contents of ${formatName(source.path)}` : 'the value';
    await context.output.result(`Wrote ${what} to key "${args.KEY}" in namespace id ${id}.`, {
      key: args.KEY,
      namespaceId: id,
      target: session.label,
      size: value.length,
      ...beforeFields(before),
    });
    if (typeof before === 'object') warnOfDropped(context, before, { ...entry, keep });
  },
});

function refuseBoth(flags: FlagValues<(typeof declared.keyPut)['flags']>): void {
  const { ttl, expiration, metadata } = flags;
  if (flags['keep-metadata'] && metadata !== undefined) throw bothGiven('--keep-metadata', '--metadata');
  if (!flags['keep-expiry']) return;
  if (ttl !== undefined) throw bothGiven('--keep-expiry', '--ttl');
  if (expiration !== undefined) throw bothGiven('--keep-expiry', '--expiration');
}

function bothGiven(keep: string, set: string): Problem {
  return new Problem('usage', `${keep} and ${set} cannot be used together.`, {
    hint: 'Use only one of them.',
  });
}

async function createWriter(
  context: Context,
  flags: FlagValues<(typeof declared.keyPut)['flags']>,
): Promise<Write> {
  const sha256 = flags['if-unchanged'];
  const keeping = await openUndoRecorder(context, flags, 'on request');
  if (sha256 !== undefined || keeping !== undefined)
    return (await import('./if-unchanged.ts')).changingWriter(sha256, keeping);
  return writePlainly;
}

/** Writes a key; reads its old metadata and expiry first, but not its value. */
async function writePlainly(
  { session, id }: OpenNamespace,
  key: string,
  entry: kv.NewValue,
  keep: PreservedParts,
): Promise<Before> {
  checkNewKey(key, entry.anyKey ?? false);
  kv.checkNewValue(entry, session.world.now());
  const before = await kv
    .readEntry(session, id, key, session.world.interrupted)
    .then((found) => found ?? 'absent')
    .catch((error: unknown) => unreadable(error, keep));
  const preserved = await toKeptParts(before, keep, session.world.now());
  await kv.writeValue(session, id, key, { ...entry, ...preserved });
  return before;
}

/** Accepts a token that can write but not list, unless metadata or expiry must be kept. Rethrows any other error. */
function unreadable(error: unknown, keep: PreservedParts): undefined {
  if (!isProblem(error) || error.code !== 'not-permitted' || keep.metadata || keep.expiry) throw error;
}

async function toKeptParts(before: Before, keep: PreservedParts, now: number): Promise<Partial<kv.NewValue>> {
  if (typeof before !== 'object') return {};
  const { metadata } = before;
  const expiry = keep.expiry
    ? (await import('../../../services/kv/key-change.ts')).preserveExpiry(before, now)
    : {};
  return { ...expiry, ...(keep.metadata && hasMetadata(metadata) && { metadata }) };
}

function hasMetadata(metadata: unknown): boolean {
  return metadata !== undefined && metadata !== null;
}

function beforeFields(before: Before) {
  if (before === undefined) return {};
  if (before === 'absent') return { replaced: false };
  const { metadata, expiration } = before;
  return {
    replaced: true,
    before: {
      ...(expiration !== undefined && { expiration: isoSeconds(expiration) }),
      ...(hasMetadata(metadata) && { metadata }),
    },
  };
}

/** Warns if the write dropped metadata or an expiry that the key had. */
function warnOfDropped(
  { output }: Context,
  { name, metadata, expiration }: KeyEntry,
  stored: kv.NewValue & { readonly keep: PreservedParts },
): void {
  const { keep } = stored;
  const setsExpiry = keep.expiry || stored.ttl !== undefined || stored.expiration !== undefined;
  const dropped = [
    ...(hasMetadata(metadata) && !keep.metadata && stored.metadata === undefined ? ['metadata'] : []),
    ...(expiration !== undefined && !setsExpiry ? ['expiry'] : []),
  ];
  if (dropped.length === 0) return;
  const flags = dropped.map((attribute) => `--keep-${attribute}`).join(' ');
  output.warn(
    `The write dropped the ${dropped.join(' and ')} of key "${name}". To keep ${dropped.length === 1 ? 'it' : 'them'} next time, use ${flags}`,
    {
      dropped,
    },
  );
}

type Source = { text: string } | { path: string };

function describeSource(text: string | undefined, path: string | undefined): Source {
  if (text !== undefined && path !== undefined) {
    throw new Problem('usage', 'VALUE and --path cannot be used together.', {
      hint: 'Use only one of them.',
    });
  }
  if (path !== undefined) return { path };
  if (text !== undefined) return { text };
  throw new Problem('usage', 'No value: specify VALUE, or a file with --path.', {
    hint: '--path - reads standard input. An empty string ("") is a valid value.',
  });
}

/** Returns the file name as typed, or "standard input" for `-`. */
function formatName(path: string): string {
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
      hint: `Quote the JSON for the shell: --metadata '{"plan":"pro"}'`,
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
    throw new Problem(
      'invalid-input',
      `${name} is too long: the maximum size of a value is 26,214,400 bytes (25 MiB).`,
    );
  }
}

export const listCommand = command<typeof declared.keyList>({
  async run(context, { flags }) {
    const limit = checkLimit(flags.limit);
    const { match, 'value-contains': valueContains, 'expires-within': typed } = flags;
    const expiresWithin = typed === undefined ? undefined : parseUnitDuration(typed, '--expires-within');
    const { session, id } = await openNamespace(context, flags);
    const isSearch = [match, valueContains, expiresWithin].some((text) => text !== undefined);
    const lost = new Samples();
    const signal = context.world.interrupted;
    const pages = isSearch
      ? (await import('../../../services/kv/search.ts')).searchKeys(
          { session, namespaceId: id, lost },
          {
            prefix: flags.prefix,
            match,
            valueContains,
            expiresWithin,
          },
          signal,
        )
      : kv.listKeys(session, id, {
          ...(flags.prefix === undefined ? {} : { prefix: flags.prefix }),
          ...(limit === undefined ? {} : { limit: Math.max(10, Math.min(limit, kvLimits.listLimit)) }),
          signal,
        });
    await answerArray(context.output, toRows(pages, flags.metadata), limit ?? Number.POSITIVE_INFINITY);
    if (lost.count > 0) (await import('./bulk-report.ts')).refuseLost(lost);
  },
});

function checkLimit(limit: number | undefined): number | undefined {
  if (limit === undefined || limit >= 1) return limit;
  throw new Problem('usage', `--limit must be at least 1, not ${limit}.`);
}

async function* toRows(
  pages: AsyncIterable<KeyEntry[]>,
  withMetadata: boolean,
): AsyncGenerator<Record<string, unknown>[]> {
  let count = 0;
  for await (const page of pages) {
    count += 1;
    // Without this call, V8 collects garbage only after many pages, and the heap would grow to 260 MB for a million keys.
    if (count === 2) (await import('../../../heap.ts')).keepHeapSmall();
    yield page.map((entry) => toRow(entry, withMetadata));
  }
}

function toRow(entry: KeyEntry, withMetadata: boolean) {
  return {
    name: entry.name,
    ...(entry.expiration === undefined ? {} : { expiration: isoSeconds(entry.expiration) }),
    ...(withMetadata && entry.metadata !== undefined ? { metadata: entry.metadata } : {}),
  };
}

export const getCommand = command<typeof declared.keyGet>({
  async run(context, { args, flags }) {
    const { session, id } = await openNamespace(context, flags);
    if (flags.metadata) {
      const entry = await kv.readEntry(session, id, args.KEY, context.world.interrupted);
      if (entry === undefined) throw missingKey(args.KEY, id);
      await context.output.answerJson(toRow(entry, true));
      return;
    }
    if (context.output.json) {
      // The module is loaded only with --json, because key-change.ts and its hash are not needed otherwise.
      const { readKey, hashValue } = await import('../../../services/kv/key-change.ts');
      const whole = await readKey(session, id, args.KEY, context.world.interrupted);
      if (whole === undefined) throw missingKey(args.KEY, id);
      const { name: _, ...attributes } = toRow(whole.entry, true);
      const sha256 = hashValue(whole.value);
      const fields = { key: args.KEY, ...textOrBase64(whole.value, flags.text), sha256, ...attributes };
      // Printed with `answer`, because `listing` would redact parts of the value that match a credential.
      await context.output.answer(`${jsonText(fields, 2)}\n`);
      return;
    }
    const value = await kv.readValue(session, id, args.KEY, context.world.interrupted);
    if (value === undefined) throw missingKey(args.KEY, id);
    await answerValue(context, value, flags.text);
  },
});

function missingKey(key: string, id: string): Problem {
  return new Problem('not-found', `Namespace id ${id} has no key "${key}".`);
}

async function answerValue({ output }: Context, value: kv.Value, text: boolean): Promise<void> {
  if (output.isTerminal) {
    await answerToTerminal(output, await readBody(value.body));
  } else if (text) {
    await output.answer(Buffer.from(await readBody(value.body)).toString('utf8'));
  } else if (value.body instanceof Uint8Array) {
    await output.answer(value.body);
  } else {
    for await (const chunk of value.body) await output.answer(chunk);
  }
}

export const deleteCommand = command<typeof declared.keyDelete>({
  async run(context, { args, flags }) {
    const { session, id } = await openNamespace(context, flags);
    const { deleted, ...saved } = await removeKey(context, { session, id }, args.KEY, flags);
    // The platform accepts the deletion of a missing key, so the line from the specification is printed even if the key did not exist.
    const missing = deleted ? '' : ' (it did not exist)';
    await context.output.result(`Deleted key "${args.KEY}" in namespace id ${id}${missing}.`, {
      key: args.KEY,
      namespaceId: id,
      target: session.label,
      deleted,
      ...saved,
    });
  },
});

/**
 * Deletes a key, and returns whether the key existed. The platform's response does not show whether the key existed. With undo, the saved
 * state shows whether the key existed; for a JSON answer, the key is looked up first. In all other cases, the key counts as existing.
 */
async function removeKey(
  context: Context,
  { session, id }: OpenNamespace,
  key: string,
  flags: UndoFlags,
): Promise<{ readonly deleted: boolean; readonly undo?: string }> {
  const keeping = await openUndoRecorder(context, flags, 'by default');
  if (keeping !== undefined) {
    const { removeKeyWithUndo } = await import('../../../services/undo/values.ts');
    const { before, entry } = await removeKeyWithUndo(session, id, key);
    return { deleted: before !== undefined, ...keeping.report(entry) };
  }
  const before = context.output.json ? await kv.readEntry(session, id, key) : key;
  await kv.removeKey(session, id, key);
  return { deleted: before !== undefined };
}
