/** The name that a TLS client asks for, `""` where it names none. */
export type Hello = { readonly servername: string } | 'incomplete' | 'none';

const handshake = 22;
const clientHello = 1;
const serverNameExtension = 0;

/**
 * Reads the name out of the first bytes of a connection (RFC 8446, 4.1.2; RFC 6066, 3). `none`: it does not begin with a TLS
 * handshake. A hello over several records is read as far as the first one.
 */
export function readClientHello(bytes: Buffer): Hello {
  if (bytes.length > 0 && bytes[0] !== handshake) return 'none';
  if (bytes.length < 5 || bytes.length < 5 + bytes.readUInt16BE(3)) return 'incomplete';
  const body = bytes.subarray(5, 5 + bytes.readUInt16BE(3));
  if (body[0] !== clientHello) return 'none';
  try {
    return { servername: nameIn(body) };
  } catch {
    return { servername: '' };
  }
}

/** Throws if a length exceeds the bytes. */
function nameIn(body: Buffer): string {
  // Type and length, version, random.
  let at = 4 + 2 + 32;
  at += 1 + body.readUInt8(at);
  at += 2 + body.readUInt16BE(at);
  at += 1 + body.readUInt8(at);
  const end = at + 2 + body.readUInt16BE(at);
  for (at += 2; at + 4 <= end; ) {
    const type = body.readUInt16BE(at);
    const length = body.readUInt16BE(at + 2);
    // A list of names, each with its kind; the first is the host.
    if (type === serverNameExtension) {
      const size = body.readUInt16BE(at + 7);
      return body
        .subarray(at + 9, at + 9 + size)
        .toString('latin1')
        .toLowerCase();
    }
    at += 4 + length;
  }
  return '';
}
