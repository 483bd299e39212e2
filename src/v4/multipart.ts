/** One part of a form: text, or bytes that are sent as a file. */
export interface MultipartPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** File name of a file part (default: "blob"). */
  readonly fileName?: string;
  readonly contentType?: string;
}

/** Returns a `multipart/form-data` body (RFC 7578) and its content type. `boundary` must not occur in the content. */
export function multipart(
  parts: readonly MultipartPart[],
  boundary: string,
): { body: Uint8Array; contentType: string } {
  const pieces = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${partHeaders(part)}\r\n\r\n`),
    typeof part.content === 'string' ? Buffer.from(part.content) : part.content,
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}

function partHeaders(part: MultipartPart): string {
  const disposition = `Content-Disposition: form-data; name="${escapeQuoted(part.name)}"`;
  if (typeof part.content === 'string' && part.fileName === undefined) {
    return part.contentType === undefined
      ? disposition
      : `${disposition}\r\nContent-Type: ${part.contentType}`;
  }
  const file = `; filename="${escapeQuoted(part.fileName ?? 'blob')}"`;
  return `${disposition}${file}\r\nContent-Type: ${part.contentType ?? 'application/octet-stream'}`;
}

/** Escapes the characters that would end the quoted name, as browsers do. */
function escapeQuoted(name: string): string {
  return name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}
