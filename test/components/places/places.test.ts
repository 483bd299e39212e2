import { expect, test } from 'vitest';
import {
  closePane,
  goTo,
  openAbove,
  type Places,
  placesAt,
  presentStack,
  standingPanes,
  turnTo,
} from '../../../components/app/places.ts';
import { breadcrumbOf, type OpenPane } from '../../../components/kit/open-pane.ts';

const namespaces: OpenPane = { pane: 'namespaces' };
const buckets: OpenPane = { pane: 'buckets' };
const keys = (title: string): OpenPane => ({ pane: 'keys', namespace: { id: title, title } });
const folder = (name: string): OpenPane => ({
  pane: 'objects',
  bucket: { name: 'assets' },
  folder: name,
});

function way(places: Places): string {
  return presentStack(places)
    .map(({ opened }) => breadcrumbOf(opened))
    .join(' > ');
}

function serialOf(places: Places, pane: string): number {
  const found = standingPanes(places).find(({ opened }) => opened.pane === pane);
  return found?.serial ?? Number.NaN;
}

test('keeps the place of each area, and goes to its first pane when it is asked for again', () => {
  let places = openAbove(placesAt([buckets]), folder('img/'));
  places = turnTo(places, namespaces);
  expect(way(places)).toBe('Namespaces');
  places = turnTo(openAbove(places, keys('sessions')), buckets);
  expect(way(places)).toBe('Buckets > img/');
  expect(way(turnTo(places, namespaces))).toBe('Namespaces > sessions');
  expect(way(turnTo(places, buckets))).toBe('Buckets');
});

test('has every pane of every area stand under one serial, with one on the screen', () => {
  const before = openAbove(placesAt([buckets]), folder('img/'));
  const serial = serialOf(before, 'objects');
  const away = turnTo(before, namespaces);
  expect(serialOf(away, 'objects')).toBe(serial);
  expect(standingPanes(away).filter(({ isOnScreen }) => isOnScreen)).toHaveLength(1);
  expect(new Set(standingPanes(away).map((standing) => standing.serial)).size).toBe(3);
});

test('closes and opens in the area of the pane that says so, whatever is on the screen', () => {
  const there = openAbove(placesAt([buckets]), folder('img/'));
  const away = turnTo(there, namespaces);
  const closed = closePane(away, serialOf(away, 'objects'));
  expect(way(closed)).toBe('Namespaces');
  expect(way(turnTo(closed, buckets))).toBe('Buckets');
  const opened = openAbove(away, folder('img/icons/'), serialOf(away, 'objects'));
  expect(way(opened)).toBe('Namespaces');
  expect(way(turnTo(opened, buckets))).toBe('Buckets > img/ > icons/');
  expect(closePane(away, 999)).toBe(away);
});

test('leaves the first pane of an area open, and what closes takes along what stands above it', () => {
  const places = openAbove(openAbove(placesAt([buckets]), folder('a/')), folder('a/b/'));
  expect(way(closePane(places, serialOf(places, 'objects')))).toBe('Buckets');
  const first = placesAt([buckets]);
  expect(closePane(first)).toBe(first);
  expect(turnTo(first, buckets)).toBe(first);
});

test('goes to a place of an area with the list that stands there already', () => {
  const places = turnTo(placesAt([namespaces]), buckets);
  const gone = goTo(places, [namespaces, keys('sessions')]);
  expect(way(gone)).toBe('Namespaces > sessions');
  expect(serialOf(gone, 'namespaces')).toBe(serialOf(places, 'namespaces'));
});
