import { type ObjectAddress, parseObjectAddress } from '../../model/object.ts';
import { Problem } from '../../model/problem.ts';
import type { ObjectMetadata } from '../../services/object-headers.ts';
import { openObjectSource } from '../../services/object-source.ts';
import { Transfer } from '../../services/object-transfer.ts';
import { checkUploadSize, writeObject } from '../../services/objects.ts';
import { formatSize } from '../../text/size.ts';
import { type Context, command, type FlagValues } from '../command.ts';
import { placeFlags } from '../flags.ts';
import { openProgress } from '../progress.ts';
import { placeOf } from './namespace-choice.ts';
import { metadataFlags, metadataOf, withGuessedType } from './objstore-metadata.ts';
import { checkBucket } from './objstore-place.ts';
import { warnOfPaths } from './objstore-report.ts';

export const putCommand = command({
  arguments: { ADDRESS: { about: 'BUCKET/KEY of the object; with --recursive BUCKET/PREFIX or BUCKET' } },
  flags: {
    path: { kind: 'path', placeholder: 'PATH', about: 'File to store; - is standard input' },
    recursive: { kind: 'boolean', about: 'Store all files of a folder' },
    ...metadataFlags,
    ...placeFlags,
  },
  examples: [
    ['objstore object put assets/logo.png --path logo.png', 'the content type follows from the name'],
    ['objstore object put assets/notes.txt --path -', 'standard input'],
    ['objstore object put assets/site --path public --recursive --cache-control max-age=60', 'a folder'],
  ],
  notes: ['KEY may hold any character. Everything behind the first slash of ADDRESS belongs to it.'],
  async run(context, { args, flags }) {
    const { path } = flags;
    if (path === undefined) {
      throw new Problem('usage', 'Nothing to store is named: give a file with --path.', {
        hint: '--path - reads standard input.',
      });
    }
    const metadata = metadataOf(flags);
    if (flags.recursive) {
      const { putFolder } = await import('./objstore-put-folder.ts');
      return putFolder(context, { address: args.ADDRESS, folder: path, metadata, flags });
    }
    const address = parseObjectAddress(args.ADDRESS);
    checkBucket(address.bucket, 'write', flags);
    return putOne(context, { address, path, metadata, flags });
  },
});

interface PutOne {
  readonly address: ObjectAddress;
  readonly path: string;
  readonly metadata: ObjectMetadata;
  readonly flags: FlagValues<typeof placeFlags> & { readonly quiet: boolean };
}

async function putOne(context: Context, { address, path, metadata, flags }: PutOne): Promise<undefined> {
  const { world, output } = context;
  const session = await context.session(placeOf(flags));
  const source = await openObjectSource(world, path);
  warnOfPaths(output, [{ key: address.key, relative: address.key }]);
  const display = openProgress(world, output, flags.quiet);
  try {
    checkUploadSize(source.size, source.name);
    const stored = await writeObject(session, address, {
      ...withGuessedType(metadata, source.name, address.key),
      size: source.size,
      open: new Transfer(session, display, 'uploading', source.size).tracked(() => source.open()),
    });
    display.end();
    const { bucket, key } = address;
    await output.result(
      `Stored ${source.name} as "${key}" in bucket "${bucket}" (${formatSize(stored.size)}, etag ${stored.etag}).`,
      { bucket, key, size: stored.size, etag: stored.etag, target: session.label },
    );
  } finally {
    display.end();
    await source.close();
  }
}
