import { expect, test } from 'vitest';
import { formatDaysLeft } from '../../../components/hostnames/columns.ts';
import { axisParts } from '../../../components/hostnames/forecast/axis.ts';

test('draws the sign of a renewal in the style of its result, the days before the renewal dimmer, and the grid dimmest', () => {
  expect(axisParts(30, 'renews', 16, 'good')).toEqual([
    { text: '-----', role: 'dim' },
    { text: 'o', role: 'good' },
    { text: '    :    :', role: 'grid' },
  ]);
  expect(axisParts(400, 'fails', 16, 'fault').map(({ text }) => text)).toEqual(['-'.repeat(15), '>', '']);
});

test('formats a time in the past as days ago', () => {
  expect([12.7, 0.4, -0.2, -2.5].map((days) => formatDaysLeft(days * 86_400_000))).toEqual([
    '12d',
    '0d',
    'today',
    '2d ago',
  ]);
});
