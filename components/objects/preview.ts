import type { HttpMetadata, ObjectEntry } from '../../src/model/objects/object.ts';
import { imageSize } from '../../src/text/image-size.ts';
import { prettyJson } from '../../src/text/json.ts';
import { guessKind, type Kind } from '../../src/text/kind.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import type { Surface } from '../console/surface.ts';
import { hexSource, type Source, textSource } from '../viewer/source.ts';

export type PreviewView = 'text' | 'json' | 'hex' | 'about';

/** An object as far as it is read, and how it is shown. */
export interface Preview {
  readonly entry: ObjectEntry;
  /** The object's first bytes, once they are read; `gone` when there is no object. */
  readonly head: Uint8Array | 'gone' | undefined;
  readonly kind: Kind;
  readonly view: PreviewView;
}

const views: readonly PreviewView[] = ['text', 'json', 'hex', 'about'];

/** An object of which nothing is read. */
export function unread(entry: ObjectEntry): Preview {
  return { entry, head: undefined, kind: { kind: 'empty', label: 'empty' }, view: 'text' };
}

/** The view behind one, and behind the last the first. */
export function viewAfter(view: PreviewView): PreviewView {
  return views[(views.indexOf(view) + 1) % views.length] ?? 'text';
}

/** The preview with what was read. The first time it is shown as it fits. */
export function withHead(
  preview: Preview,
  entry: ObjectEntry | undefined,
  head: Uint8Array | undefined,
): Preview {
  if (entry === undefined || head === undefined) return { ...preview, head: 'gone' };
  const whole = head.length >= entry.size;
  const kind = guessKind(head.subarray(0, 4096), whole && head.length <= 4096);
  const view = preview.head === undefined ? fittingView(kind, whole) : preview.view;
  return { entry, head, kind, view };
}

function fittingView({ kind }: Kind, whole: boolean): PreviewView {
  if (kind === 'binary') return 'hex';
  return kind === 'json' && whole ? 'json' : 'text';
}

/** Returns the lines of an object for a surface; undefined while nothing is read. The object is not redacted. */
export function previewSource(
  { head, view, entry, kind }: Preview,
  { columns: width, redact }: Surface,
): Source | undefined {
  if (!(head instanceof Uint8Array)) return undefined;
  switch (view) {
    case 'text':
      return textSource(head, width);
    case 'hex':
      return hexSource(head, width);
    case 'json':
      return textSource(jsonOf(head, entry), width);
    case 'about':
      return textSource(Buffer.from(redact(aboutText(entry, head, kind))), width);
  }
}

function jsonOf(head: Uint8Array, { size }: ObjectEntry): Uint8Array {
  if (head.length < size) return Buffer.from('Only the beginning was read; it is no whole JSON.');
  return prettyJson(head) ?? Buffer.from('This object cannot be shown as JSON.');
}

/** Size, kind, dimensions and view, for the header. */
export function previewCounts({ entry, head, kind, view }: Preview): string {
  if (!(head instanceof Uint8Array)) return '';
  const part = head.length < entry.size ? `first ${formatSize(head.length)} of ` : '';
  return `${part}${formatSize(entry.size)}, ${kindWords(kind, head)} · ${view}`;
}

function kindWords({ label }: Kind, head: Uint8Array): string {
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

/** Everything about an object but its bytes. Absolute times, so that the text does not age on the screen. */
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
    row('seems to be', kindWords(kind, head)),
    row('etag', etag),
    row('uploaded', isoTime(uploaded)),
    ...(storageClass === undefined ? [] : [row('storage class', storageClass)]),
    ...http,
    row('custom', custom.length === 0 ? 'none' : ''),
    ...custom,
  ].join('\n');
}

/** One line whatever the texts hold: a line feed of theirs must not begin a line of ours. */
function row(name: string, value: string): string {
  return `${name.padEnd(20)} ${value}`.trimEnd().replaceAll('\n', '␊');
}

function isoTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? 'unknown' : date.toISOString();
}
