import { expect, test } from 'vitest';
import {
  type Preview,
  type PreviewView,
  previewCounts,
  previewSource,
  withHead,
} from '../../../components/objects/preview.ts';
import { nextView, unreadBytes } from '../../../components/ui/viewer/bytes-view.ts';
import type { ObjectEntry } from '../../../src/model/objects/object.ts';
import { pngHead } from '../open-objects.tsx';
import { plainSurface } from '../plain-surface.ts';

const entry: ObjectEntry = {
  key: 'a\nsize 0 bytes',
  size: 3,
  etag: 'e'.repeat(32),
  uploaded: Date.UTC(2026, 10, 21),
  httpMetadata: { contentType: 'text/plain', cacheExpiry: Date.UTC(2027, 0, 1) },
  customMetadata: { owner: 'web\u001b[2J' },
};

function read(head: Uint8Array | string, size = head.length, before: Preview = unreadBytes(entry)): Preview {
  return withHead(before, { ...entry, size }, Buffer.from(head));
}

function text(preview: Preview, view: PreviewView = preview.view): string {
  const source = previewSource({ ...preview, view }, plainSurface(80));
  return Array.from({ length: source?.segments ?? 0 }, (_, at) => source?.lines(at).join('\n')).join('\n');
}

test.each([
  ['plain', 'plain', 5, 'text', '5 B, text'],
  ['JSON', '{"a":1}', 7, 'json', '7 B, JSON'],
  ['the beginning of JSON', `{"a":"${'x'.repeat(99)}`, 5000, 'text', 'first 105 B of 4.9 KiB, JSON as text'],
  ['an image', pngHead, pngHead.length, 'hex', '29 B, PNG image 640x480 as hex'],
  ['nothing', '', 0, 'text', '0 B, empty'],
])('opens %s in the view that fits', (_, head, size, view, counts) => {
  const state = read(head, size);
  expect(state.view).toBe(view);
  expect(previewCounts(state)).toBe(counts);
});

test('indents complete JSON, and reports if a truncated object is not valid JSON', () => {
  expect(text(read('{"a":[1]}'))).toContain('  "a": [');
  expect(text(read('{"a":', 900), 'json')).toContain('Only the beginning');
  expect(text(read('no json'), 'json')).toContain('cannot be shown as JSON');
});

test('shows each known fact on its own line, escaped', () => {
  const shown = text(read('abc'), 'about');
  expect(shown).toMatch(/^key +a␊size 0 bytes$/m);
  expect(shown).not.toMatch(/^size 0/m);
  expect(shown).toMatch(/^content-type +text\/plain$/m);
  expect(shown).toMatch(/^expires +2027-01-01T00:00:00\.000Z$/m);
  expect(shown).toContain('web\ue01b[2J');
});

test('keeps the view during a reload, and shows that an object was deleted', () => {
  expect(read('{}', 2, { ...read('abc'), view: 'hex' }).view).toBe('hex');
  const gone = withHead(read('abc'), undefined, undefined);
  expect(gone.bytes).toBe('gone');
  expect(previewCounts(gone)).toBe('');
  expect(previewSource(gone, plainSurface(80))).toBeUndefined();
});

test('cycles through the views with one key', () => {
  expect((['text', 'json', 'hex', 'about'] as const).map((view) => nextView(view, 'about'))).toEqual([
    'json',
    'hex',
    'about',
    'text',
  ]);
});
