import { parseAddress, parseObjectAddress } from '../../../model/objects/object.ts';
import { Problem } from '../../../model/problem.ts';
import { copyObject } from '../../../services/objects/copy.ts';
import { readObjectEntry } from '../../../services/objects/objects.ts';
import { formatSize } from '../../../text/size.ts';
import { openProgress } from '../../output/progress.ts';
import { command } from '../../parsing/command.ts';
import { localChoice } from '../kv/namespace-choice.ts';
import { openUndoRecorder } from '../undo/undo-recorder.ts';
import { checkBucket } from './check-bucket.ts';
import type * as declared from './declarations.ts';
import { describeReplaced, storeOver } from './replaced.ts';

export const copyCommand = command<typeof declared.objectCopy>({
  async run(context, { args, flags }) {
    const { world, output } = context;
    const from = parseObjectAddress(args.SOURCE);
    const wanted = parseAddress(args.DESTINATION);
    const to = wanted.key === '' ? { ...wanted, key: from.key } : parseObjectAddress(args.DESTINATION);
    if (from.bucket === to.bucket && from.key === to.key) {
      throw new Problem('usage', `Source and destination are the same: "${args.SOURCE}".`);
    }
    checkBucket(from.bucket, 'read or delete', flags);
    checkBucket(to.bucket, 'write', flags);
    const session = await context.session(localChoice(flags));
    const display = openProgress(world, output, flags.quiet);
    const keeping = await openUndoRecorder(context, flags, 'on request');
    const { stored, ...before } = await storeOver(session, to, {
      keeping,
      mark: async () => (await readObjectEntry(session, from))?.etag ?? '',
      store: () => copyObject(session, from, to, display),
    }).finally(() => display.end());
    if (stored === undefined) {
      throw new Problem('not-found', `Bucket "${from.bucket}" has no object "${from.key}".`);
    }
    const { size, etag } = stored;
    const end = `(${formatSize(size)})${describeReplaced(before)}`;
    const line = `Copied "${from.key}" to "${to.key}" in bucket "${to.bucket}" ${end}.`;
    await output.result(line, { from, to, size, etag, ...before, target: session.label });
  },
});
