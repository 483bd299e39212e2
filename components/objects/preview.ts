import type { HttpMetadata, ObjectEntry } from '../../src/model/objects/object.ts';
import { imageSize } from '../../src/text/image-size.ts';
import type { Kind } from '../../src/text/kind.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import {
  bytesSource,
  formatKind,
  type ShownBytes,
  textView,
  withBytes,
  withoutBytes,
} from '../ui/viewer/bytes-view.ts';
import type { Source } from '../ui/viewer/source.ts';
import type { ViewSurface } from '../ui/viewer/view-source.ts';

/** The view of the object's metadata. */
export const ownView = 'about';

/** An object and its first bytes. */
export type Preview = ShownBytes<ObjectEntry, typeof ownView>;
export type PreviewView = Preview['view'];

/** Returns the preview with the data that was read. If metadata or bytes are undefined, the object no longer exists. */
export function withHead(
  preview: Preview,
  entry: ObjectEntry | undefined,
  head: Uint8Array | undefined,
): Preview {
  if (entry === undefined || head === undefined) return withoutBytes(preview);
  return withBytes(preview, { entry, bytes: head, isWhole: head.length >= entry.size });
}

/** Returns the lines of an object for a surface; undefined until the object is read. Redacts metadata, but not the bytes. */
export function previewSource(
  { bytes: head, view, entry, kind, folded }: Preview,
  surface: ViewSurface,
): Source | undefined {
  if (!(head instanceof Uint8Array)) return undefined;
  if (view === ownView) return textView(Buffer.from(surface.redact(aboutText(entry, head, kind))), surface);
  if (view === 'json' && head.length < entry.size) return textView(Buffer.from(onlyBeginning), surface);
  return bytesSource(head, { view, folded }, surface, 'This object cannot be shown as JSON.');
}

const onlyBeginning = 'Only the beginning of the object was read, so the JSON is incomplete.';

/** Formats size, kind, dimensions and view for the header. Returns an empty string until the object is read. */
export function previewCounts({ entry, bytes: head, kind, view }: Preview): string {
  if (!(head instanceof Uint8Array)) return '';
  const part = head.length < entry.size ? `first ${formatSize(head.length)} of ` : '';
  return `${part}${formatSize(entry.size)}, ${formatKind(describeKind(kind, head), kind, view)}`;
}

function describeKind({ label }: Kind, head: Uint8Array): string {
  const size = imageSize(head);
  return size === undefined ? label : `${label} ${size.width}x${size.height}`;
}

const httpNames: Readonly<Record<keyof HttpMetadata, string>> = {
  contentType: 'content-type',
  contentDisposition: 'content-disposition',
  contentEncoding: 'content-encoding',
  contentLanguage: 'content-language',
  cacheControl: 'cache-control',
  cacheExpiry: 'expires',
};

/** Formats the metadata of an object. Times are absolute: relative times would become outdated on the screen. */
function aboutText(entry: ObjectEntry, head: Uint8Array, kind: Kind): string {
  const { key, size, etag, uploaded, storageClass, httpMetadata, customMetadata } = entry;
  const http = (Object.keys(httpNames) as (keyof HttpMetadata)[]).flatMap((field) => {
    const value = httpMetadata[field];
    if (value === undefined) return [];
    return [row(httpNames[field], typeof value === 'number' ? isoTime(value) : value)];
  });
  const custom = Object.entries(customMetadata).map(([name, value]) => row(`  ${name}`, value));
  return [
    row('key', key),
    row('size', `${groupDigits(size)} bytes`),
    row('guessed type', describeKind(kind, head)),
    row('etag', etag),
    row('uploaded', isoTime(uploaded)),
    ...(storageClass === undefined ? [] : [row('storage class', storageClass)]),
    ...http,
    row('custom', custom.length === 0 ? 'none' : ''),
    ...custom,
  ].join('\n');
}

/** Formats a row. Replaces line feeds with a symbol, because untrusted data must not start a new line. */
function row(name: string, value: string): string {
  return `${name.padEnd(20)} ${value}`.trimEnd().replaceAll('\n', '␊');
}

function isoTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? 'unknown' : date.toISOString();
}
