/** The server name that a TLS client sends; `""` if the client sends no name. */
export type ClientHello = { readonly servername: string } | 'incomplete' | 'none';

const handshake = 22;
const clientHello = 1;
const serverNameExtension = 0;

/**
 * Reads the server name from the first bytes of a connection (RFC 8446, 4.1.2; RFC 6066, 3). `none`: the bytes do not start with a TLS
 * handshake. If a hello spans several records, only the first record is read.
 */
export function readClientHello(bytes: Buffer): ClientHello {
  if (bytes.length > 0 && bytes[0] !== handshake) return 'none';
  if (bytes.length < 5 || bytes.length < 5 + bytes.readUInt16BE(3)) return 'incomplete';
  const body = bytes.subarray(5, 5 + bytes.readUInt16BE(3));
  if (body[0] !== clientHello) return 'none';
  try {
    return { servername: readServerName(body) };
  } catch {
    return { servername: '' };
  }
}

/** Returns the server name in a client hello. Throws if a length exceeds the bytes. */
function readServerName(body: Buffer): string {
  // Skips type and length, version, and random bytes.
  let at = 4 + 2 + 32;
  at += 1 + body.readUInt8(at);
  at += 2 + body.readUInt16BE(at);
  at += 1 + body.readUInt8(at);
  const end = at + 2 + body.readUInt16BE(at);
  for (at += 2; at + 4 <= end; ) {
    const type = body.readUInt16BE(at);
    const length = body.readUInt16BE(at + 2);
    // The extension is a list of names with their types; the first name is the host.
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
