import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { S3Refusal } from '../../s3/refusal.ts';
import type { ChecksumAlgorithm, ChecksumType, StoredChecksum } from '../../store/objects/details.ts';
import type { StoredPart } from '../../store/objects/upload-table.ts';

/** A computation of a digest of bytes. */
export interface Meter {
  update(bytes: Uint8Array): unknown;
  digest(encoding: 'hex' | 'base64'): string;
}

interface Algorithm {
  /** Length of the digest, in bytes. */
  readonly bytes: number;
  /**
   * The only checksum type that the provider supports for multipart uploads with this algorithm ("S3 API compatibility", checksum types).
   */
  readonly ofParts: ChecksumType;
  meter(): Meter;
}

/** The checksums that the provider supports. */
const algorithms: Readonly<Record<ChecksumAlgorithm, Algorithm>> = {
  CRC32: { bytes: 4, ofParts: 'COMPOSITE', meter: () => new Crc32() },
  CRC32C: { bytes: 4, ofParts: 'COMPOSITE', meter: () => new Crc32c() },
  CRC64NVME: { bytes: 8, ofParts: 'FULL_OBJECT', meter: () => new Crc64() },
  SHA1: { bytes: 20, ofParts: 'COMPOSITE', meter: () => createHash('sha1') },
  SHA256: { bytes: 32, ofParts: 'COMPOSITE', meter: () => createHash('sha256') },
};

const prefix = 'x-amz-checksum-';

/** Returns the algorithm of a checksum header; undefined for another header. */
export function findChecksumAlgorithm(header: string): ChecksumAlgorithm | undefined {
  if (!header.startsWith(prefix) || notChecksums.includes(header.slice(prefix.length))) return undefined;
  return parseAlgorithm(header.slice(prefix.length));
}

/** Suffixes of headers that concern checksums but do not contain a checksum. */
const notChecksums = ['algorithm', 'mode', 'type'];

/** Parses the name of an algorithm, in any case. */
export function parseAlgorithm(name: string): ChecksumAlgorithm {
  const found = (Object.keys(algorithms) as ChecksumAlgorithm[]).find((one) => one === name.toUpperCase());
  if (found !== undefined) return found;
  throw new S3Refusal('NotImplemented', `The checksum algorithm ${name.toUpperCase()} is not implemented`);
}

export function createMeter(algorithm: ChecksumAlgorithm): Meter {
  return algorithms[algorithm].meter();
}

/** Returns whether a string is a digest of this algorithm in base64. */
export function isDigest(algorithm: ChecksumAlgorithm, text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === algorithms[algorithm].bytes && bytes.toString('base64') === text;
}

/** Returns the headers of a checksum in an answer. */
export function formatChecksumHeaders(checksum: StoredChecksum | undefined): Record<string, string> {
  if (checksum === undefined) return {};
  const { algorithm, type, value } = checksum;
  return { [`${prefix}${algorithm.toLowerCase()}`]: value, [`${prefix}type`]: type };
}

/** Returns the elements of a checksum in an XML document. */
export function formatChecksumElements(checksum: StoredChecksum | undefined): Record<string, string> {
  if (checksum === undefined) return {};
  return { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type };
}

/** Parses the checksum algorithm and type in the headers of a new upload. Refuses a type that the provider does not support. */
export function parseUploadChecksum(
  headers: Readonly<Record<string, string>>,
): { readonly algorithm: ChecksumAlgorithm; readonly type: ChecksumType } | undefined {
  const name = headers[`${prefix}algorithm`];
  const type = headers[`${prefix}type`]?.toUpperCase();
  if (name === undefined) {
    if (type === undefined) return undefined;
    throw new S3Refusal('InvalidRequest', 'x-amz-checksum-type requires x-amz-checksum-algorithm.');
  }
  const algorithm = parseAlgorithm(name);
  const { ofParts } = algorithms[algorithm];
  if (type === undefined || type === ofParts) return { algorithm, type: ofParts };
  throw new S3Refusal('NotImplemented', `The ${type} checksum type is not implemented for ${algorithm}`);
}

