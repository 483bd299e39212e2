import { expect, test } from 'vitest';
import {
  allPanes,
  closePane,
  currentStack,
  goTo,
  initialPlaces,
  type Places,
  pushPane,
  switchArea,
} from '../../../components/app/places.ts';
import { formatBreadcrumb, type OpenPane } from '../../../components/kit/open-pane.ts';

const namespaces: OpenPane = { pane: 'namespaces' };
const buckets: OpenPane = { pane: 'buckets' };
const keys = (title: string): OpenPane => ({ pane: 'keys', namespace: { id: title, title } });
const folder = (name: string): OpenPane => ({
  pane: 'objects',
  bucket: { name: 'assets' },
  folder: name,
});

function way(places: Places): string {
  return currentStack(places)
    .map(({ opened }) => formatBreadcrumb(opened))
    .join(' > ');
}

function findSerial(places: Places, pane: string): number {
  const found = allPanes(places).find(({ opened }) => opened.pane === pane);
  return found?.serial ?? Number.NaN;
}

test('keeps the open panes of each area, and opens the first pane of the area on a second request', () => {
  let places = pushPane(initialPlaces([buckets]), folder('img/'));
  places = switchArea(places, namespaces);
  expect(way(places)).toBe('Namespaces');
  places = switchArea(pushPane(places, keys('sessions')), buckets);
  expect(way(places)).toBe('Buckets > img/');
  expect(way(switchArea(places, namespaces))).toBe('Namespaces > sessions');
  expect(way(switchArea(places, buckets))).toBe('Buckets');
});

test('gives each pane of each area a unique serial number, and shows one pane on the screen', () => {
  const before = pushPane(initialPlaces([buckets]), folder('img/'));
  const serial = findSerial(before, 'objects');
  const away = switchArea(before, namespaces);
  expect(findSerial(away, 'objects')).toBe(serial);
  expect(allPanes(away).filter(({ isOnScreen }) => isOnScreen)).toHaveLength(1);
  expect(new Set(allPanes(away).map((standing) => standing.serial)).size).toBe(3);
});

test('opens and closes panes in the area of the calling pane, regardless of the pane on the screen', () => {
  const there = pushPane(initialPlaces([buckets]), folder('img/'));
  const away = switchArea(there, namespaces);
  const closed = closePane(away, findSerial(away, 'objects'));
  expect(way(closed)).toBe('Namespaces');
  expect(way(switchArea(closed, buckets))).toBe('Buckets');
  const opened = pushPane(away, folder('img/icons/'), findSerial(away, 'objects'));
  expect(way(opened)).toBe('Namespaces');
  expect(way(switchArea(opened, buckets))).toBe('Buckets > img/ > icons/');
  expect(closePane(away, 999)).toBe(away);
});

test('keeps the first pane of an area open, and closes the panes above a closed pane', () => {
  const places = pushPane(pushPane(initialPlaces([buckets]), folder('a/')), folder('a/b/'));
  expect(way(closePane(places, findSerial(places, 'objects')))).toBe('Buckets');
  const first = initialPlaces([buckets]);
  expect(closePane(first)).toBe(first);
  expect(switchArea(first, buckets)).toBe(first);
});

test('opens a link in its area, and keeps the open list of that area', () => {
  const places = switchArea(initialPlaces([namespaces]), buckets);
  const gone = goTo(places, [namespaces, keys('sessions')]);
  expect(way(gone)).toBe('Namespaces > sessions');
  expect(findSerial(gone, 'namespaces')).toBe(findSerial(places, 'namespaces'));
});
