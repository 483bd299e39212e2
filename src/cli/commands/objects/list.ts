import { type ObjectEntry, objectLimits, parseAddress } from '../../../model/objects/object.ts';
import { Problem } from '../../../model/problem.ts';
import { listObjects, type ObjectPage } from '../../../services/objects/objects.ts';
import { answerArray } from '../../output/json-array.ts';
import { command } from '../../parsing/command.ts';
import { placeFlags } from '../../parsing/flags.ts';
import { placeOf } from '../kv/namespace-choice.ts';
import { checkBucket } from './place.ts';
import { entryRow } from './rows.ts';

export const listCommand = command({
  arguments: { BUCKET: { about: 'Name of the bucket' } },
  flags: {
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Only keys that start with this' },
    delimiter: {
      kind: 'text',
      placeholder: 'TEXT',
      about: 'Show what keys share up to this (usually /) once, instead of each of them',
    },
    'start-after': { kind: 'text', placeholder: 'KEY', about: 'Only keys behind this one' },
    limit: { kind: 'number', placeholder: 'COUNT', about: 'At most so many rows' },
    metadata: { kind: 'boolean', about: 'Show HTTP and custom metadata as well' },
    ...placeFlags,
  },
  examples: [
    ['objstore object list assets', 'every object, streamed'],
    ['objstore object list assets --prefix img/ --delimiter /', 'as a folder: objects and folders in it'],
  ],
  notes: ['Rows are in the order of the keys’ UTF-8 bytes; a group is the row {"prefix": "img/"}.'],
  async run(context, { args, flags }) {
    const { bucket, key } = parseAddress(args.BUCKET);
    if (key !== '') {
      throw new Problem('usage', `"${args.BUCKET}" names more than a bucket.`, {
        hint: `Write: objstore object list ${bucket} --prefix ${key}`,
      });
    }
    checkBucket(bucket, 'read or delete', flags);
    const limit = checkLimit(flags.limit) ?? Number.POSITIVE_INFINITY;
    const session = await context.session(placeOf(flags));
    const pages = listObjects(session, bucket, {
      prefix: flags.prefix,
      delimiter: flags.delimiter,
      startAfter: flags['start-after'],
      limit: Math.min(limit, objectLimits.listLimit),
    });
    await answerArray(context.output, rowsOf(pages, flags.metadata), limit);
  },
});

function checkLimit(limit: number | undefined): number | undefined {
  if (limit === undefined || limit >= 1) return limit;
  throw new Problem('usage', `--limit is a count of at least 1; this is ${limit}.`);
}

async function* rowsOf(
  pages: AsyncIterable<ObjectPage>,
  withMetadata: boolean,
): AsyncGenerator<Record<string, unknown>[]> {
  for await (const { objects, prefixes } of pages) {
    const rows = [
      ...objects.map((entry) => ({ at: Buffer.from(entry.key), row: rowOf(entry, withMetadata) })),
      ...prefixes.map((prefix) => ({ at: Buffer.from(prefix), row: { prefix } })),
    ];
    yield rows.sort((a, b) => Buffer.compare(a.at, b.at)).map(({ row }) => row);
  }
}

function rowOf(entry: ObjectEntry, withMetadata: boolean): Record<string, unknown> {
  const row = entryRow(entry);
  if (withMetadata) return row;
  const { key, size, etag, uploaded } = row;
  const { contentType } = entry.httpMetadata;
  return { key, size, etag, uploaded, ...(contentType === undefined ? {} : { contentType }) };
}