/** Returns the checksum of an object from the checksums of its parts; undefined if a part has no checksum. */
export function combineChecksums(
  { algorithm, type }: { readonly algorithm: ChecksumAlgorithm; readonly type: ChecksumType },
  parts: readonly StoredPart[],
): StoredChecksum | undefined {
  const digests = parts.flatMap(({ checksum }) => (checksum === undefined ? [] : [checksum]));
  if (digests.length < parts.length) return undefined;
  if (type === 'FULL_OBJECT') {
    const whole = parts.reduce(
      (sum, { size, checksum = '' }) =>
        combineCrc64(sum, Buffer.from(checksum, 'base64').readBigUInt64BE(), size),
      0n,
    );
    return { algorithm, type, value: formatCrc64(whole).toString('base64') };
  }
  const meter = createMeter(algorithm);
  for (const digest of digests) meter.update(Buffer.from(digest, 'base64'));
  return { algorithm, type, value: `${meter.digest('base64')}-${parts.length}` };
}

class Crc32 implements Meter {
  #value = 0;

  update(bytes: Uint8Array): void {
    this.#value = crc32(bytes, this.#value);
  }

  digest(encoding: 'hex' | 'base64'): string {
    return formatCrc32(this.#value).toString(encoding);
  }
}

function formatCrc32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** CRC-32C (Castagnoli), in reflected form, computed byte by byte with a table. */
class Crc32c implements Meter {
  #value = 0xffffffff;

  update(bytes: Uint8Array): void {
    let value = this.#value;
    for (const byte of bytes) value = (value >>> 8) ^ (crc32cTable[(value ^ byte) & 0xff] ?? 0);
    this.#value = value;
  }

  digest(encoding: 'hex' | 'base64'): string {
    return formatCrc32((this.#value ^ 0xffffffff) >>> 0).toString(encoding);
  }
}

const crc32cTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

const allOnes = 0xffff_ffff_ffff_ffffn;
/** The polynomial of CRC-64/NVME (NVM Express, command set specification), reflected. */
const crc64Polynomial = 0x9a6c_9329_ac4b_c9b5n;

/** CRC-64/NVME. The tables of this checksum have two halves, because a BigInt per byte would take ten times as long. */
class Crc64 implements Meter {
  #high = 0xffffffff;
  #low = 0xffffffff;

  update(bytes: Uint8Array): void {
    let [high, low] = [this.#high, this.#low];
    for (const byte of bytes) {
      const at = (low ^ byte) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (crc64Low[at] ?? 0);
      high = (high >>> 8) ^ (crc64High[at] ?? 0);
    }
    this.#high = high;
    this.#low = low;
  }

  digest(encoding: 'hex' | 'base64'): string {
    const value = (BigInt(this.#high >>> 0) << 32n) | BigInt(this.#low >>> 0);
    return formatCrc64(value ^ allOnes).toString(encoding);
  }
}

function formatCrc64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

const crc64Table = Array.from({ length: 256 }, (_, byte) => {
  let value = BigInt(byte);
  for (let bit = 0; bit < 8; bit += 1) value = stepCrc64(value);
  return value;
});
const crc64High = Uint32Array.from(crc64Table, (value) => Number(value >> 32n));
const crc64Low = Uint32Array.from(crc64Table, (value) => Number(value & 0xffff_ffffn));

function stepCrc64(value: bigint): bigint {
  return (value & 1n) === 1n ? (value >> 1n) ^ crc64Polynomial : value >> 1n;
}

/**
 * Returns the CRC-64 of two concatenated byte strings from the CRC-64 of each string and the length of the second string. The first CRC-64
 * is multiplied by x^n in the field of the polynomial, where n is the number of bits in the second string.
 */
function combineCrc64(first: bigint, second: bigint, length: number): bigint {
  let power = 1n << 63n;
  let square = 1n << 62n;
  for (let bits = BigInt(length) * 8n; bits > 0n; bits >>= 1n) {
    if ((bits & 1n) === 1n) power = multiplyCrc64(power, square);
    square = multiplyCrc64(square, square);
  }
  return multiplyCrc64(first, power) ^ second;
}

/** Multiplies two polynomials, whose highest coefficient is the lowest bit. */
function multiplyCrc64(one: bigint, other: bigint): bigint {
  let product = 0n;
  let shifted = one;
  for (let bit = 63n; bit >= 0n; bit -= 1n) {
    if (((other >> bit) & 1n) === 1n) product ^= shifted;
    shifted = stepCrc64(shifted);
  }
  return product;
}
