import { expect, test } from 'vitest';
import { hostnameInAddress } from '../../../src/model/hostnames/fault.ts';

test.each([
  ['https://shop.acme.com', 'shop.acme.com'],
  ['HTTP://user:pass@Shop.Acme.com.:8443/a?b#c', 'shop.acme.com'],
  ['//shop.acme.com/', 'shop.acme.com'],
  ['shop.acme.com/checkout', 'shop.acme.com'],
  ['shop.acme.com:443', 'shop.acme.com'],
  ['https://*.acme.com/', '*.acme.com'],
  ['https://münchen.acme.com/', 'xn--mnchen-3ya.acme.com'],
])('finds the hostname in an address: %s', (text, name) => {
  expect(hostnameInAddress(text)).toBe(name);
});

test.each([
  'shop.acme.com',
  '../../accounts',
  'info@acme.com',
  'https://127.0.0.1/',
  'https://',
  'ftp://shop.acme.com',
  'shop acme/com',
  '',
])('finds no hostname in "%s"', (text) => {
  expect(hostnameInAddress(text)).toBeUndefined();
});
