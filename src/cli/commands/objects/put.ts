import { type ObjectAddress, parseObjectAddress } from '../../../model/objects/object.ts';
import { Problem } from '../../../model/problem.ts';
import type { ObjectMetadata } from '../../../services/objects/headers.ts';
import type { StoredObject } from '../../../services/objects/objects.ts';
import { type ObjectSource, openObjectSource } from '../../../services/objects/source.ts';
import { storeObject } from '../../../services/objects/store.ts';
import { Transfer } from '../../../services/objects/transfer.ts';
import type { Session } from '../../../services/session/session.ts';
import { formatSize } from '../../../text/size.ts';
import { openProgress } from '../../output/progress.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import type { localFlags } from '../../parsing/flags.ts';
import { localChoice } from '../kv/namespace-choice.ts';
import { type Keeping, keepsFor } from '../undo/keeping.ts';
import { checkBucket } from './check-bucket.ts';
import type * as declared from './declarations.ts';
import { metadataOf, withGuessedType } from './metadata.ts';
import { warnOfPaths } from './report.ts';

export const putCommand = command<typeof declared.objectPut>({
  async run(context, { args, flags }) {
    const { path } = flags;
    if (path === undefined) {
      throw new Problem('usage', 'Nothing to store is named: give a file with --path.', {
        hint: '--path - reads standard input.',
      });
    }
    const metadata = metadataOf(flags);
    if (flags.recursive) {
      if (flags.undo) throw new Problem('usage', '--undo keeps one object, and not what a folder replaces.');
      const { putFolder } = await import('./put-folder.ts');
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
  readonly flags: FlagValues<typeof localFlags> & { readonly quiet: boolean; readonly undo: boolean };
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
    const keeping = await keepsFor(context, flags.undo);
    const stored = await (keeping === undefined
      ? store()
      : storeKept(session, address, source, store, keeping));
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

async function storeKept(
  session: Session,
  address: ObjectAddress,
  source: ObjectSource,
  store: () => Promise<StoredObject>,
  keeping: Keeping,
): Promise<StoredObject> {
  const { storeKeeping } = await import('../../../services/undo/objects.ts');
  const { result, entry } = await storeKeeping(session, address, () => source.open(), store);
  keeping.said(entry);
  return result;
}
