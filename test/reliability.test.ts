import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pagePath, readFigures } from './support/reliability/figures.ts';
import { renderPage } from './support/reliability/page.ts';
import { trials } from './support/reliability/trials.ts';

const names = Object.keys(trials);

test('docs/reliability.md shows the figures of the last runs', () => {
  const wanted = renderPage(readFigures());
  if (process.env['UPDATE_README'] === '1') writeFileSync(pagePath, wanted);
  expect(readFileSync(pagePath, 'utf8')).toBe(wanted);
});

test('every reliability trial has run, and its last run passed', () => {
  const figures = Object.entries(readFigures());
  expect(figures.map(([name]) => name)).toEqual(names);
  const red = figures.filter(([, { attempts, findings }]) => attempts === 0 || findings > 0);
  expect(red).toEqual([]);
});

test('every reliability trial is declared once in test/soak/reliability', () => {
  const text = globSync('test/soak/reliability/*.test.ts').map((path) => readFileSync(path, 'utf8'));
  const declared = [...text.join('\n').matchAll(/^\s*trial(?:At)?\(\s*'([^']+)'/gm)].map(([, name]) => name);
  expect(declared.toSorted()).toEqual(names.toSorted());
});
