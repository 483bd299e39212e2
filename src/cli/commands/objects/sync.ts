import { resolve } from 'node:path';
import { parseAddress } from '../../../model/objects/object.ts';
import { folderPrefix } from '../../../model/objects/path.ts';
import { Problem } from '../../../model/problem.ts';
import { Deletion } from '../../../services/deletions.ts';
import { openSync, type Sync, type SyncStep } from '../../../services/objects/sync.ts';
import { formatSize } from '../../../text/size.ts';
import { confirmationHash, describeHash, isConfirmed } from '../../confirmed-deletion.ts';
import { checkConfirm, checkDeleteLimit, massDeleteFlags, refuseOverLimit } from '../../delete-limit.ts';
import type { Fields, Output } from '../../output/output.ts';
import { openProgress } from '../../output/progress.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import { localChoice } from '../kv/namespace-choice.ts';
import { checkBucket } from './check-bucket.ts';
import type * as declared from './declarations.ts';
import { metadataFlags, type syncFlags } from './flags.ts';
import { readMetadata, withGuessedType } from './metadata.ts';
import { concludeMany, failedObject, formatCount, tellLeftOut, warnOfPaths } from './report.ts';

type SyncFlags = FlagValues<typeof syncFlags> & { readonly quiet: boolean; readonly yes: boolean };

export const syncCommand = command<typeof declared.objectSync>({
  async run(context, { args, flags }) {
    const { bucket, key } = parseAddress(args.ADDRESS);
    checkBucket(bucket, flags.download ? 'read or delete' : 'write', flags);
    const prefix = folderPrefix(key);
    if (flags.download) refuseMetadata(flags);
    checkConfirm(flags.confirm, flags.delete, flags['dry-run']);
    checkDeleteLimit(flags, flags.delete && !flags['dry-run']);
    const metadata = readMetadata(flags);
    const session = await context.session(localChoice(flags));
    const sides = { folder: resolve(context.world.cwd, args.DIR), folderName: args.DIR, bucket, prefix };
    const display = openProgress(context.world, context.output, flags.quiet);
    const typed = (file: { readonly name: string }) => withGuessedType(metadata, file.name, file.name);
    const direction = flags.download ? 'download' : 'upload';
    const sync = await openSync(session, sides, direction, typed, display).finally(() => display.end());
    const steps = flags.delete ? sync.steps : sync.steps.filter(({ action }) => action !== 'delete');
    const fields = { folder: args.DIR, bucket, prefix, leftOut: sync.leftOut, target: session.label };
    tellLeftOut(
      context.output,
      flags.download ? `${bucket}/${prefix} and ${args.DIR}` : args.DIR,
      sync.leftOut,
    );
    if (!flags.download) warnOfUploads(context.output, sync.steps, prefix);
    const deletion = toDeletion(steps, [
      'objstore object sync',
      session.label,
      ...(flags.download ? [sides.folder] : [bucket, prefix]),
    ]);
    const asked = flags.download
      ? { noun: 'file', place: args.DIR }
      : { noun: 'object', place: `${bucket}/${prefix}` };
    // The limit also applies to a dry run, so that a script can find out whether the real run would be refused.
    refuseOverLimit(deletion.count, asked.noun, flags.limit);
    if (flags['dry-run']) {
      const hash = await confirmationHash(context.world, deletion);
      return tellSteps(context, steps, sync, { ...fields, ...(hash !== undefined && { hash }) });
    }
    await confirmDeletions(context, steps, { ...asked, ...flags, deletion });
    return runSync(context, steps, sync, { ...fields, flags });
  },
});

/**
 * Returns the files or objects to delete, each with its name and its version. The version consists of the size and of the etag or the
 * modification time.
 */
function toDeletion(steps: readonly SyncStep[], place: readonly string[]): Deletion {
  const deletion = new Deletion(place);
  const deletions = steps.filter(({ action }) => action === 'delete');
  for (const { name, size, etag = '', modified = '' } of deletions.toSorted((one, other) =>
    one.name < other.name ? -1 : 1,
  ))
    deletion.add(name, `${size} ${etag}${modified}`);
  return deletion;
}

function refuseMetadata(flags: SyncFlags): void {
  const given = Object.keys(metadataFlags).find(
    (name) => flags[name as keyof typeof metadataFlags] !== undefined,
  );
  if (given === undefined) return;
  throw new Problem('usage', `--${given} works only with uploads, not with --download.`);
}

function warnOfUploads(output: Output, steps: readonly SyncStep[], prefix: string): void {
  const uploads = steps.filter(({ action }) => action === 'upload');
  warnOfPaths(
    output,
    uploads.map(({ name }) => ({ key: prefix + name, relative: name })),
  );
}

async function tellSteps(
  { output }: Context,
  steps: readonly SyncStep[],
  sync: Sync,
  fields: Fields & { readonly hash?: string },
): Promise<undefined> {
  const failed = sync.failures.map((failure) => failedObject(output, failure));
  if (output.json) return void (await output.answerJson({ ...fields, steps, same: sync.same, failed }));
  for (const { action, name, size, why } of steps) {
    await output.line(`${action} ${name} (${formatSize(size)}, ${why})`);
  }
  for (const { name, problem } of sync.failures) output.warn(`"${name}": ${problem.message}`, { key: name });
  output.note(`${formatCount(steps.length, 'step')}, ${sync.same} unchanged. Dry run: nothing was changed.`);
  if (fields.hash !== undefined) await output.line(describeHash(fields.hash));
}

interface Deletions {
  readonly noun: string;
  readonly place: string;
  readonly confirm?: string | undefined;
  readonly deletion: Deletion;
}

async function confirmDeletions(
  { ask, world }: Context,
  steps: readonly SyncStep[],
  { noun, place, confirm, deletion }: Deletions,
): Promise<void> {
  const deletions = steps.filter(({ action }) => action === 'delete');
  if (deletions.length === 0) return;
  if (isConfirmed(world, confirm, deletion)) return;
  const bytes = deletions.reduce((sum, { size }) => sum + size, 0);
  const what = `${formatCount(deletions.length, noun)} (${formatSize(bytes)}) found only in "${place}"`;
  await ask.confirm(
    `Delete ${what}?`,
    `${what} would be deleted.`,
    undefined,
    massDeleteFlags(deletions.length),
  );
}

interface RunSync extends Fields {
  readonly flags: SyncFlags;
}

/** Transfers objects. If all transfers succeeded, then deletes the files or objects that exist only in the destination. */
async function runSync(
  { world, output }: Context,
  steps: readonly SyncStep[],
  sync: Sync,
  { flags, ...fields }: RunSync,
): Promise<undefined> {
  const display = openProgress(world, output, flags.quiet);
  const deletions = steps.filter(({ action }) => action === 'delete').length;
  try {
    const report = await sync.transfer(display);
    const failures = [...sync.failures, ...report.failures];
    const deleted = report.failures.length === 0 ? deletions : 0;
    if (deleted > 0) await sync.removeExtra();
    display.end();
    const verb = flags.download ? 'Downloaded' : 'Uploaded';
    const rest = `deleted ${deleted}, ${sync.same} unchanged`;
    await concludeMany(
      output,
      { ...report, failures, same: sync.same },
      (objects) => `${verb} ${objects}, ${rest}`,
      {
        ...fields,
        deleted,
        same: sync.same,
      },
    );
  } finally {
    display.end();
  }
}
