import { expect, test } from 'vitest';
import {
  headBytes,
  noPreview,
  type PreviewEvent,
  type PreviewState,
  previewCounts,
  previewSource,
  reducePreview,
} from '../../../components/objects/preview-state.ts';
import type { ObjectEntry } from '../../../src/model/objects/object.ts';
import { Problem } from '../../../src/model/problem.ts';
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

function after(...events: PreviewEvent[]): PreviewState {
  const place = { pane: 'preview', bucket: { name: 'b' }, entry, changed: () => undefined } as const;
  return events.reduce(reducePreview, noPreview(place));
}

function read(head: Uint8Array | string, size = head.length): PreviewEvent {
  return { type: 'read', entry: { ...entry, size }, head: Buffer.from(head) };
}

function text(state: PreviewState): string {
  const source = previewSource(state, plainSurface(80));
  return Array.from({ length: source?.segments ?? 0 }, (_, at) => source?.lines(at).join('\n')).join('\n');
}

test.each([
  ['plain', 'plain', 5, 'text', '5 B, text · text'],
  ['JSON', '{"a":1}', 7, 'json', '7 B, JSON · json'],
  ['the beginning of JSON', `{"a":"${'x'.repeat(99)}`, 5000, 'text', 'first 105 B of 5.0 kB, JSON · text'],
  ['an image', pngHead, pngHead.length, 'hex', '29 B, PNG image 640x480 · hex'],
  ['nothing', '', 0, 'text', '0 B, empty · text'],
])('opens %s in the view that fits', (_, head, size, view, counts) => {
  const state = after(read(head, size));
  expect(state.view).toBe(view);
  expect(previewCounts(state)).toBe(counts);
});

test('indents JSON that is whole, and says of a beginning that it is none', () => {
  expect(text(after(read('{"a":[1]}')))).toContain('  "a": [');
  expect(text(after(read('{"a":', 900), { type: 'viewed', view: 'json' }))).toContain('Only the beginning');
  expect(text(after(read('no json'), { type: 'viewed', view: 'json' }))).toContain('cannot be shown as JSON');
});

test('tells all that is known, each on a line of its own and escaped', () => {
  const shown = text(after(read('abc'), { type: 'viewed', view: 'about' }));
  expect(shown).toMatch(/^key +a␊size 0 bytes$/m);
  expect(shown).not.toMatch(/^size 0/m);
  expect(shown).toMatch(/^content-type +text\/plain$/m);
  expect(shown).toMatch(/^expires +2027-01-01T00:00:00\.000Z$/m);
  expect(shown).toContain('web\\e[2J');
});

test('keeps the view while it is read again, and shows that an object is gone', () => {
  const state = after(read('abc'), { type: 'viewed', view: 'hex' }, { type: 'reading' }, read('{}'));
  expect(state.view).toBe('hex');
  const gone = after(read('abc'), { type: 'read', entry: undefined, head: undefined });
  expect(gone.head).toBe('gone');
  expect(previewCounts(gone)).toBe('');
});

test('goes through the views one by one and around', () => {
  const next: PreviewEvent = { type: 'viewed', view: 'next' };
  expect(after(next).view).toBe('json');
  expect(after(next, next, next, next).view).toBe('text');
});

test('shows why it could not be read in a box that reads again', () => {
  const problem = new Problem('unreachable', 'no answer');
  const failed = after({ type: 'failed', problem, command: { does: 'read' } });
  expect(failed.work).toEqual({ dialog: { kind: 'problem', problem, command: { does: 'read' } } });
});

test('reads 64 KiB at most', () => {
  expect(headBytes).toBe(65_536);
});
