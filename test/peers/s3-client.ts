import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { ownAccessKey } from '../../src/sandbox/s3/credentials.ts';
import { type ServedS3, serveS3 } from '../../src/sandbox/s3/serve.ts';
import { openTestSandbox, type TestSandbox } from '../sandbox/test-sandbox.ts';

/** A sandbox that serves the S3 API, and AWS's official client. */
export interface S3Place {
  readonly place: TestSandbox;
  readonly served: ServedS3;
  readonly client: S3Client;
  /** Returns a client with another secret. */
  clientWith(secretAccessKey: string, maxAttempts?: number): S3Client;
  close(): Promise<void>;
}

export async function openS3(): Promise<S3Place> {
  const place = await openTestSandbox('over a socket', { now: () => Date.now(), onBug: console.error });
  const served = await serveS3(place.sandbox, { port: 0 });
  const { id: accessKeyId, secret } = ownAccessKey(place.sandbox.access().apiToken);
  const clientWith = (secretAccessKey: string, maxAttempts = 1) =>
    new S3Client({
      endpoint: served.endpoint,
      region: 'auto',
      credentials: { accessKeyId, secretAccessKey },
      maxAttempts,
    });
  const client = clientWith(secret);
  return {
    place,
    served,
    client,
    clientWith,
    async close() {
      client.destroy();
      await served.close();
      await place.close();
    },
  };
}

/** Returns the status and error code of a refusal, such as `404 NoSuchKey`. */
export async function s3Failure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof S3ServiceException) return `${error.$metadata.httpStatusCode} ${error.name}`;
    throw error;
  }
  throw new Error('It was not refused.');
}
