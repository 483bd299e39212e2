import { expect, test } from 'vitest';
import { formatPress, toPress } from '../../../../components/kit/keys/presses.ts';
import type { OpenPane } from '../../../../components/kit/open-pane.ts';
import { clipboardSequence, copyNotice } from '../../../../components/kit/terminal/clipboard.ts';
import { breadcrumbParts, sessionParts } from '../../../../components/ui/frame/Header.tsx';
import { bodyHeight } from '../../../../components/ui/layout/layout.ts';
import { drawnParts, type Part } from '../../../../components/ui/lines/Line.tsx';
import { listCapabilities } from '../../../../src/model/capability.ts';
import { markText } from '../../../../src/text/mark.ts';
import { fitText, measureCharacter } from '../../../../src/text/width.ts';
import { hostname, saas } from '../../memory-hostnames.ts';
import { plainSurface } from '../../plain-surface.ts';

function joinText(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join('');
}

const label = {
  target: 'production',
  where: { kind: 'remote', profile: 'acme', baseUrl: 'https://api.acme.invalid/client/v4' },
  can: listCapabilities({ kind: 'remote' }),
  accountLabel: 'Acme Incorporated',
  readOnly: true,
} as const;

const badge = { text: 'PRODUCTION', role: 'production' } as const;

test('shows the target and whether the session is read-only at any width, and truncates the account first', () => {
  expect(joinText(sessionParts(label, badge, plainSurface(80)))).toBe(
    'PRODUCTION READ-ONLY  acme · Acme Incorporated',
  );
  for (const width of [40, 50, 120]) {
    const text = joinText(
      sessionParts(
        {
          ...label,
          where: { ...label.where, profile: 'p'.repeat(50) },
          accountLabel: 'a'.repeat(50),
        },
        badge,
        plainSurface(width),
      ),
    );
    expect(text).toMatch(/^PRODUCTION READ-ONLY {2}p+/);
    expect(measureCharacter(text)).toBeLessThanOrEqual(width);
  }
});

test.each([
  [40, 'DEMO  demo data on this machine'],
  [30, 'DEMO  made-up data'],
  [80, 'DEMO  demo data on this machine: no request reaches a platform'],
])('shows that the demo data is made up, in a complete sentence, on %i columns', (columns, words) => {
  const demo = { ...label, readOnly: false, isDemo: true, where: { kind: 'sandbox', folder: '/' } } as const;
  const demoBadge = { text: 'DEMO', role: 'embedded' } as const;
  expect(joinText(sessionParts(demo, demoBadge, plainSurface(columns)))).toBe(words);
});

const namespace = { id: 'a'.repeat(32), title: 'demo-sessions' };
const openPanes: OpenPane[] = [
  { pane: 'namespaces' },
  { pane: 'keys', namespace },
  { pane: 'value', namespace, entry: { name: 'user:12345' } },
];

test('shows the path to a pane, and shortens it from its start, so that its end and the last count remain', () => {
  expect(joinText(breadcrumbParts(openPanes, '12 B', plainSurface(80)))).toBe(
    'Namespaces › demo-sessions › user:12345 · 12 B',
  );
  expect(joinText(breadcrumbParts(openPanes, '12 B', plainSurface(44)))).toBe(
    '‹ demo-sessions › user:12345 · 12 B',
  );
  expect(joinText(breadcrumbParts(openPanes, '12 B', plainSurface(24)))).toBe('‹ user:12345 · 12 B');
  const flags = { id: 'x', title: 'shop-FEATURE_FLAGS' };
  const way: OpenPane[] = [
    { pane: 'namespaces' },
    { pane: 'keys', namespace: flags },
    { pane: 'value', namespace: flags, entry: { name: 'banner.winter-sale' } },
  ];
  const shown = (panes: readonly OpenPane[], counts: string, columns = 40) =>
    joinText(breadcrumbParts(panes, counts, plainSurface(columns)));
  expect(shown(way.slice(0, 2), '16 keys')).toBe('‹ shop-FEATURE_FLAGS · 16 keys');
  expect(shown(way, '148 B · in 6d23h · 1/13 ↓')).toBe('‹ banner.winter-sale · in 6d23h · 1/13 ↓');
  expect(shown(way, '148 B, JSON · 1/13 ↓')).toBe('‹ banner.winter-sale · 148 B, … · 1/13 ↓');
  expect(shown(way, '1/13 ↓', 62)).toBe('Namespaces › shop-FEATURE_FLAGS › banner.winter-sale · 1/13 ↓');
  // A filter stays visible.
  expect(shown(way.slice(0, 2), 'filter: cart · 4 keys')).toBe('‹ shop-FE…_FLAGS · filter: cart · 4 keys');
});

