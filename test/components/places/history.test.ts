import { expect, test } from 'vitest';
import { type History, noHistory, seen, step } from '../../../components/app/history.ts';
import { openAbove, type Places, placesAt, presentStack, turnTo } from '../../../components/app/places.ts';
import type { OpenPane } from '../../../components/kit/open-pane.ts';

const keys = (title: string): OpenPane => ({ pane: 'keys', namespace: { id: title, title } });

interface At {
  readonly history: History;
  readonly places: Places;
}

function go({ history, places }: At, next: Places): At {
  return { history: seen(history, places, next), places: next };
}

function back(at: At, to: 'back' | 'forward' = 'back'): At {
  const stepped = step(at.history, at.places, to);
  if (stepped === undefined) throw new Error(`there is nothing ${to}`);
  return stepped;
}

const start: At = { history: noHistory, places: placesAt([{ pane: 'namespaces' }]) };

test('goes back through areas and panes, and forward again, to the same panes', () => {
  const first = go(start, openAbove(start.places, keys('a')));
  const second = go(first, turnTo(first.places, { pane: 'buckets' }));
  const there = presentStack(first.places);
  expect(presentStack(back(second).places)).toBe(there);
  expect(back(back(second)).places.area).toBe('namespaces');
  expect(presentStack(back(back(second)).places)).toHaveLength(1);
  expect(back(back(second), 'forward').places.area).toBe('buckets');
  expect(step(start.history, start.places, 'back')).toBeUndefined();
  expect(step(second.history, second.places, 'forward')).toBeUndefined();
});

test('forgets the way forward when one goes elsewhere, and what is no move', () => {
  const first = go(start, openAbove(start.places, keys('a')));
  const returned = back(first);
  const other = go(returned, openAbove(returned.places, keys('b')));
  expect(step(other.history, other.places, 'forward')).toBeUndefined();
  expect(go(first, first.places).history).toBe(first.history);
});

test('keeps a hundred views', () => {
  let at = start;
  for (let turn = 0; turn < 150; turn++) {
    at = go(at, turnTo(at.places, { pane: turn % 2 === 0 ? 'buckets' : 'namespaces' }));
  }
  expect(at.history.past).toHaveLength(100);
});
