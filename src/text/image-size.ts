/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The dimensions of an image as its first bytes say them: PNG, GIF, JPEG, WebP and BMP. Undefined for anything else,
 * and where the bytes end before they are said.
 */
export function imageSize(head: Uint8Array): ImageSize | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const magic = Buffer.from(head.buffer, head.byteOffset, Math.min(16, head.byteLength)).toString('latin1');
  try {
    if (magic.startsWith('\x89PNG\r\n\x1a\n') && magic.endsWith('IHDR')) return pngSize(view);
    if (/^GIF8[79]a/.test(magic)) return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (magic.startsWith('\xff\xd8\xff')) return jpegSize(view);
    if (/^RIFF[\s\S]{4}WEBP/.test(magic)) return webpSize(view, magic.slice(12));
    if (magic.startsWith('BM')) return bmpSize(view);
    return undefined;
  } catch (error) {
    // The bytes end before the dimensions.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The first chunk, IHDR (PNG, 11.2.1). */
function pngSize(view: DataView): ImageSize {
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** The frame header, SOF0 to SOF15 without DHT, JPG and DAC (ITU-T T.81, B.2.2), behind segments of any kind. */
function jpegSize(view: DataView): ImageSize | undefined {
  for (let at = 2; view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    const alone = marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += marker === 0xff ? 1 : alone ? 2 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** The first chunk: lossy, lossless or extended (RFC 9649, 2). */
function webpSize(view: DataView, chunk: string): ImageSize | undefined {
  if (chunk === 'VP8X') return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
  if (chunk === 'VP8 ') {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (chunk !== 'VP8L') return undefined;
  const bits = view.getUint32(21, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
}

/** A height below zero says that the rows begin at the top. Headers of 12 bytes have shorter numbers. */
function bmpSize(view: DataView): ImageSize {
  if (view.getUint32(14, true) === 12)
    return { width: view.getUint16(18, true), height: view.getUint16(20, true) };
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}
