import { expect, test } from 'vitest';
import { forecastPreview } from '../../../components/hostnames/forecast/forecast-list.ts';
import type { RecordAdvice } from '../../../src/model/diagnosis/finding.ts';
import { testNow } from '../open-console.tsx';

const name = 'shop.acme.com';

test.each<[string, RecordAdvice]>([
  ['Customer: set the CNAME record', { name, type: 'CNAME', value: 'customers.saas.com' }],
  ['Customer: remove the AAAA record', { name, type: 'AAAA', value: '2001:db8::1', remove: true }],
])('the preview of a forecast contains "%s"', (heading, record) => {
  const preview = forecastPreview({
    now: testNow,
    forecast: {
      hostname: name,
      status: 'active',
      certificate: 'active',
      outcome: 'fails',
      at: testNow,
      reason: 'DNS does not point here.',
      who: 'customer',
      remedy: { text: 'The customer must act.', records: [record] },
    },
  });
  if (!('content' in preview)) throw new Error('the preview has no content');
  const lines = preview.content.lines({ columns: 40, redact: (text) => text }, false);
  const texts = Array.from({ length: lines.segments }, (_, segment) => lines.lines(segment)).flat();
  expect(texts).toContain(heading);
});
