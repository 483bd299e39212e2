import { expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { openKeys } from '../open-console.tsx';
import { openBuckets } from '../open-objects.tsx';

test('returns to the last view of an area when its digit is pressed, and to its first list on a second press', async () => {
  const app = await openBuckets();
  await app.go(['enter'], 'Buckets › assets ·');
  await app.go(['down', 'down', 'down', 'enter'], 'Buckets › assets › img/ ·');
  await app.go(['down', '1'], '0 namespaces');
  const before = app.asked.length;
  await app.go(['2'], 'Buckets › assets › img/ ·');
  expect(app.screen.selected()).toContain('logo.png');
  expect(app.asked.slice(before)).toEqual([]);
  await app.go(['2'], (screen) => /│ 2 buckets$/m.test(screen.text()));
  expect(app.screen.selected()).toContain('assets');
});

test('switches areas with digits from a value or a problem, and keeps the value open', async () => {
  const app = await openKeys();
  await app.go(['down', 'enter'], '"Ada"');
  await app.go(['5'], 'no tasks');
  await app.go(['1'], '"Ada"');
  await app.go(['1'], 'demo-flags');
  app.kv.failNext('listKeys', new Problem('unreachable', 'No answer.'));
  await app.go(['enter'], 'r retry  y copy  Esc dismiss');
  await app.go(['5'], 'no tasks');
  await app.go(['1'], 'r retry  y copy  Esc dismiss');
});
