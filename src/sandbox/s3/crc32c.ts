/** CRC-32C (Castagnoli, RFC 3720, appendix B.4), byte by byte: Node has CRC-32 only, and few clients ask for this one. */
export class Crc32c {
  #value = 0xffffffff;

  update(bytes: Uint8Array): void {
    let value = this.#value;
    for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
    this.#value = value;
  }

  digest(encoding: 'hex' | 'base64'): string {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE((this.#value ^ 0xffffffff) >>> 0);
    return bytes.toString(encoding);
  }
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});
