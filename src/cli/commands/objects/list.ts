import { type ObjectEntry, objectLimits, parseAddress } from '../../../model/objects/object.ts';
import { Problem } from '../../../model/problem.ts';
import { listObjects, type ObjectPage } from '../../../services/objects/objects.ts';
import { answerArray } from '../../output/output.ts';
import { command } from '../../parsing/command.ts';
import { localChoice } from '../kv/namespace-choice.ts';
import { checkBucket } from './check-bucket.ts';
import type * as declared from './declarations.ts';
import { entryRow } from './rows.ts';

export const listCommand = command<typeof declared.objectList>({
  async run(context, { args, flags }) {
    const { bucket, key } = parseAddress(args.BUCKET);
    if (key !== '') {
      throw new Problem('usage', `"${args.BUCKET}" is not a bucket name.`, {
        hint: `Use: edgectl objstore object list ${bucket} --prefix ${key}`,
      });
    }
    checkBucket(bucket, 'read or delete', flags);
    const limit = checkLimit(flags.limit) ?? Number.POSITIVE_INFINITY;
    const session = await context.session(localChoice(flags));
    const pages = listObjects(session, bucket, {
      prefix: flags.prefix,
      delimiter: flags.delimiter,
      startAfter: flags['start-after'],
      limit: Math.min(limit, objectLimits.listLimit),
    });
    await answerArray(context.output, toRows(pages, flags.metadata), limit);
  },
});

function checkLimit(limit: number | undefined): number | undefined {
  if (limit === undefined || limit >= 1) return limit;
  throw new Problem('usage', `--limit must be at least 1, not ${limit}.`);
}

async function* toRows(
  pages: AsyncIterable<ObjectPage>,
  withMetadata: boolean,
): AsyncGenerator<Record<string, unknown>[]> {
  for await (const { objects, prefixes } of pages) {
    const rows = [
      ...objects.map((entry) => ({ at: Buffer.from(entry.key), row: toRow(entry, withMetadata) })),
      ...prefixes.map((prefix) => ({ at: Buffer.from(prefix), row: { prefix } })),
    ];
    yield rows.sort((a, b) => Buffer.compare(a.at, b.at)).map(({ row }) => row);
  }
}

function toRow(entry: ObjectEntry, withMetadata: boolean): Record<string, unknown> {
  const row = entryRow(entry);
  if (withMetadata) return row;
  const { key, size, etag, uploaded } = row;
  const { contentType } = entry.httpMetadata;
  return { key, size, etag, uploaded, ...(contentType === undefined ? {} : { contentType }) };
}
