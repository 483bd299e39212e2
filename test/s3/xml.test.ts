import { expect, test } from 'vitest';
import { listChildren, parseDocument } from '../../src/s3/xml.ts';

// S3 API reference, CompleteMultipartUpload: up to 10,000 parts, each with up to five checksums.
test('parses a document with the maximum number of parts, and rejects a document with too many tags', () => {
  const names = ['PartNumber', 'ETag', 'ChecksumCRC32', 'ChecksumCRC32C', 'ChecksumSHA1', 'ChecksumSHA256'];
  const part = `<Part>${names.map((name) => `<${name}>1</${name}>`).join('')}</Part>`;
  const largest = parseDocument(`<CompleteMultipartUpload>${part.repeat(10_000)}</CompleteMultipartUpload>`);
  expect(listChildren(largest, 'Part')).toHaveLength(10_000);
  expect(parseDocument(`<Delete>${'<a/>'.repeat(200_000)}</Delete>`)).toBeUndefined();
});
