import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { ownAccessKey } from '../../../src/sandbox/s3/credentials.ts';
import type { ServedSandbox } from '../program.ts';

/** Returns the client that the provider documents, the AWS SDK for JavaScript, for a sandbox in another process. */
export function s3ClientAt({ ready }: Pick<ServedSandbox, 'ready'>, maxAttempts = 3): S3Client {
  const { id: accessKeyId, secret: secretAccessKey } = ownAccessKey(ready.apiToken);
  return new S3Client({
    endpoint: ready.s3Endpoint,
    region: 'auto',
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts,
  });
}

/** Returns the etags of all objects in a bucket, by key. */
export async function etagsIn(client: S3Client, bucket: string): Promise<Map<string, string>> {
  const etags = new Map<string, string>();
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, ...(token !== undefined && { ContinuationToken: token }) }),
    );
    for (const { Key = '', ETag = '' } of page.Contents ?? []) etags.set(Key, ETag.replaceAll('"', ''));
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return etags;
}