test('does not repeat a name in the path', () => {
  const row = { record: hostname('shop.acme.com') };
  const way: OpenPane[] = [
    { pane: 'hostnames' },
    { pane: 'hostname', zone: saas, row, ahead: 0 },
    { pane: 'diagnosis', zone: saas, hostname: 'shop.acme.com', fix: false },
  ];
  const shown = (panes: readonly OpenPane[]) => joinText(breadcrumbParts(panes, '', plainSurface(80)));
  expect(shown(way)).toBe('Hostnames › shop.acme.com › Diagnosis');
  expect(shown(way.toSpliced(1, 1))).toBe('Hostnames › Diagnosis of shop.acme.com');
  const compared: OpenPane = { pane: 'comparison', namespace, key: 'user:12345' };
  expect(shown([...openPanes, compared])).toBe('Namespaces › demo-sessions › user:12345 › Comparison');
  expect(shown([...openPanes.slice(0, 2), compared])).toBe(
    'Namespaces › demo-sessions › Comparison of user:12345',
  );
});

test('never draws the path wider than the line, regardless of the names', () => {
  const hostile = { id: 'x', title: '日本\u202e\u001b]0;x\u0007'.repeat(9) };
  const way: OpenPane[] = [openPanes[0] as OpenPane, { pane: 'keys', namespace: hostile }];
  for (let width = 40; width < 130; width++) {
    const text = joinText(breadcrumbParts(way, '1,000 loaded, more on the server', plainSurface(width)));
    expect(measureCharacter(text)).toBeLessThanOrEqual(width);
    expect(text).not.toMatch(/[\u0000-\u001f\u202e]/);
  }
});

test('draws marks in a separate style, and a backslash unchanged', () => {
  expect(drawnParts([{ text: markText('a\u001bb\\<U+202E>\u202e') }, { text: ' ', role: 'plain' }])).toEqual([
    { text: 'a', role: 'plain' },
    { text: '␛', role: 'escaped' },
    { text: 'b\\<U+202E>', role: 'plain' },
    { text: '<U+202E>', role: 'escaped' },
    { text: ' ', role: 'plain' },
  ]);
});

test('keeps the style of a truncated mark, and does not apply it to the text after the mark', () => {
  const cut = fitText(markText('ab\u202ecd'), 7);
  expect(drawnParts([{ text: cut }, { text: '  ABC' }])).toEqual([
    { text: 'ab', role: 'plain' },
    { text: '<U+2', role: 'escaped' },
    { text: '…  ABC', role: 'plain' },
  ]);
});

test('marks control characters in a line, and draws a match in a single style', () => {
  expect(drawnParts([{ text: 'a\u009b2J\u0007' }])).toEqual([
    { text: 'a', role: 'plain' },
    { text: '<U+009B>', role: 'escaped' },
    { text: '2J', role: 'plain' },
    { text: '␇', role: 'escaped' },
  ]);
  expect(drawnParts([{ text: markText('a\u0007'), role: 'found' }])).toEqual([{ text: 'a␇', role: 'found' }]);
});

test('omits the separator lines on a short screen', () => {
  expect(bodyHeight(24)).toBe(19);
  expect(bodyHeight(12)).toBe(9);
  expect(bodyHeight(2)).toBe(1);
});

test('writes the clipboard as OSC 52 in base64, and rejects too many bytes', () => {
  expect(clipboardSequence(Buffer.from('é'))).toBe('\u001b]52;c;w6k=\u0007');
  expect(clipboardSequence(Buffer.alloc(74_994))).toBeDefined();
  expect(clipboardSequence(Buffer.alloc(74_995))).toBeUndefined();
  expect(copyNotice(Buffer.from('ab'), 'the id')).toBe("Copied the id (2 B) to the terminal's clipboard.");
  expect(copyNotice(Buffer.alloc(80_000), 'the value')).toMatch(/^Not copied: the value is 78 KiB/);
});

const noKey = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
};

test('distinguishes a letter from the same letter with Ctrl or Alt', () => {
  expect(toPress('d', noKey)).toBe('d');
  expect(toPress('d', { ...noKey, ctrl: true })).toBe('ctrl+d');
  expect(toPress('d', { ...noKey, meta: true })).toBe('alt+d');
  expect(toPress('D', { ...noKey, shift: true })).toBe('D');
  expect(toPress('', { ...noKey, tab: true, shift: true })).toBe('shift+tab');
  expect(toPress('', { ...noKey, escape: true, meta: true })).toBe('esc');
  expect(toPress('', noKey)).toBe('');
});

test('formats presses for display', () => {
  expect(['ctrl+c', 'pagedown', 'up', 'shift+tab', 'q', 'alt+b'].map(formatPress)).toEqual([
    'Ctrl-C',
    'PgDn',
    '↑',
    'Shift-Tab',
    'q',
    'Alt-b',
  ]);
});
