import {
  type Bucket,
  bucketLocations,
  checkBucketName,
  storageClasses,
} from '../../../model/objects/bucket.ts';
import { Problem } from '../../../model/problem.ts';
import * as buckets from '../../../services/objects/buckets.ts';
import { command } from '../../parsing/command.ts';
import { refusedPlaceFlags } from '../../parsing/flags.ts';
import { refuseLocalBuckets } from './place.ts';

const bucketArgument = { about: 'Name of the bucket' } as const;

export const createCommand = command({
  arguments: { BUCKET_NAME: { about: 'Name of the new bucket: 3 to 63 of a-z, 0-9 and -' } },
  flags: {
    location: {
      kind: 'text',
      placeholder: 'HINT',
      about: `Where it shall lie: ${bucketLocations.join(', ')}`,
    },
    'storage-class': {
      kind: 'text',
      placeholder: 'CLASS',
      about: `Class of objects that say none: ${storageClasses.join(', ')}`,
    },
    'if-not-exists': { kind: 'boolean', about: 'Take a bucket that is there already' },
    ...refusedPlaceFlags,
  },
  examples: [
    ['objstore bucket create assets', 'then bind it, and put objects into it'],
    ['objstore bucket create assets --if-not-exists', 'for scripts'],
  ],
  async run(context, { args, flags }) {
    refuseLocalBuckets(flags);
    const options = {
      location: oneOf('--location', flags.location, bucketLocations),
      storageClass: oneOf('--storage-class', flags['storage-class'], storageClasses),
    };
    const session = await context.session();
    const name = args.BUCKET_NAME;
    const { bucket, created } = flags['if-not-exists']
      ? await buckets.ensureBucket(session, name, options)
      : { bucket: await buckets.createBucket(session, name, options), created: true };
    await context.output.result(`${created ? 'Created' : 'Took existing'} bucket "${bucket.name}".`, {
      ...shown(bucket),
      created,
    });
  },
});

function oneOf(flag: string, value: string | undefined, known: readonly string[]): string | undefined {
  if (value === undefined || known.includes(value)) return value;
  throw new Problem('usage', `${flag} is one of ${known.join(', ')}; this is "${value}".`);
}

function shown({ name, createdOn, location, storageClass, jurisdiction }: Bucket) {
  return {
    name,
    ...(createdOn === undefined ? {} : { createdOn }),
    ...(location === undefined ? {} : { location }),
    ...(storageClass === undefined ? {} : { storageClass }),
    ...(jurisdiction === undefined ? {} : { jurisdiction }),
  };
}

export const listCommand = command({
  arguments: {},
  flags: {
    contains: { kind: 'text', placeholder: 'TEXT', about: 'Only buckets with this in their name' },
    ...refusedPlaceFlags,
  },
  examples: [
    ['objstore bucket list', 'every bucket, one name a line'],
    ['objstore bucket list --json', 'a JSON array with dates'],
  ],
  async run(context, { flags }) {
    refuseLocalBuckets(flags);
    const session = await context.session();
    const all: Bucket[] = [];
    for await (const page of buckets.listBuckets(session, { nameContains: flags.contains })) {
      all.push(...page);
    }
    if (context.output.json) return void (await context.output.answerJson(all.map(shown)));
    for (const { name } of all) await context.output.line(name);
    if (all.length === 0) context.output.note(`There are no buckets on ${session.label}.`);
  },
});

export const getCommand = command({
  arguments: { BUCKET_NAME: bucketArgument },
  flags: refusedPlaceFlags,
  examples: [['objstore bucket get assets', 'when it was created, and where it lies']],
  async run(context, { args, flags }) {
    refuseLocalBuckets(flags);
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
