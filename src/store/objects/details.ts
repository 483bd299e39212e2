/** Algorithms of the checksums that clients send with objects, as the S3 API names them. */
export type ChecksumAlgorithm = 'CRC32' | 'CRC32C' | 'CRC64NVME' | 'SHA1' | 'SHA256';

/** The type of a checksum: computed from the whole object, or from the checksums of its parts. */
export type ChecksumType = 'FULL_OBJECT' | 'COMPOSITE';

/** The checksum of an object, in base64. A checksum of parts ends in `-` and the number of parts. */
export interface StoredChecksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly type: ChecksumType;
  readonly value: string;
}

/** Attributes of an object for which Miniflare's tables have no column. */
export interface ObjectDetails {
  readonly storageClass?: string | undefined;
  readonly checksum?: StoredChecksum | undefined;
  /** The MD5 of the customer-provided key (SSE-C), in base64. */
  readonly ssecKeyMd5?: string | undefined;
}

/** Algorithms whose checksums Miniflare itself stores, in hex, each with the name of Miniflare's field. */
const ownFields = [
  ['SHA1', 'sha1'],
  ['SHA256', 'sha256'],
] as const;

/**
 * Formats details for Miniflare's column `checksums`: a JSON object in which Miniflare ignores unknown fields. The details are in this
 * column so that they are deleted with the object's row, even if another program replaces the row. A worker sees only those checksums that
 * Miniflare itself supports.
 */
export function formatDetails({ storageClass, checksum, ssecKeyMd5 }: ObjectDetails): string {
  const own = ownFields.find(([algorithm]) => algorithm === checksum?.algorithm);
  const isOwn = own !== undefined && checksum?.type === 'FULL_OBJECT';
  const rest = {
    ...(storageClass !== undefined && { storageClass }),
    ...(checksum !== undefined && !isOwn && { checksum }),
    ...(ssecKeyMd5 !== undefined && { ssecKeyMd5 }),
  };
  return JSON.stringify({
    ...(isOwn && { [own[1]]: Buffer.from(checksum.value, 'base64').toString('hex') }),
    ...(Object.keys(rest).length > 0 && { edgectl: rest }),
  });
}

/** Parses the column `checksums`; undefined if its value is not a JSON object. */
export function parseDetails(text: string): ObjectDetails | undefined {
  if (text === '{}') return {};
  try {
    const value = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    if (typeof value !== 'object' || value === null) return undefined;
    const own = ownFields.find(([, field]) => typeof value[field] === 'string');
    return {
      ...(own !== undefined && {
        checksum: {
          algorithm: own[0],
          type: 'FULL_OBJECT',
          value: Buffer.from(String(value[own[1]]), 'hex').toString('base64'),
        } as const,
      }),
      ...(value['edgectl'] as ObjectDetails | undefined),
    };
  } catch {
    return undefined;
  }
}
