import { createHash, randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type ChecksumAlgorithm,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCorsCommand,
  DeleteBucketLifecycleCommand,
  GetBucketCorsCommand,
  GetBucketEncryptionCommand,
  GetBucketLifecycleConfigurationCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../src/s3/sign.ts';
import { answerS3 } from '../../src/sandbox/s3/answer.ts';
import { ownAccessKey } from '../../src/sandbox/s3/credentials.ts';
import type { ServedS3 } from '../../src/sandbox/s3/serve.ts';
import type { TestSandbox } from '../sandbox/test-sandbox.ts';
import { openS3, type S3Place, s3Failure } from './s3-client.ts';

// Tests what the provider documents about its S3 API, with AWS's official client. Pages: "S3 API compatibility", "Extensions", "Configure
// CORS", "Object lifecycles", "Storage classes", "Using SSE-C", "Error codes".

let s3: S3Place;
let place: TestSandbox;
let served: ServedS3;
let client: S3Client;
let made = 0;
beforeAll(async () => {
  s3 = await openS3();
  ({ place, served, client } = s3);
});
afterAll(() => s3.close());

async function newBucket(): Promise<{ readonly Bucket: string }> {
  made += 1;
  const Bucket = `feature-${made}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  return { Bucket };
}

/** Adds headers to a command whose client has no parameter for them. */
function withHeaders<C extends PutObjectCommand | CopyObjectCommand | ListBucketsCommand>(
  command: C,
  headers: Readonly<Record<string, string>>,
): C {
  (command.middlewareStack as unknown as PutObjectCommand['middlewareStack']).add(
    (next) => (args) => {
      Object.assign((args.request as { headers: object }).headers, headers);
      return next(args);
    },
    { step: 'build' },
  );
  return command;
}

const put = (Bucket: string, Key: string, Body: string | Uint8Array, more = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const head = (Bucket: string, Key: string, more = {}) =>
  client.send(new HeadObjectCommand({ Bucket, Key, ...more }));
const read = async (Bucket: string, Key: string, more = {}) => {
  const answer = await client.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return { ...answer, text: await answer.Body?.transformToString() };
};

const part = 5 * 1024 * 1024;

/** Uploads bodies as parts of an object. */
async function uploadParts(
  Bucket: string,
  Key: string,
  bodies: readonly Uint8Array[],
  more = {},
  ofParts = {},
) {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }));
  const of = { Bucket, Key, UploadId };
  const Parts: CompletedPart[] = [];
  for (const [index, Body] of bodies.entries()) {
    const PartNumber = index + 1;
    const sent = await client.send(new UploadPartCommand({ ...of, PartNumber, Body, ...ofParts }));
    const { ETag, ChecksumCRC32, ChecksumCRC32C, ChecksumCRC64NVME, ChecksumSHA1, ChecksumSHA256 } = sent;
    const checksums = { ChecksumCRC32, ChecksumCRC32C, ChecksumCRC64NVME, ChecksumSHA1, ChecksumSHA256 };
    Parts.push({ PartNumber, ETag, ...checksums });
  }
  return {
    of,
    complete: () => client.send(new CompleteMultipartUploadCommand({ ...of, MultipartUpload: { Parts } })),
  };
}

describe('CORS', () => {
  it('CORS rules are set, read and removed, and apply to browsers', async () => {
    const { Bucket } = await newBucket();
    expect(await s3Failure(client.send(new GetBucketCorsCommand({ Bucket })))).toBe(
      '404 NoSuchCORSConfiguration',
    );
    const CORSRules = [
      {
        ID: 'site',
        AllowedOrigins: ['https://*.example.com'],
        AllowedMethods: ['GET', 'PUT'],
        AllowedHeaders: ['x-own-*'],
        ExposeHeaders: ['ETag'],
        MaxAgeSeconds: 3600,
      },
      { AllowedOrigins: ['*'], AllowedMethods: ['HEAD'] },
    ];
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
    expect((await client.send(new GetBucketCorsCommand({ Bucket }))).CORSRules).toEqual(CORSRules);
    const ask = (headers: Record<string, string>, method = 'OPTIONS') =>
      fetch(`${served.endpoint}/${Bucket}/k`, { method, headers });
    const Origin = 'https://www.example.com';
    const preflight = await ask({
      Origin,
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'X-Own-Thing',
    });
    expect([preflight.status, Object.fromEntries(preflight.headers)]).toMatchObject([
      204,
      {
        'access-control-allow-origin': Origin,
        'access-control-allow-methods': 'GET, PUT',
        'access-control-allow-headers': 'x-own-thing',
        'access-control-max-age': '3600',
      },
    ]);
    expect((await ask({ Origin, 'Access-Control-Request-Method': 'DELETE' })).status).toBe(403);
    // The answer to a refused request also has the CORS headers; otherwise a browser could not show the reason.
    const refused = await ask({ Origin }, 'GET');
    expect([refused.status, refused.headers.get('access-control-expose-headers')]).toEqual([403, 'ETag']);
    await client.send(new DeleteBucketCorsCommand({ Bucket }));
    expect(await s3Failure(client.send(new GetBucketCorsCommand({ Bucket })))).toBe(
      '404 NoSuchCORSConfiguration',
    );
  });

  it('the v4 API shows the CORS rules of the S3 API', async () => {
    const { Bucket } = await newBucket();
    const CORSRules = [{ AllowedOrigins: ['*'], AllowedMethods: ['GET'] }];
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
    const { accountId } = place.sandbox.access();
    const answer = await place.call('GET', `/accounts/${accountId}/r2/buckets/${Bucket}/cors`);
    expect(answer.envelope().result).toEqual({ rules: [{ allowed: { methods: ['GET'], origins: ['*'] } }] });
  });

  it.each([
    ['an unsupported method', { AllowedOrigins: ['*'], AllowedMethods: ['PATCH'] }, '400 InvalidRequest'],
    ['two stars', { AllowedOrigins: ['*.*'], AllowedMethods: ['GET'] }, '400 InvalidRequest'],
    ['no origin', { AllowedOrigins: [], AllowedMethods: ['GET'] }, '400 MalformedXML'],
  ])('a CORS rule with %s is refused', async (_, rule, expected) => {
    const { Bucket } = await newBucket();
    const command = new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [rule] } });
    expect(await s3Failure(client.send(command))).toBe(expected);
  });
});

describe('lifecycle rules', () => {
  const day = 24 * 60 * 60;
  const advance = (days: number) => place.call('POST', '/sandbox/clock', { json: { seconds: days * day } });

  it('lifecycle rules delete objects, change their class and abort uploads by the clock', async () => {
    const { Bucket } = await newBucket();
    const Rules = [
      { ID: 'logs', Status: 'Enabled' as const, Filter: { Prefix: 'logs/' }, Expiration: { Days: 3 } },
      { ID: 'off', Status: 'Disabled' as const, Filter: { Prefix: '' }, Expiration: { Days: 1 } },
      {
        ID: 'cold',
        Status: 'Enabled' as const,
        Filter: { Prefix: '' },
        Transitions: [{ Days: 2, StorageClass: 'STANDARD_IA' as const }],
      },
      {
        ID: 'uploads',
        Status: 'Enabled' as const,
        Filter: { Prefix: '' },
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
      },
    ];
    const command = new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } });
    await client.send(command);
    expect((await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules).toEqual(Rules);
    const { Expiration } = await put(Bucket, 'logs/a', 'x');
    expect(Expiration).toMatch(/^expiry-date="[^"]+ GMT", rule-id="logs"$/);
    await put(Bucket, 'kept', 'x');
    expect((await head(Bucket, 'kept')).Expiration).toBeUndefined();
    await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'slow' }));
    const listed = async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      return [
        ...Contents.map(({ Key, StorageClass }) => `${Key} ${StorageClass}`),
        ...Uploads.map(({ Key }) => Key),
      ];
    };
    expect(await listed()).toEqual(['kept STANDARD', 'logs/a STANDARD', 'slow']);
    await advance(1);
    expect(await listed()).toEqual(['kept STANDARD', 'logs/a STANDARD']);
    await advance(1);
    expect(await listed()).toEqual(['kept STANDARD_IA', 'logs/a STANDARD_IA']);
    // A new object has the time of the sandbox's clock.
    await put(Bucket, 'logs/b', 'x');
    await advance(1);
    expect(await listed()).toEqual(['kept STANDARD_IA', 'logs/b STANDARD']);
  });

  it('every bucket aborts uploads after a week, until its lifecycle rules are deleted', async () => {
    const { Bucket } = await newBucket();
    const rules = () => client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
    expect((await rules()).Rules).toMatchObject([
      { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 } },
    ]);
    await client.send(new DeleteBucketLifecycleCommand({ Bucket }));
    expect(await s3Failure(rules())).toBe('404 NoSuchLifecycleConfiguration');
    await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'slow' }));
    await advance(8);
    expect((await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads).toHaveLength(1);
  });

  const rule = { ID: 'a', Status: 'Enabled' as const, Filter: { Prefix: '' } };
  it.each([
    [
      'two rules of one name',
      [
        { ...rule, Expiration: { Days: 1 } },
        { ...rule, Expiration: { Days: 2 } },
      ],
      '400 InvalidArgument',
    ],
    ['no days', [{ ...rule, Expiration: { Days: 0 } }], '400 InvalidArgument'],
    ['no action', [rule], '400 InvalidRequest'],
    [
      'a class of another provider',
      [{ ...rule, Transitions: [{ Days: 1, StorageClass: 'GLACIER' as const }] }],
      '400 InvalidStorageClass',
    ],
    [
      'a filter by tag',
      [{ ...rule, Filter: { Tag: { Key: 'a', Value: 'b' } }, Expiration: { Days: 1 } }],
      '501 NotImplemented',
    ],
  ])('a lifecycle rule with %s is refused', async (_, Rules, expected) => {
    const { Bucket } = await newBucket();
    const command = new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } });
    expect(await s3Failure(client.send(command))).toBe(expected);
  });
});

describe('encryption', () => {
  const key = randomBytes(32);
  const ssec = {
    SSECustomerAlgorithm: 'AES256',
    SSECustomerKey: key.toString('base64'),
    SSECustomerKeyMD5: createHash('md5').update(key).digest('base64'),
  };
  const other = { SSECustomerAlgorithm: 'AES256', SSECustomerKey: randomBytes(32).toString('base64') };
  const ofSource = Object.fromEntries(
    Object.entries(ssec).map(([name, value]) => [`CopySource${name}`, value]),
  );

  it('encrypts a bucket at rest', async () => {
    const { ServerSideEncryptionConfiguration } = await client.send(
      new GetBucketEncryptionCommand(await newBucket()),
    );
    expect(ServerSideEncryptionConfiguration?.Rules).toMatchObject([
      { ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
    ]);
  });

  it('returns an object with a customer key only for that key', async () => {
    const { Bucket } = await newBucket();
    const { SSECustomerAlgorithm, SSECustomerKeyMD5 } = ssec;
    expect(await put(Bucket, 'k', 'secret', ssec)).toMatchObject({ SSECustomerAlgorithm, SSECustomerKeyMD5 });
    expect(await read(Bucket, 'k', ssec)).toMatchObject({
      text: 'secret',
      SSECustomerAlgorithm,
      SSECustomerKeyMD5,
    });
    for (const keys of [{}, other])
      expect(await s3Failure(read(Bucket, 'k', keys))).toBe('400 InvalidRequest');
    await put(Bucket, 'plain', 'x');
    expect(await s3Failure(read(Bucket, 'plain', ssec))).toBe('400 InvalidRequest');
    const copy = { Bucket, Key: 'copy', CopySource: `${Bucket}/k` };
    expect(await s3Failure(client.send(new CopyObjectCommand(copy)))).toBe('400 InvalidRequest');
    await client.send(new CopyObjectCommand({ ...copy, ...ofSource }));
    expect((await read(Bucket, 'copy')).text).toBe('secret');
    const { accountId } = place.sandbox.access();
    const path = `/accounts/${accountId}/r2/buckets/${Bucket}/objects`;
    const rows =
      (await place.call('GET', path)).envelope<{ readonly key: string; readonly ssec: boolean }[]>().result ??
      [];
    expect(rows.map(({ key: name, ssec: is }) => [name, is])).toEqual([
      ['copy', false],
      ['k', true],
      ['plain', false],
    ]);
    expect((await place.call('GET', `${path}/k`)).status).toBe(400);
  });

  it('requires the customer key for each part of an upload', async () => {
    const { Bucket } = await newBucket();
    const upload = await uploadParts(Bucket, 'k', [Buffer.from('part')], ssec, ssec);
    const late = { ...upload.of, PartNumber: 2, Body: 'x' };
    expect(await s3Failure(client.send(new UploadPartCommand(late)))).toBe('400 InvalidRequest');
    await upload.complete();
    expect((await read(Bucket, 'k', ssec)).text).toBe('part');
    expect(await s3Failure(head(Bucket, 'k'))).toBe('400 Unknown');
  });

  it.each([
    ['another algorithm', { ...ssec, SSECustomerAlgorithm: 'DES' }],
    ['a short key', { ...ssec, SSECustomerKey: 'c2hvcnQ=' }],
  ])('refuses encryption with %s', async (_, keys) => {
    const { Bucket } = await newBucket();
    expect(await s3Failure(put(Bucket, 'k', 'x', keys))).toBe('400 InvalidArgument');
  });
});

describe('storage classes', () => {
  it('stores the storage class with each object, and shows it in both APIs', async () => {
    const { Bucket } = await newBucket();
    await put(Bucket, 'hot', 'x');
    await put(Bucket, 'cold', 'x', { StorageClass: 'STANDARD_IA' });
    expect((await head(Bucket, 'cold')).StorageClass).toBe('STANDARD_IA');
    // S3 omits the storage class header for the standard class.
    expect((await head(Bucket, 'hot')).StorageClass).toBeUndefined();
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    expect(Contents.map(({ StorageClass }) => StorageClass)).toEqual(['STANDARD_IA', 'STANDARD']);
    const { accountId } = place.sandbox.access();
    const path = `/accounts/${accountId}/r2/buckets/${Bucket}`;
    const headers = {
      authorization: `Bearer ${place.sandbox.access().apiToken}`,
      'cf-r2-storage-class': 'InfrequentAccess',
    };
    // The bucket's storage class applies only to new objects.
    expect((await place.call('PATCH', path, undefined, headers)).status).toBe(200);
    await put(Bucket, 'new', 'x');
    const rows =
      (await place.call('GET', `${path}/objects`)).envelope<{ readonly storage_class: string }[]>().result ??
      [];
    expect(rows.map((row) => row.storage_class)).toEqual([
      'InfrequentAccess',
      'Standard',
      'InfrequentAccess',
    ]);
    const copy = { Bucket, Key: 'hot', CopySource: `${Bucket}/hot`, StorageClass: 'STANDARD_IA' as const };
    await client.send(new CopyObjectCommand(copy));
    expect((await head(Bucket, 'hot')).StorageClass).toBe('STANDARD_IA');
    const { complete } = await uploadParts(Bucket, 'parts', [Buffer.from('x')], { StorageClass: 'STANDARD' });
    await complete();
    expect((await head(Bucket, 'parts')).StorageClass).toBeUndefined();
    expect(await s3Failure(put(Bucket, 'k', 'x', { StorageClass: 'GLACIER' }))).toBe(
      '400 InvalidStorageClass',
    );
  });
});

describe('checksums', () => {
  // Check values of "123456789": CRC catalogue for the CRCs (CRC-32/ISO-HDLC, CRC-32/ISCSI, CRC-64/NVME), FIPS 180 for the others.
  const digests: Readonly<Record<ChecksumAlgorithm, Buffer>> = {
    CRC32: Buffer.from('cbf43926', 'hex'),
    CRC32C: Buffer.from('e3069283', 'hex'),
    CRC64NVME: Buffer.from('ae8b14860a799888', 'hex'),
    SHA1: createHash('sha1').update('123456789').digest(),
    SHA256: createHash('sha256').update('123456789').digest(),
  } as Readonly<Record<ChecksumAlgorithm, Buffer>>;

  it.each(Object.entries(digests))(
    'verifies and stores the checksum %s, and returns it on request',
    async (algorithm, digest) => {
      const { Bucket } = await newBucket();
      const name = `Checksum${algorithm}`;
      const value = digest.toString('base64');
      const sent = { [name]: value };
      expect(await put(Bucket, 'k', '123456789', sent)).toMatchObject({
        ...sent,
        ChecksumType: 'FULL_OBJECT',
      });
      expect(await head(Bucket, 'k')).not.toHaveProperty(name);
      expect(await head(Bucket, 'k', { ChecksumMode: 'ENABLED' })).toMatchObject(sent);
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
      expect(Contents[0]).toMatchObject({ ChecksumAlgorithm: [algorithm], ChecksumType: 'FULL_OBJECT' });
      expect(await s3Failure(put(Bucket, 'k', '12345678', sent))).toBe('400 BadDigest');
      expect(await s3Failure(put(Bucket, 'k', '123456789', { [name]: 'bad' }))).toBe('400 InvalidDigest');
    },
  );

  it('combines the checksums of parts for an upload, or covers the complete object for CRC-64', async () => {
    const { Bucket } = await newBucket();
    const bodies = ['A', 'B', 'C'].map((letter) => Buffer.alloc(part, letter));
    // Source of the values: ceph/s3-tests, test_multipart_use_cksum_helper_*.
    for (const [algorithm, whole, type] of [
      ['SHA256', 'uWBwpe1dxI4Vw8Gf0X9ynOdw/SS6VBzfWm9giiv1sf4=-3', 'COMPOSITE'],
      ['CRC64NVME', 'i+6LR0y3eFo=', 'FULL_OBJECT'],
    ] as const) {
      const ChecksumAlgorithm = algorithm;
      const upload = await uploadParts(
        Bucket,
        algorithm,
        bodies,
        { ChecksumAlgorithm },
        { ChecksumAlgorithm },
      );
      const name = `Checksum${algorithm}`;
      const { Parts = [] } = await client.send(new ListPartsCommand(upload.of));
      expect(Parts.every((one) => name in one)).toBe(true);
      const expected = { [name]: whole, ChecksumType: type };
      expect(await upload.complete()).toMatchObject(expected);
      expect(await head(Bucket, algorithm, { ChecksumMode: 'ENABLED' })).toMatchObject(expected);
    }
    const command = { Bucket, Key: 'k', ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' } as const;
    expect(await s3Failure(client.send(new CreateMultipartUploadCommand(command)))).toBe(
      '501 NotImplemented',
    );
  });

  it('shows a worker the checksums that the worker could have stored itself', async () => {
    const { Bucket } = await newBucket();
    await put(Bucket, 'k', '123456789', { ChecksumSHA256: digests.SHA256.toString('base64') });
    const found = place.sandbox.platform.objects().find(Bucket, 'k');
    expect(found?.checksum).toEqual({
      algorithm: 'SHA256',
      type: 'FULL_OBJECT',
      value: digests.SHA256.toString('base64'),
    });
  });
});

it('reads a part of an object by its number', async () => {
  const { Bucket } = await newBucket();
  const upload = await uploadParts(Bucket, 'parts', [Buffer.alloc(part, 'a'), Buffer.from('the end')]);
  await upload.complete();
  const second = await read(Bucket, 'parts', { PartNumber: 2 });
  expect(second).toMatchObject({
    text: 'the end',
    PartsCount: 2,
    ContentRange: `bytes ${part}-${part + 6}/${part + 7}`,
  });
  expect(await head(Bucket, 'parts', { PartNumber: 1 })).toMatchObject({
    ContentLength: part,
    PartsCount: 2,
  });
  expect(await s3Failure(read(Bucket, 'parts', { PartNumber: 3 }))).toBe('400 InvalidPart');
  await put(Bucket, 'whole', 'one');
  expect(await read(Bucket, 'whole', { PartNumber: 1 })).toMatchObject({
    text: 'one',
    ContentRange: 'bytes 0-2/3',
  });
  expect(await s3Failure(read(Bucket, 'whole', { PartNumber: 2 }))).toBe('400 InvalidPart');
});

describe('extensions of the provider', () => {
  it('creates the bucket of an upload on request', async () => {
    const Bucket = 'made-by-upload';
    expect(await s3Failure(put(Bucket, 'k', 'x'))).toBe('404 NoSuchBucket');
    const command = new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' });
    await client.send(withHeaders(command, { 'cf-create-bucket-if-missing': 'true' }));
    expect((await read(Bucket, 'k')).text).toBe('x');
  });

  it('replaces the destination of a copy only if the destination meets the conditions', async () => {
    const { Bucket } = await newBucket();
    await put(Bucket, 'from', 'new');
    const { ETag = '' } = await put(Bucket, 'to', 'old');
    const copy = (headers: Readonly<Record<string, string>>) =>
      client.send(
        withHeaders(new CopyObjectCommand({ Bucket, Key: 'to', CopySource: `${Bucket}/from` }), headers),
      );
    for (const refused of [
      { 'cf-copy-destination-if-none-match': '*' },
      { 'cf-copy-destination-if-match': '"0"' },
      { 'cf-copy-destination-if-unmodified-since': 'Mon, 01 Jan 2024 00:00:00 GMT' },
      { 'cf-copy-destination-if-modified-since': new Date(Date.now() + 1e10).toUTCString() },
    ])
      expect(await s3Failure(copy(refused))).toBe('412 PreconditionFailed');
    expect((await read(Bucket, 'to')).text).toBe('old');
    await copy({ 'cf-copy-destination-if-match': ETag });
    expect((await read(Bucket, 'to')).text).toBe('new');
  });

  it('merges metadata in a copy', async () => {
    const { Bucket } = await newBucket();
    await put(Bucket, 'from', 'x', {
      ContentType: 'a/b',
      CacheControl: 'no-store',
      Metadata: { one: '1', two: '2' },
    });
    const copy = {
      Bucket,
      Key: 'to',
      CopySource: `${Bucket}/from`,
      ContentType: 'c/d',
      Metadata: { two: 'II' },
    };
    await client.send(new CopyObjectCommand({ ...copy, MetadataDirective: 'MERGE' as 'COPY' }));
    expect(await head(Bucket, 'to')).toMatchObject({
      ContentType: 'c/d',
      CacheControl: 'no-store',
      Metadata: { one: '1', two: 'II' },
    });
  });

  it('lists buckets in pages, by parameters in headers', async () => {
    for (const Bucket of ['pages-a', 'pages-b', 'pages-c'])
      await client.send(new CreateBucketCommand({ Bucket }));
    const list = async (headers: Readonly<Record<string, string>>) => {
      let next: string | undefined;
      const command = withHeaders(new ListBucketsCommand({}), { 'cf-prefix': 'pages-', ...headers });
      command.middlewareStack.add(
        (inner) => async (args) => {
          const answer = await inner(args);
          next = (answer.response as { headers: Record<string, string> }).headers[
            'cf-next-continuation-token'
          ];
          return answer;
        },
        { step: 'deserialize', priority: 'low' },
      );
      const { Buckets = [] } = await client.send(command);
      return { names: Buckets.map(({ Name }) => Name), next };
    };
    const first = await list({ 'cf-max-keys': '2' });
    expect(first.names).toEqual(['pages-a', 'pages-b']);
    expect(await list({ 'cf-continuation-token': first.next ?? '' })).toEqual({
      names: ['pages-c'],
      next: undefined,
    });
    expect((await list({ 'cf-start-after': 'pages-a' })).names).toEqual(['pages-b', 'pages-c']);
  });

  it('makes a write conditional on the time of the previous object', async () => {
    const { Bucket } = await newBucket();
    await put(Bucket, 'k', 'old');
    const command = new PutObjectCommand({ Bucket, Key: 'k', Body: 'new' });
    const headers = { 'if-unmodified-since': 'Mon, 01 Jan 2024 00:00:00 GMT' };
    expect(await s3Failure(client.send(withHeaders(command, headers)))).toBe('412 PreconditionFailed');
  });
});

// Source: "Data location": `https://<account>.<jurisdiction>.r2…` gives access only to the buckets of that jurisdiction.
it('serves each jurisdiction at a separate endpoint', async () => {
  const { accountId } = place.sandbox.access();
  const { config } = client;
  const credentials = await config.credentials();
  const at = (endpoint: string) => new S3Client({ endpoint, region: 'auto', credentials, maxAttempts: 1 });
  const eu = at(`${served.endpoint}/${accountId}.eu`);
  const us = at(`${served.endpoint}/${accountId}.us`);
  try {
    const [Bucket, Key] = ['only-in-eu', 'k'];
    await eu.send(new CreateBucketCommand({ Bucket }));
    await eu.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    for (const other of [client, us])
      expect(await s3Failure(other.send(new GetObjectCommand({ Bucket, Key })))).toBe('404 NoSuchBucket');
    const { Buckets = [] } = await eu.send(new ListBucketsCommand());
    expect(Buckets.map(({ Name }) => Name)).toEqual([Bucket]);
    const copy = { Bucket: (await newBucket()).Bucket, Key, CopySource: `${Bucket}/${Key}` };
    expect(await s3Failure(client.send(new CopyObjectCommand(copy)))).toBe('404 NoSuchBucket');
    const found = await place.call('GET', `/accounts/${accountId}/r2/buckets/${Bucket}`);
    expect(found.code).toBe(10006);
  } finally {
    eu.destroy();
    us.destroy();
  }
});

// boto3 sends the header in UTF-8; the SDK above sends the same text in Latin-1.
it('covers the bytes of a UTF-8 header with the signature', async () => {
  const { Bucket } = await newBucket();
  const { platform } = place.sandbox;
  const path = `/${Bucket}/k`;
  const request = { host: 'x', method: 'PUT', path, headers: { 'x-amz-meta-name': 'Größe' } };
  const key = ownAccessKey(place.sandbox.access().apiToken);
  const headers = {
    host: 'x',
    'content-length': '1',
    ...signatureHeaders(request, key, Date.now()),
    // Node returns the bytes of a header as a Latin-1 string.
    'x-amz-meta-name': Buffer.from('Größe').toString('latin1'),
  };
  const answer = await answerS3(platform, { method: 'PUT', path, headers, body: Buffer.from('x') });
  expect(answer.status).toBe(200);
  expect(platform.objects().find(Bucket, 'k')?.customMetadata).toEqual({ name: 'Größe' });
});

it('rejects a copied part whose range exceeds its source', async () => {
  const { Bucket } = await newBucket();
  await put(Bucket, 'from', '0123456789');
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'to' }));
  const copy = (CopySourceRange: string) =>
    client.send(
      new UploadPartCopyCommand({
        ...{ Bucket, Key: 'to', UploadId, PartNumber: 1 },
        CopySource: `${Bucket}/from`,
        CopySourceRange,
      }),
    );
  expect(await s3Failure(copy('bytes=0-10'))).toBe('416 InvalidRange');
  expect(await s3Failure(copy('bytes=2-'))).toBe('400 InvalidArgument');
  const { CopyPartResult } = await copy('bytes=2-4');
  expect(CopyPartResult?.ETag).toBe(`"${createHash('md5').update('234').digest('hex')}"`);
  await client.send(new AbortMultipartUploadCommand({ Bucket, Key: 'to', UploadId }));
});

it('accepts an empty token in lists, names owners on request, and groups uploads', async () => {
  const { Bucket } = await newBucket();
  await put(Bucket, 'k', 'x');
  const { Contents = [] } = await client.send(
    new ListObjectsV2Command({ Bucket, ContinuationToken: '', FetchOwner: true }),
  );
  expect(Contents).toMatchObject([{ Key: 'k', Owner: { ID: expect.any(String) } }]);
  for (const Key of ['a/1', 'a/2', 'b']) await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const page = (more = {}) =>
    client.send(new ListMultipartUploadsCommand({ Bucket, Delimiter: '/', MaxUploads: 1, ...more }));
  const first = await page();
  expect([first.CommonPrefixes, first.Uploads, first.IsTruncated]).toEqual([
    [{ Prefix: 'a/' }],
    undefined,
    true,
  ]);
  const second = await page({ KeyMarker: first.NextKeyMarker });
  expect([second.CommonPrefixes, second.Uploads?.[0]?.Key, second.IsTruncated]).toEqual([
    undefined,
    'b',
    false,
  ]);
});
