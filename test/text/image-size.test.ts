import { expect, test } from 'vitest';
import { imageSize } from '../../src/text/image-size.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const ascii = (text: string) => Buffer.from(text, 'latin1').toString('hex');

const jpeg = 'ffd8 ffe0 0010 4a46494600010100000100010000 ffdb 0004 0000 ffc2 0011 08 0258 0320 03';
const webp = (chunk: string, rest: string) =>
  `${ascii('RIFF')} 00000000 ${ascii(`WEBP${chunk}`)} 00000000 ${rest}`;

test.each([
  ['a PNG', '89504e470d0a1a0a 0000000d 49484452 00000280 000001e0 0802', { width: 640, height: 480 }],
  ['a GIF', `${ascii('GIF89a')} 8002 e001`, { width: 640, height: 480 }],
  ['a progressive JPEG behind other segments', jpeg, { width: 800, height: 600 }],
  ['a JPEG with fill bytes', 'ffd8 ffff ffc0 0011 08 0010 0020 03', { width: 32, height: 16 }],
  ['a lossy WebP', webp('VP8 ', '000000 9d012a 8002 e001'), { width: 640, height: 480 }],
  ['a lossless WebP', webp('VP8L', '2f 7fc27700'), { width: 640, height: 480 }],
  ['an extended WebP', webp('VP8X', '00000000 7f0200 df0100'), { width: 640, height: 480 }],
  ['a BMP', `${ascii('BM')} ${'00'.repeat(12)} 28000000 80020000 e0010000`, { width: 640, height: 480 }],
  [
    'a BMP from the top',
    `${ascii('BM')} ${'00'.repeat(12)} 28000000 80020000 20feffff`,
    { width: 640, height: 480 },
  ],
  ['an old BMP', `${ascii('BM')} ${'00'.repeat(12)} 0c000000 8002 e001`, { width: 640, height: 480 }],
])('reads the dimensions of %s', (_, hex, size) => {
  expect(imageSize(bytes(hex))).toEqual(size);
});

test('knows none of what is no image', () => {
  for (const text of ['', 'BM', 'text', 'RIFF....WAVEfmt ', 'GIF87']) {
    expect(imageSize(Buffer.from(text))).toBeUndefined();
  }
});

test('knows none where the bytes end too soon, wherever that is', () => {
  const whole = bytes(jpeg);
  for (let length = 0; length < whole.length - 1; length++) {
    expect(imageSize(whole.subarray(0, length))).toBeUndefined();
  }
});

test('comes to an end on a JPEG that is made of lengths only', () => {
  expect(imageSize(Buffer.concat([bytes('ffd8'), Buffer.alloc(65_534, 0xff)]))).toBeUndefined();
  expect(imageSize(Buffer.concat([bytes('ffd8'), Buffer.alloc(65_534, bytes('ffe00000'))]))).toBeUndefined();
});
