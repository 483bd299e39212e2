import { resolve } from 'node:path';
import { parseAddress } from '../../../model/objects/object.ts';
import { folderPrefix } from '../../../model/objects/path.ts';
import { Problem } from '../../../model/problem.ts';
import { walkFolder } from '../../../services/objects/folder.ts';
import type { ObjectMetadata } from '../../../services/objects/headers.ts';
import { uploadFiles } from '../../../services/objects/upload.ts';
import { openProgress } from '../../output/progress.ts';
import type { Context } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import type { localFlags } from '../../parsing/flags.ts';
import { localChoice } from '../kv/namespace-choice.ts';
import { checkBucket } from './check-bucket.ts';
import { withGuessedType } from './metadata.ts';
import { concludeMany, tellLeftOut, warnOfPaths } from './report.ts';

export interface PutFolder {
  /** BUCKET/PREFIX or BUCKET. */
  readonly address: string;
  readonly folder: string;
  readonly metadata: ObjectMetadata;
  readonly flags: FlagValues<typeof localFlags> & { readonly quiet: boolean };
}

/** `objstore object put --recursive`: stores all files in a folder, each under the prefix plus its path in the folder. */
export async function putFolder(context: Context, put: PutFolder): Promise<undefined> {
  const { world, output } = context;
  const { bucket, key } = parseAddress(put.address);
  checkBucket(bucket, 'write', put.flags);
  const prefix = folderPrefix(key);
  if (put.folder === '-') throw new Problem('usage', '--recursive requires a folder, not standard input.');
  const { files, leftOut } = await walkFolder(resolve(world.cwd, put.folder), put.folder);
  const session = await context.session(localChoice(put.flags));
  tellLeftOut(output, put.folder, leftOut);
  const display = openProgress(world, output, put.flags.quiet);
  const uploads = files.map((file) => ({ file, key: prefix + file.name }));
  warnOfPaths(
    output,
    uploads.map(({ file, key }) => ({ key, relative: file.name })),
  );
  context.dryRun?.end(
    session.label,
    uploads.map(({ file, key: name }) => ({ does: 'store', what: `${bucket}/${name}`, bytes: file.size })),
  );
  const report = await uploadFiles(
    session,
    bucket,
    uploads,
    ({ file, key }) => withGuessedType(put.metadata, file.name, key),
    display,
  ).finally(() => display.end());
  const place = `${bucket}/${prefix}`;
  await concludeMany(output, report, (objects) => `Stored ${objects} below "${place}"`, {
    bucket,
    prefix,
    leftOut,
    target: session.label,
  });
}
