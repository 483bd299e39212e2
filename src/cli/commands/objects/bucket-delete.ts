import { checkBucketName } from '../../../model/objects/bucket.ts';
import { Problem } from '../../../model/problem.ts';
import { deleteBucket, readBucket } from '../../../services/objects/buckets.ts';
import { countObjects, removeBelow } from '../../../services/objects/remove.ts';
import { openProgress } from '../../output/progress.ts';
import { command } from '../../parsing/command.ts';
import { refuseLocal } from '../session/account-only.ts';
import type * as declared from './declarations.ts';
import { formatAmount } from './delete.ts';

export const deleteCommand = command<typeof declared.bucketDelete>({
  async run(context, { args, flags }) {
    refuseLocal(flags, 'createBuckets');
    checkBucketName(args.BUCKET_NAME);
    const { world, output, ask } = context;
    const session = await context.session();
    const { name } = await readBucket(session, args.BUCKET_NAME);
    const count = await countObjects(session, name, '');
    const holds = count.objects === 0 ? 'which is empty' : `which contains ${formatAmount(count)}`;
    if (count.objects > 0 && !flags['empty-first']) {
      throw new Problem('refused', `Bucket "${name}" was not deleted: it contains ${formatAmount(count)}.`, {
        hint: 'To delete its objects too, use --empty-first.',
      });
    }
    await ask.confirm(
      `Delete bucket "${name}", ${holds}, on ${session.label}? This cannot be undone.`,
      `Bucket "${name}", ${holds}, would be deleted.`,
    );
    context.dryRun?.end(session.label, [{ does: 'delete', what: `bucket ${name}, ${holds}` }]);
    if (!output.json) await output.line(`Deleting bucket "${name}".`);
    const display = openProgress(world, output, flags.quiet);
    const total = count.more ? undefined : count.objects;
    const objects =
      count.objects === 0
        ? 0
        : await removeBelow(session, name, '', total, display).finally(() => display.end());
    await deleteBucket(session, name);
    await output.result(`Deleted bucket "${name}".`, { name, objects, deleted: true });
  },
});
