import fc from 'fast-check';
import { expect, test } from 'vitest';
import { imageSize } from '../../src/text/image-size.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const ascii = (text: string) => Buffer.from(text, 'latin1').toString('hex');

const jpeg = 'ffd8 ffe0 0010 4a46494600010100000100010000 ffdb 0004 0000 ffc2 0011 08 0258 0320 03';
const webp = (chunk: string, rest: string) =>
  `${ascii('RIFF')} 16000000 ${ascii(`WEBP${chunk}`)} 0a000000 ${rest}`;

/** Returns a box of ISO 14496-12: length, type, contents. */
const box = (type: string, contents: string) => {
  const bare = contents.replaceAll(' ', '');
  return (8 + bare.length / 2).toString(16).padStart(8, '0') + ascii(type) + bare;
};
const propertiesOf = (associations: string) =>
  box('ipco', box('ispe', '00000000 00000280 000001e0')) + box('ipma', associations);
const avif = (associations: string) =>
  box('ftyp', `${ascii('avif')} 00000000`) +
  box('meta', `00000000 ${box('pitm', '00000000 0001')} ${box('iprp', propertiesOf(associations))}`);

test.each([
  ['a PNG', '89504e470d0a1a0a 0000000d 49484452 00000280 000001e0 0802', { width: 640, height: 480 }],
  ['a GIF', `${ascii('GIF89a')} 8002 e001`, { width: 640, height: 480 }],
  ['a progressive JPEG after other segments', jpeg, { width: 800, height: 600 }],
  ['a JPEG with fill bytes', 'ffd8 ffff ffc0 0011 08 0010 0020 03', { width: 32, height: 16 }],
  ['a lossy WebP', webp('VP8 ', '000000 9d012a 8002 e001'), { width: 640, height: 480 }],
  ['a lossless WebP', webp('VP8L', '2f 7fc27700'), { width: 640, height: 480 }],
  ['an extended WebP', webp('VP8X', '00000000 7f0200 df0100'), { width: 640, height: 480 }],
  ['an AVIF', avif('00000000 00000001 0001 01 81'), { width: 640, height: 480 }],
  ['a BMP', `${ascii('BM')} ${'00'.repeat(12)} 28000000 80020000 e0010000`, { width: 640, height: 480 }],
  [
    'a top-down BMP',
    `${ascii('BM')} ${'00'.repeat(12)} 28000000 80020000 20feffff`,
    { width: 640, height: 480 },
  ],
  [
    'an old BMP',
    `${ascii('BM')} ${'00'.repeat(12)} 0c000000 8002 e001 0100 1800`,
    { width: 640, height: 480 },
  ],
])('reads the dimensions of %s', (_, hex, size) => {
  expect(imageSize(bytes(hex))).toEqual(size);
});

test('returns no dimensions for anything but an image', () => {
  for (const text of ['', 'BM', 'text', 'RIFF....WAVEfmt ', 'GIF87']) {
    expect(imageSize(Buffer.from(text))).toBeUndefined();
  }
});

test('returns no dimensions for an image that is truncated anywhere', () => {
  const whole = bytes(jpeg);
  for (let length = 0; length < whole.length - 1; length++) {
    expect(imageSize(whole.subarray(0, length))).toBeUndefined();
  }
});

test('terminates on a JPEG that consists only of lengths', () => {
  expect(imageSize(Buffer.concat([bytes('ffd8'), Buffer.alloc(65_534, 0xff)]))).toBeUndefined();
  expect(imageSize(Buffer.concat([bytes('ffd8'), Buffer.alloc(65_534, bytes('ffe00000'))]))).toBeUndefined();
});

test('terminates on an AVIF that consists only of associations', () => {
  const many = bytes(avif(`00000000 00ffffff ${'0001 00'.repeat(20_000)}`));
  expect(imageSize(many)).toBeUndefined();
});

test('returns dimensions or undefined for any bytes after the signature of an image', () => {
  const whole = [jpeg, webp('VP8X', '00000000 7f0200 df0100'), avif('00000000 00000001 0001 01 81')].map(
    bytes,
  );
  const change = fc.tuple(fc.nat(200), fc.nat(255));
  fc.assert(
    fc.property(
      fc.constantFrom(...whole),
      fc.array(change, { maxLength: 4 }),
      fc.uint8Array(),
      (image, changes, more) => {
        const changed = Buffer.concat([image, more]);
        for (const [at, byte] of changes) changed[at % changed.length] = byte;
        const size = imageSize(changed);
        if (size !== undefined)
          expect(size).toEqual({ width: expect.any(Number), height: expect.any(Number) });
      },
    ),
    { numRuns: 1000 },
  );
});
