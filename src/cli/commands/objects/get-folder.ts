import { resolve } from 'node:path';
import { parseAddress } from '../../../model/objects/object.ts';
import { folderPrefix } from '../../../model/objects/path.ts';
import { Problem } from '../../../model/problem.ts';
import { downloadObjects, listAll, planDownloads, stillToFetch } from '../../../services/objects/download.ts';
import { groupDigits } from '../../../text/size.ts';
import { openProgress } from '../../output/progress.ts';
import type { Context } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import { existingFileMode, type localFlags } from '../../parsing/flags.ts';
import { localChoice } from '../kv/namespace-choice.ts';
import { checkBucket } from './check-bucket.ts';
import { concludeMany } from './report.ts';

type GetFolderFlags = FlagValues<typeof localFlags> & {
  readonly file: string | undefined;
  readonly force: boolean;
  readonly quiet: boolean;
};

/** `objstore object get --recursive`: downloads all objects below a prefix to a folder, and creates the folder if needed. */
export async function getFolder(context: Context, text: string, flags: GetFolderFlags): Promise<undefined> {
  const { world, output } = context;
  const { bucket, key } = parseAddress(text);
  checkBucket(bucket, 'read or delete', flags);
  const prefix = folderPrefix(key);
  if (flags.file === undefined) {
    throw new Problem('usage', '--recursive requires a folder to write to: specify --file.');
  }
  const session = await context.session(localChoice(flags));
  const entries = await listAll(session, bucket, prefix);
  if (entries.length === 0) {
    throw new Problem('not-found', `No objects found below "${bucket}/${prefix}".`);
  }
  const { downloads, failures } = planDownloads(entries, prefix);
  const display = openProgress(world, output, flags.quiet);
  const folder = resolve(world.cwd, flags.file);
  const left = await stillToFetch(session, downloads, entries, folder);
  const unchanged = downloads.length - left.length;
  const report = await downloadObjects(session, bucket, left, folder, display, {
    ifThere: existingFileMode(flags),
  }).finally(() => display.end());
  const all = { ...report, failures: [...failures, ...report.failures], same: unchanged };
  const there = unchanged === 0 ? '' : `, ${groupDigits(unchanged)} unchanged`;
  await concludeMany(output, all, (objects) => `Wrote ${objects} to ${flags.file}${there}`, {
    bucket,
    prefix,
    folder: flags.file,
    same: unchanged,
    target: session.label,
  });
}
