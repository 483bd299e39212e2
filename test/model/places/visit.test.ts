import { expect, test } from 'vitest';
import { findChanges, limitNames, maxNames } from '../../../src/model/places/visit.ts';

test('reports names that are new, deleted or changed since a visit, except names of kinds that were not read', () => {
  expect(findChanges('workers', { api: '1', old: '1' }, { api: '2', fresh: '1' })).toEqual([
    { kind: 'workers', name: 'api', change: 'changed', before: '1', after: '2' },
    { kind: 'workers', name: 'fresh', change: 'new' },
    { kind: 'workers', name: 'old', change: 'gone' },
  ]);
  expect(findChanges('workers', undefined, { api: '2' })).toEqual([]);
});

test('names namespaces by their titles', () => {
  expect(findChanges('namespaces', { a: 'sessions', b: 'flags' }, { a: 'users' })).toEqual([
    { kind: 'namespaces', name: 'users', change: 'changed', before: 'sessions', after: 'users' },
    { kind: 'namespaces', name: 'flags', change: 'gone' },
  ]);
});

test('reports nothing as new or deleted if a list was read only partly, or is longer than the saved part', () => {
  expect(findChanges('buckets', { a: '' }, { b: '' }, false)).toEqual([]);
  const many = limitNames(Array.from({ length: maxNames + 1 }, (_, at) => [`b${at}`, ''] as const));
  expect(Object.keys(many)).toHaveLength(maxNames);
  expect(findChanges('buckets', many, { a: '' })).toEqual([]);
});

test('accepts names that every JavaScript object inherits', () => {
  expect(findChanges('buckets', {}, limitNames([['constructor', '']]))).toEqual([
    { kind: 'buckets', name: 'constructor', change: 'new' },
  ]);
});
