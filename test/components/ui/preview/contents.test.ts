import { expect, test } from 'vitest';
import { hostnamePreview } from '../../../../components/hostnames/hostname-preview.ts';
import { bytesContent } from '../../../../components/ui/preview/bytes-content.ts';
import { entriesContent } from '../../../../components/ui/preview/entries-content.ts';
import type { PreviewContent, Previewed } from '../../../../components/ui/preview/previewed.ts';
import { linesFrom } from '../../../../components/ui/viewer/scroll.ts';
import { atTop } from '../../../../components/ui/viewer/source.ts';
import type { CustomHostname } from '../../../../src/model/hostnames/hostname.ts';
import { testNow } from '../../open-console.tsx';
import { plainSurface } from '../../plain-surface.ts';

const renderLines = (content: PreviewContent, redact = (text: string) => text) =>
  linesFrom(content.lines({ ...plainSurface(60), redact }, false), atTop, 20);

const known = (previewed: Previewed) => ('content' in previewed ? renderLines(previewed.content) : []);

const hostname = (status: string, certificate: string): CustomHostname => ({
  id: 'h',
  hostname: 'shop.example.com',
  status,
  created_at: '2026-11-20T00:00:00Z',
  ssl: { status: certificate },
});

test.each([
  ['active', 'active', ['The platform reports the hostname as active.']],
  [
    'moved',
    'active',
    [
      'The platform saw that DNS points elsewhere. Deleted in at',
      '2 days.',
      'Probably the customer must act, or you',
    ],
  ],
  ['active', 'expired', ['The certificate has expired.', 'Probably the customer must act']],
  [
    'active',
    'initializing',
    ['The platform is working on the hostname.', 'Probably nobody has to act', 'Next: wait.'],
  ],
])(
  'shows the next step first for a hostname in %s with a certificate in %s',
  (status, certificate, wanted) => {
    const movedSeenAt = testNow - 5 * 24 * 3600 * 1000;
    const lines = known(hostnamePreview({ record: hostname(status, certificate), movedSeenAt }, testNow));
    for (const [index, text] of wanted.entries()) expect(lines[index]).toContain(text);
  },
);

test('shows the missing records before the hostname, and the other records after it', () => {
  const record: CustomHostname = {
    ...hostname('pending', 'active'),
    ownership_verification: { type: 'txt', name: '_cf-custom-hostname.shop.example.com', value: 'token' },
  };
  const headings = (of: CustomHostname) => {
    const previewed = hostnamePreview({ record: of }, testNow);
    if (!('content' in previewed)) throw new Error('nothing is known');
    const lines = previewed.content.lines(plainSurface(60), false);
    return linesFrom(lines, atTop, 60).filter((_, line) => lines.segmentRole?.(line) === 'title');
  };
  expect(headings(record)).toEqual(['Ownership by TXT', 'Hostname', 'Certificate', 'Timeline']);
  expect(headings({ ...record, status: 'active' })).toEqual([
    'Certificate',
    'Timeline',
    'Ownership by TXT, no longer needed',
  ]);
});

test('keeps the labels of a hostname next to their values in the narrowest preview next to the list', () => {
  const record: CustomHostname = {
    ...hostname('active', 'active'),
    hostname: 'www.bluebird-books.demo',
    ssl: {
      status: 'active',
      hosts: ['www.bluebird-books.demo'],
      expires_on: '2026-12-20T00:00:00Z',
      dcv_delegation_records: [
        { cname: '_acme-challenge.example.com', cname_target: 'example.com.dcv.test' },
      ],
    },
  };
  const previewed = hostnamePreview({ record }, testNow);
  if (!('content' in previewed)) throw new Error('nothing is known');
  // The preview has 40 columns on a screen of 120 columns.
  const lines = linesFrom(previewed.content.lines(plainSurface(36), false), atTop, 60);
  expect(lines).toEqual(
    expect.arrayContaining([
      '  origin     the fallback origin',
      '  names      www.bluebird-books.demo',
      '  expires    2026-12-20 00:00Z',
      '  target     example.com.dcv.test',
    ]),
  );
  const timeline = lines.slice(lines.indexOf('Timeline') + 1);
  expect(timeline.slice(0, 3)).toEqual([
    expect.stringMatching(/^ {2}\S.* ago {2,}created$/),
    expect.stringMatching(/^ {2}in \d+ days +certificate expires$/),
    '',
  ]);
  expect(timeline[3]).toMatch(/^Or delegate with a CNAME/);
});

test('shows bytes in a suitable view with the number of bytes read, and redacts our credentials', () => {
  const json = Buffer.from('{"a":[1,2]}');
  expect(bytesContent(json, { size: json.length }).counts).toBe('11 B, JSON');
  expect(renderLines(bytesContent(json, { size: json.length }))).toContain('  "a": [');
  const head = Buffer.from('{"a":[1,2');
  expect(bytesContent(head, { size: undefined }).counts).toMatch(/^first 9 B/);
  expect(renderLines(bytesContent(head, { size: undefined }))).toEqual(['{"a":[1,2']);
  expect(bytesContent(head, { size: 5000, words: 'text/x' }).counts).toBe('4.9 KiB, text/x');
  const secret = bytesContent(Buffer.from('the sEcReT here'), { size: 15 });
  expect(renderLines(secret, (text) => text.replaceAll('sEcReT', '[redacted]'))).toEqual([
    'the [redacted] here',
  ]);
});

test('separates details from the facts above them with one empty line, even if the facts end with an empty line', () => {
  const details = { title: 'First keys', isHeaded: true, entries: [{ text: 'a', indent: 2 }] };
  const expected = ['keys 1', '', 'First keys', '  a'];
  for (const entries of [[{ text: 'keys 1' }], [{ text: 'keys 1' }, { text: '' }]])
    expect(renderLines(entriesContent({ entries, details })).map((line) => line.trimEnd())).toEqual(expected);
});
