import { expect, test } from 'vitest';
import { removeDialog } from '../../../components/kv/key-work.ts';
import {
  expiryWords,
  noValue,
  reduceValue,
  searchText,
  sourceOf,
  type ValueEvent,
  type ValueState,
  valueCounts,
} from '../../../components/kv/value-state.ts';
import { linesFrom } from '../../../components/viewer/scroll.ts';
import { atTop } from '../../../components/viewer/source.ts';
import { Problem } from '../../../src/model/problem.ts';
import { plainSurface } from '../plain-surface.ts';

const entry = { name: 'user:1', expiration: 1_800_000_000, metadata: { owner: 'web' } };

function after(...events: ValueEvent[]): ValueState {
  return events.reduce(reduceValue, noValue(entry));
}

function read(value: string | Uint8Array): ValueEvent {
  return { type: 'read', subject: { entry, value: Buffer.from(value) } };
}

function linesOf(state: ValueState): string[] {
  const source = sourceOf(state, plainSurface(80));
  return source === undefined ? [] : linesFrom(source, state.anchor, 30);
}

test('begins with the view that fits the value', () => {
  expect(after(read('{"a":1}')).view).toBe('json');
  expect(after(read('just text')).view).toBe('text');
  expect(after(read(Buffer.of(0, 1, 2, 0xff))).view).toBe('hex');
  expect(after(read('')).view).toBe('text');
  expect(after(read(`"${'x'.repeat(1024 * 1024)}"`)).view).toBe('text');
});

test('goes round through the views, from the top of each', () => {
  const scrolled = after(read('{"a":1}'), { type: 'scrolled', anchor: { segment: 1, line: 0 } });
  const next = reduceValue(scrolled, { type: 'viewed', view: 'next' });
  expect(next).toMatchObject({ view: 'hex', anchor: atTop });
  expect(reduceValue(next, { type: 'viewed', view: 'next' }).view).toBe('metadata');
  expect(reduceValue(next, { type: 'viewed', view: 'text' }).view).toBe('text');
});

test('indents JSON and keeps its digits', () => {
  expect(linesOf(after(read('{"id":12345678901234567890,"x":[]}')))).toEqual([
    '{',
    '  "id": 12345678901234567890,',
    '  "x": []',
    '}',
  ]);
  expect(linesOf(after(read('no json'), { type: 'viewed', view: 'json' }))).toEqual([
    'This value cannot be shown as JSON.',
  ]);
});

test('shows size, expiry and metadata apart from the value', () => {
  const lines = linesOf(after(read('12345'), { type: 'viewed', view: 'metadata' }));
  expect(lines).toEqual([
    'size      5 bytes',
    'expires   2027-01-15T08:00:00Z',
    'metadata',
    '{',
    '  "owner": "web"',
    '}',
  ]);
});

test('keeps the view when the value is read again or stored', () => {
  const hex = after(read('{"a":1}'), { type: 'viewed', view: 'hex' });
  expect(reduceValue(hex, read('plain')).view).toBe('hex');
  const stored = reduceValue(hex, { type: 'stored', entry: { name: 'user:1' }, value: Buffer.from('plain') });
  expect(stored).toMatchObject({ view: 'hex', entry: { name: 'user:1' }, kind: { label: 'text' } });
});

test('says that a key is gone', () => {
  const gone = after({ type: 'read', subject: undefined });
  expect(gone.value).toBe('gone');
  expect(sourceOf(gone, plainSurface(80))).toBeUndefined();
  expect(valueCounts(gone, undefined)).toBe('');
});

test('remembers a search for the next match, and keeps the place when there is none', () => {
  const found = after(
    read('x'),
    { type: 'searching', text: 'ab' },
    { type: 'searched', text: 'ab', offset: 9, anchor: { segment: 3, line: 0 } },
  );
  expect(found).toMatchObject({
    dialog: undefined,
    search: { text: 'ab', offset: 9 },
    anchor: { segment: 3, line: 0 },
  });
  expect(searchText(found)).toBe('ab');
  const lost = reduceValue(found, { type: 'searched', text: 'zz', offset: 9, anchor: undefined });
  expect(lost.anchor).toEqual({ segment: 3, line: 0 });
});

test('names size, kind, view and place for the header', () => {
  const state = after(read('{"a":1}'));
  expect(valueCounts(state, 40)).toBe('7 B, JSON · json · 40%');
  expect(expiryWords(entry, (entry.expiration - 7200) * 1000)).toBe('expires in 2 h');
  expect(expiryWords({ name: 'x' }, 0)).toBe('');
});

test('goes back to a form from a question that it raised', () => {
  const form = { title: 'Edit', lines: [], fields: [], focus: 0, saving: true };
  const behind = { kind: 'form', purpose: 'edit', subject: undefined, form } as const;
  const question = removeDialog('user:1', { id: 'a', title: 'demo' });
  if (question.kind !== 'confirm') throw new Error('no question');
  const back = after({ type: 'asked', dialog: { ...question, behind } }, { type: 'closed' });
  expect(back.dialog).toMatchObject({ kind: 'form', form: { saving: false } });
});

test('tells of a failed read, and knows what to try again', () => {
  const problem = new Problem('unreachable', 'no answer');
  const failed = after({ type: 'failed', problem, command: { does: 'read' } });
  expect(failed).toMatchObject({
    busy: undefined,
    dialog: { kind: 'problem', problem, command: { does: 'read' } },
  });
});
