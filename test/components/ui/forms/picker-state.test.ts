import { expect, test } from 'vitest';
import { PickerState } from '../../../../components/ui/forms/picker-state.ts';

const names = ['local data', 'shop-CATALOGUE', 'shop-FEATURE_FLAGS', 'shop-SESSIONS', 'sales'];

/** Returns a picker after some key presses, each in the form that a terminal sends. */
function typed(presses: readonly string[], labels: readonly string[] = names, first = 0): PickerState {
  const state = new PickerState(labels, first);
  state.setItems(labels, 3);
  for (const text of presses) state.take([{ kind: 'press', text }]);
  return state;
}

function found({ shown }: PickerState, labels: readonly string[] = names): readonly string[] {
  return shown.found.flatMap((index) => labels[index] ?? []);
}

function highlighted({ shown }: PickerState, labels: readonly string[] = names): string | undefined {
  return labels[shown.found[shown.highlighted] ?? -1];
}

test('letters filter the items, best match first; without letters, the current item is highlighted', () => {
  expect(found(typed([]))).toEqual(names);
  expect(highlighted(typed([], names, 3))).toBe('shop-SESSIONS');
  expect(found(typed([...'ses']))).toEqual(['shop-SESSIONS']);
  expect(highlighted(typed([...'sa'], names, 3))).toBe('sales');
  expect(found(typed([...'shop ca']))).toEqual(['shop-CATALOGUE']);
  expect(found(typed([...'xyz']))).toEqual([]);
  // Items that match equally well keep their order.
  expect(found(typed([...'shop']))).toEqual(names.slice(1, 4));
});

test('Backspace and Ctrl-U change the letters, and a paste adds its first line', () => {
  expect(typed([...'se', '\u007f']).shown.query).toBe('s');
  expect(typed(['e\u0301', '\u007f']).shown.query).toBe('');
  const state = typed([...'ses', '\u0015'], names, 3);
  expect([state.shown.query, highlighted(state)]).toEqual(['', 'shop-SESSIONS']);
  state.take([{ kind: 'paste', text: 'cata\u001b\nmore' }]);
  expect([state.shown.query, highlighted(state)]).toEqual(['cata', 'shop-CATALOGUE']);
});

test('passes arrows, Enter, Esc and Tab to the list and the dialog', () => {
  const state = typed([]);
  for (const text of ['\r', '\t', '\u001b', '\u001b[27u', '\u001b[Z', '\u001b[A', '\u001b[B', '\u0003'])
    expect(state.take([{ kind: 'press', text }])).toBe(0);
  expect(state.take([])).toBe(0);
});

test('moves with j and k while nothing is typed, unless a word in the list begins with that letter', () => {
  const taken = (letter: string, labels: readonly string[], before = '') =>
    typed([...before], labels).take([{ kind: 'press', text: letter }]);
  expect(taken('j', names)).toBe(0);
  expect(taken('k', names)).toBe(0);
  expect(taken('k', ['values', 'api-keys'])).toBe(1);
  expect(taken('j', names, 's')).toBe(1);
});

test('moves by pages, and to the first and the last item', () => {
  const pageDown = '\u001b[6~';
  expect(highlighted(typed([pageDown]))).toBe('shop-SESSIONS');
  expect(highlighted(typed([pageDown, pageDown]))).toBe('sales');
  expect(highlighted(typed([pageDown, '\u001b[5~']))).toBe('local data');
  expect(highlighted(typed(['\u001b[F']))).toBe('sales');
  expect(highlighted(typed(['\u001b[F', '\u001b[H']))).toBe('local data');
});

test('keeps the typed letters when the items change, and follows the cursor of the list', () => {
  const state = typed([...'s']);
  const changes: string[] = [];
  state.subscribe(() => changes.push(state.shown.query));
  const more = [...names, 'soon'];
  state.setItems(more, 3);
  expect(found(state, more)).toContain('soon');
  state.highlight(5);
  expect(highlighted(state, more)).toBe('soon');
  state.setItems(more, 3);
  expect(changes).toHaveLength(2);
});
