import { type ObjectAddress, parseAddress, parseObjectAddress } from '../../../model/objects/object.ts';
import { folderPrefix } from '../../../model/objects/path.ts';
import { Problem } from '../../../model/problem.ts';
import { readObjectEntry, removeObject } from '../../../services/objects/objects.ts';
import { countObjects, type ObjectCount, removeBelow, removeKeys } from '../../../services/objects/remove.ts';
import { formatSize } from '../../../text/size.ts';
import { checkDeleteLimit, refuseOverLimit } from '../../delete-limit.ts';
import { openProgress } from '../../output/progress.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import { localChoice } from '../kv/namespace-choice.ts';
import { openUndoRecorder } from '../undo/undo-recorder.ts';
import { checkBucket } from './check-bucket.ts';
import type * as declared from './declarations.ts';
import type { deleteFlags } from './flags.ts';
import { formatCount } from './report.ts';

type DeleteFlags = FlagValues<typeof deleteFlags> & { readonly yes: boolean; readonly quiet: boolean };

export const deleteCommand = command<typeof declared.objectDelete>({
  async run(context, { args, flags }) {
    if (flags.undo && (flags.recursive || args.ADDRESS.length > 1)) throw onlyOne();
    checkDeleteLimit(flags, false);
    if (flags.recursive) return deleteBelow(context, args.ADDRESS, flags);
    const addresses = args.ADDRESS.map(parseObjectAddress);
    for (const { bucket } of addresses) checkBucket(bucket, 'read or delete', flags);
    const [first] = addresses;
    if (addresses.length === 1 && first !== undefined) return deleteOne(context, first, flags);
    return deleteSeveral(context, addresses, flags);
  },
});

function onlyOne(): Problem {
  return new Problem('usage', '--undo works with only one object; nothing was sent.', {
    hint: 'To save the objects first: edgectl objstore object get BUCKET/PREFIX --recursive --file DIR',
  });
}

async function deleteOne(context: Context, address: ObjectAddress, flags: DeleteFlags): Promise<undefined> {
  const session = await context.session(localChoice(flags));
  // The platform's answer does not show whether the object existed. Only a JSON answer justifies another request to find out.
  const isMissing = context.output.json && (await readObjectEntry(session, address)) === undefined;
  const keeping = await openUndoRecorder(context, flags, 'by default');
  let saved: { readonly undo?: string } = {};
  if (keeping === undefined) await removeObject(session, address);
  else {
    const { removeObjectWithUndo } = await import('../../../services/undo/objects.ts');
    const entry = await removeObjectWithUndo(session, address, (size) =>
      keeping.tooLarge(`Object "${address.key}"`, size),
    );
    saved = keeping.report(entry);
  }
  const { bucket, key } = address;
  await context.output.result(`Deleted object "${key}" from bucket "${bucket}".`, {
    bucket,
    key,
    deleted: !isMissing,
    target: session.label,
    ...saved,
  });
}

async function deleteSeveral(
  context: Context,
  addresses: readonly ObjectAddress[],
  flags: DeleteFlags,
): Promise<undefined> {
  const session = await context.session(localChoice(flags));
  const objects = formatCount(addresses.length, 'object');
  await context.ask.confirm(`Delete ${objects} on ${session.label}?`, `${objects} would be deleted.`);
  context.dryRun?.end(
    session.label,
    addresses.map(({ bucket, key }) => ({ does: 'delete', what: `${bucket}/${key}` })),
  );
  for (const [bucket, keys] of byBucket(addresses)) await removeKeys(session, bucket, keys);
  await context.output.result(`Deleted ${objects}.`, {
    objects: addresses,
    deleted: addresses.length,
    target: session.label,
  });
}

function byBucket(addresses: readonly ObjectAddress[]): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  for (const { bucket, key } of addresses) keys.set(bucket, [...(keys.get(bucket) ?? []), key]);
  return keys;
}

async function deleteBelow(
  context: Context,
  texts: readonly string[],
  flags: DeleteFlags,
): Promise<undefined> {
  const { world, output, ask } = context;
  if (texts.length !== 1) throw new Problem('usage', '--recursive requires exactly one BUCKET/PREFIX.');
  const { bucket, key } = parseAddress(texts[0] ?? '');
  checkBucket(bucket, 'read or delete', flags);
  const prefix = folderPrefix(key);
  const session = await context.session(localChoice(flags));
  const count = await countObjects(session, bucket, prefix);
  const place = `${bucket}/${prefix}`;
  refuseOverLimit(count.objects, 'object', flags.limit);
  if (count.objects > 0) {
    const objects = formatAmount(count);
    await ask.confirm(
      `Delete ${objects} below "${place}" on ${session.label}? This cannot be undone.`,
      `${objects} below "${place}" would be deleted.`,
    );
  }
  context.dryRun?.end(session.label, [{ does: 'delete', what: `${formatAmount(count)} below ${place}` }]);
  const display = openProgress(world, output, flags.quiet);
  const total = count.more ? undefined : count.objects;
  const deleted = await removeBelow(session, bucket, prefix, total, display).finally(() => display.end());
  await output.result(`Deleted ${formatCount(deleted, 'object')} below "${place}".`, {
    bucket,
    prefix,
    deleted,
    target: session.label,
  });
}

/** Formats a count: "12 objects (3.2 MiB)", "more than 10,000 objects". */
export function formatAmount({ objects, bytes, more }: ObjectCount): string {
  return more
    ? `more than ${formatCount(objects, 'object')}`
    : `${formatCount(objects, 'object')} (${formatSize(bytes)})`;
}
