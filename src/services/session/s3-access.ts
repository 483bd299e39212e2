import type { AccessKey } from '../../s3/signature.ts';

/** Where the S3 API of a platform's buckets answers, and with which key. */
export interface S3Access {
  /** Without a slash behind it. */
  readonly endpoint: string;
  readonly key: AccessKey;
}
