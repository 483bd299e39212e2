import { expect, test } from 'vitest';
import { type History, noHistory, recordView, stepHistory } from '../../../components/app/history.ts';
import {
  currentStack,
  initialPlaces,
  type Places,
  pushPane,
  switchArea,
} from '../../../components/app/places.ts';
import type { OpenPane } from '../../../components/kit/open-pane.ts';

const keys = (title: string): OpenPane => ({ pane: 'keys', namespace: { id: title, title } });

interface At {
  readonly history: History;
  readonly places: Places;
}

function go({ history, places }: At, next: Places): At {
  return { history: recordView(history, places, next), places: next };
}

function back(at: At, to: 'back' | 'forward' = 'back'): At {
  const stepped = stepHistory(at.history, at.places, to);
  if (stepped === undefined) throw new Error(`there is no view ${to}`);
  return stepped;
}

const start: At = { history: noHistory, places: initialPlaces([{ pane: 'namespaces' }]) };

test('goes back through areas and panes, and forward through the same panes', () => {
  const first = go(start, pushPane(start.places, keys('a')));
  const second = go(first, switchArea(first.places, { pane: 'buckets' }));
  const there = currentStack(first.places);
  expect(currentStack(back(second).places)).toBe(there);
  expect(back(back(second)).places.area).toBe('namespaces');
  expect(currentStack(back(back(second)).places)).toHaveLength(1);
  expect(back(back(second), 'forward').places.area).toBe('buckets');
  expect(stepHistory(start.history, start.places, 'back')).toBeUndefined();
  expect(stepHistory(second.history, second.places, 'forward')).toBeUndefined();
});

test('drops the forward history after a new move, and ignores actions that do not move', () => {
  const first = go(start, pushPane(start.places, keys('a')));
  const returned = back(first);
  const other = go(returned, pushPane(returned.places, keys('b')));
  expect(stepHistory(other.history, other.places, 'forward')).toBeUndefined();
  expect(go(first, first.places).history).toBe(first.history);
});

test('keeps up to 100 views', () => {
  let at = start;
  for (let turn = 0; turn < 150; turn++) {
    at = go(at, switchArea(at.places, { pane: turn % 2 === 0 ? 'buckets' : 'namespaces' }));
  }
  expect(at.history.past).toHaveLength(100);
});
