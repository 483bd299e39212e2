import { basename } from 'node:path';
import { type ObjectAddress, parseObjectAddress } from '../../../model/objects/object.ts';
import { Problem } from '../../../model/problem.ts';
import type { ObjectMetadata } from '../../../services/objects/headers.ts';
import { openObjectSource } from '../../../services/objects/source.ts';
import { Transfer } from '../../../services/objects/transfer.ts';
import { storeObject } from '../../../services/objects/upload.ts';
import { commandLine } from '../../../text/shell.ts';
import { formatSize } from '../../../text/size.ts';
import { openProgress } from '../../output/progress.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import type { localFlags } from '../../parsing/flags.ts';
import { localChoice } from '../kv/namespace-choice.ts';
import { openUndoRecorder, type UndoFlags } from '../undo/undo-recorder.ts';
import { checkBucket } from './check-bucket.ts';
import type * as declared from './declarations.ts';
import { readMetadata, withGuessedType } from './metadata.ts';
import { describeReplaced, storeOver } from './replaced.ts';
import { warnOfPaths } from './report.ts';

export const putCommand = command<typeof declared.objectPut>({
  async run(context, { args, flags }) {
    const { path } = flags;
    if (path === undefined) {
      throw new Problem('usage', 'No file to store: specify --path.', {
        hint: '--path - reads standard input.',
      });
    }
    const metadata = readMetadata(flags);
    if (flags.recursive) {
      if (flags.undo) throw new Problem('usage', '--undo works with only one object, not with --recursive.');
      const { putFolder } = await import('./put-folder.ts');
      return putFolder(context, { address: args.ADDRESS, folder: path, metadata, flags });
    }
    if (!args.ADDRESS.includes('/')) throw keyless(args.ADDRESS, path);
    const address = parseObjectAddress(args.ADDRESS);
    checkBucket(address.bucket, 'write', flags);
    return putOne(context, { address, path, metadata, flags });
  },
});

function keyless(bucket: string, path: string): Problem {
  const put = (address: string) => commandLine(['objstore', 'object', 'put', address, '--path', path]);
  return new Problem('usage', `No key after the bucket name: "${bucket}".`, {
    hint: `One object: ${put(`${bucket}/${path === '-' ? 'KEY' : basename(path)}`)}. A folder: ${put(bucket)} --recursive`,
  });
}

interface PutOne {
  readonly address: ObjectAddress;
  readonly path: string;
  readonly metadata: ObjectMetadata;
  readonly flags: FlagValues<typeof localFlags> & UndoFlags & { readonly quiet: boolean };
}

async function putOne(context: Context, { address, path, metadata, flags }: PutOne): Promise<undefined> {
  const { world, output } = context;
  const session = await context.session(localChoice(flags));
  const source = await openObjectSource(world, path);
  warnOfPaths(output, [{ key: address.key, relative: address.key }]);
  const display = openProgress(world, output, flags.quiet);
  try {
    const store = () =>
      storeObject(
        session,
        address,
        source,
        withGuessedType(metadata, source.name, address.key),
        new Transfer(session, display, 'uploading', source.size),
      );
    const keeping = await openUndoRecorder(context, flags, 'on request');
    const { stored, ...before } = await storeOver(session, address, {
      keeping,
      mark: async () => (await import('../../../services/undo/objects.ts')).hashMd5(source.open()),
      store,
    });
    display.end();
    const { bucket, key } = address;
    const { size, etag } = stored;
    await output.result(
      `Stored ${source.name} as "${key}" in bucket "${bucket}" (${formatSize(size)}, etag ${etag})${describeReplaced(before)}.`,
      { bucket, key, size, etag, ...before, target: session.label },
    );
  } finally {
    display.end();
    await source.close();
  }
}
