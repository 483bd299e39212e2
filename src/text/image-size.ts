import { imageDimensionsFromData } from 'image-dimensions';

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the dimensions of an image from its first bytes: PNG, GIF, JPEG, WebP, AVIF, HEIC or BMP. Undefined for other formats, or if the
 * dimensions are not within the given bytes.
 */
export function imageSize(head: Uint8Array): ImageSize | undefined {
  const found = imageDimensionsFromData(head);
  return found === undefined ? bmpSize(head) : { width: found.width, height: found.height };
}

/**
 * Returns the dimensions of a BMP image. A negative height means that the rows start at the top. Headers of 12 bytes contain 16-bit
 * numbers.
 */
function bmpSize(head: Uint8Array): ImageSize | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (view.byteLength < 26 || view.getUint16(0) !== 0x424d) return undefined;
  if (view.getUint32(14, true) === 12)
    return { width: view.getUint16(18, true), height: view.getUint16(20, true) };
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}
