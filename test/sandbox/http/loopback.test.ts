import { expect, test } from 'vitest';
import { isHostOfWorker } from '../../../src/sandbox/http/loopback.ts';

const routes = ['shop.example/*', '*.tea.example/api', 'https://Old.Example/x', '*house.demo', '*'];

test.each([
  'localhost',
  '127.0.0.1',
  '[::1]',
  'worker.localhost',
  'a.b-c.localhost',
  'shop.example',
  'www.tea.example',
  'old.example',
  'tea-house.demo',
])('%s refers to a worker', (host) => {
  expect(isHostOfWorker(host, routes)).toBe(true);
});

test.each([
  '',
  'evil.example',
  'localhost.evil.example',
  'xlocalhost',
  '.localhost',
  'www.shop.example',
  'tea.example',
  '127.0.0.1.nip.io',
])('%j does not refer to a worker', (host) => {
  expect(isHostOfWorker(host, routes)).toBe(false);
});
