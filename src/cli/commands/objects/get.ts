import type { OutputFile } from '../../../files/output-file.ts';
import { type ObjectAddress, parseObjectAddress } from '../../../model/objects/object.ts';
import { Problem } from '../../../model/problem.ts';
import { openDownload } from '../../../services/objects/download.ts';
import { fetchObject } from '../../../services/objects/fetch.ts';
import { type OpenObject, readObject, readObjectEntry } from '../../../services/objects/objects.ts';
import { checkedBytes } from '../../../services/objects/save.ts';
import { Transfer } from '../../../services/objects/transfer.ts';
import type { Session } from '../../../services/session/session.ts';
import { formatSize } from '../../../text/size.ts';
import { readBody } from '../../../v4/send.ts';
import { openProgress } from '../../output/progress.ts';
import { answerToTerminal, textOrBase64 } from '../../output/value.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import { existingFileMode } from '../../parsing/flags.ts';
import { localChoice } from '../kv/namespace-choice.ts';
import { checkBucket } from './check-bucket.ts';
import type * as declared from './declarations.ts';
import type { getFlags } from './flags.ts';
import { entryRow } from './rows.ts';

type GetFlags = FlagValues<typeof getFlags> & { readonly quiet: boolean };

export const getCommand = command<typeof declared.objectGet>({
  async run(context, { args, flags }) {
    if (flags.metadata && (flags.recursive || flags.file !== undefined)) {
      throw new Problem(
        'usage',
        '--metadata prints the metadata of one object, so it cannot be used with --recursive or --file.',
        {
          hint: 'For many objects: objstore object list BUCKET --metadata',
        },
      );
    }
    if (flags.recursive) {
      const { getFolder } = await import('./get-folder.ts');
      return getFolder(context, args.ADDRESS, flags);
    }
    const address = parseObjectAddress(args.ADDRESS);
    checkBucket(address.bucket, 'read or delete', flags);
    const session = await context.session(localChoice(flags));
    if (flags.metadata) return printEntry(context, session, address);
    const file = await openTarget(context, flags);
    if (file !== undefined) return getIntoFile(context, session, address, { ...flags, opened: file });
    return printBytes(context, await openObject(session, address), address);
  },
});

async function printEntry(context: Context, session: Session, address: ObjectAddress): Promise<undefined> {
  const entry = await readObjectEntry(session, address);
  if (entry === undefined) throw missing(address);
  await context.output.answerJson(entryRow(entry));
}

async function openObject(session: Session, address: ObjectAddress): Promise<OpenObject> {
  const opened = await readObject(session, address);
  if (opened === undefined) throw missing(address);
  return opened;
}

function missing({ bucket, key }: ObjectAddress): Problem {
  return new Problem('not-found', `Bucket "${bucket}" has no object "${key}".`);
}

/** Checks the output file; returns undefined for standard output. */
async function openTarget({ world }: Context, flags: GetFlags): Promise<OutputFile | undefined> {
  if (flags.file === undefined) return undefined;
  const file = await openDownload(world, { name: flags.file, ifThere: existingFileMode(flags) });
  return file.destination.kind === 'stdout' ? undefined : file;
}

async function getIntoFile(
  context: Context,
  session: Session,
  address: ObjectAddress,
  { file, opened: destination, quiet }: GetFlags & { readonly opened: OutputFile },
): Promise<undefined> {
  const { world, output } = context;
  const display = openProgress(world, output, quiet);
  let transfer = new Transfer(session, display, 'downloading', undefined);
  const fetched = await fetchObject(session, address, destination, (size) => {
    transfer = new Transfer(session, display, 'downloading', size);
    return transfer;
  }).finally(() => display.end());
  if (fetched === undefined) throw missing(address);
  const { bucket, key } = address;
  await output.result(`Wrote "${key}" from bucket "${bucket}" to ${file} (${formatSize(transfer.done)}).`, {
    bucket,
    key,
    file,
    size: transfer.done,
    ...(fetched.etag === undefined ? {} : { etag: fetched.etag }),
    target: session.label,
  });
}

/** Maximum number of bytes of an object that a terminal or a JSON answer shows. */
const shownBytes = 1024 * 1024;

async function printBytes(context: Context, opened: OpenObject, address: ObjectAddress): Promise<undefined> {
  const { world, output } = context;
  const bytes = checkedBytes(world, address.key, opened);
  if (!output.json && !output.isTerminal) {
    for await (const chunk of bytes) await output.answer(chunk);
    return;
  }
  const all = await readBody(bytes, shownBytes).catch((error: unknown) => {
    if (!(error instanceof RangeError)) throw error;
    throw new Problem('refused', `"${address.key}" is too large to print: more than 1 MiB.`, {
      hint: 'Write the object to a file with --file PATH, or use a pipe.',
    });
  });
  if (!output.json) return void (await answerToTerminal(output, all));
  const { etag, contentType } = opened;
  await output.answerJson({
    ...address,
    size: all.length,
    ...(etag === undefined ? {} : { etag }),
    ...(contentType === undefined ? {} : { contentType }),
    ...textOrBase64(all, false),
  });
}
