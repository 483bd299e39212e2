import { describeDifferences } from '../../../model/hostnames/fleet/differences.ts';
import { bucketJurisdictions, noJurisdiction } from '../../../model/jurisdiction.ts';
import {
  type Bucket,
  bucketLocations,
  checkBucketName,
  storageClasses,
} from '../../../model/objects/bucket.ts';
import * as buckets from '../../../services/objects/buckets.ts';
import { command } from '../../parsing/command.ts';
import { parseOneOf } from '../../parsing/one-of.ts';
import { refuseLocal } from '../session/account-only.ts';
import type * as declared from './declarations.ts';

export const createCommand = command<typeof declared.bucketCreate>({
  async run(context, { args, flags }) {
    refuseLocal(flags, 'createBuckets');
    const options = {
      location: parseOneOf('--location', flags.location, bucketLocations),
      storageClass: parseOneOf('--storage-class', flags['storage-class'], storageClasses),
      jurisdiction: parseOneOf('--jurisdiction', flags.jurisdiction, bucketJurisdictions),
    };
    const session = await context.session();
    const name = args.BUCKET_NAME;
    const { bucket, created, differences } = flags['if-not-exists']
      ? await buckets.ensureBucket(session, name, options)
      : { bucket: await buckets.createBucket(session, name, options), created: true, differences: [] };
    await context.output.result(`${created ? 'Created' : 'Using existing'} bucket "${bucket.name}".`, {
      ...shown(bucket),
      created,
      ...(differences.length > 0 && { differences }),
    });
    if (differences.length > 0) {
      context.output.warn(
        `Bucket "${bucket.name}" has different settings: ${describeDifferences(differences)}.`,
      );
    }
  },
});

function shown({ name, createdOn, location, storageClass, jurisdiction }: Bucket) {
  return {
    name,
    ...(createdOn === undefined ? {} : { createdOn }),
    ...(location === undefined ? {} : { location }),
    ...(storageClass === undefined ? {} : { storageClass }),
    ...(jurisdiction === undefined ? {} : { jurisdiction }),
  };
}

export const listCommand = command<typeof declared.bucketList>({
  async run(context, { flags }) {
    refuseLocal(flags, 'createBuckets');
    const jurisdiction = parseOneOf('--jurisdiction', flags.jurisdiction, [
      noJurisdiction,
      ...bucketJurisdictions,
    ]);
    const session = await context.session();
    const options = { nameContains: flags.contains };
    const pages =
      jurisdiction === undefined
        ? buckets.listAllBuckets(session, options)
        : buckets.listBuckets(session, { ...options, jurisdiction });
    const all: Bucket[] = [];
    for await (const page of pages) all.push(...page);
    if (context.output.json) return void (await context.output.answerJson(all.map(shown)));
    for (const { name } of all) await context.output.line(name);
    if (all.length === 0) context.output.note(`No buckets on ${session.label}.`);
  },
});

export const getCommand = command<typeof declared.bucketGet>({
  async run(context, { args, flags }) {
    refuseLocal(flags, 'createBuckets');
    const name = checkBucketName(args.BUCKET_NAME);
    const bucket = await buckets.readBucket(await context.session(), name);
    if (context.output.json) return void (await context.output.answerJson(shown(bucket)));
    const facts: readonly (readonly [string, string | undefined])[] = [
      ['name', bucket.name],
      ['created', bucket.createdOn],
      ['location', bucket.location],
      ['storage class', bucket.storageClass],
      ['jurisdiction', bucket.jurisdiction],
    ];
    for (const [label, value] of facts) {
      if (value !== undefined) await context.output.line(`${`${label}:`.padEnd(15)}${value}`);
    }
  },
});
