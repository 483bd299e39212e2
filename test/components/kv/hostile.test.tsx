import { expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { inSoak } from '../../support/in-part.ts';
import { hostileTexts } from '../../terminal/hostile.ts';
import { type OpenConsole, openConsole } from '../open-console.tsx';

const namespace = 'c'.repeat(32);
const texts = hostileTexts.map(([, text]) => text);

/** Opens the console on keys with hostile names and values, in the order of the corpus. */
async function openHostile(rows = 80): Promise<OpenConsole> {
  const app = openConsole({
    columns: 90,
    rows,
    fill(kv) {
      kv.namespaces.push({ id: namespace, title: `hostile ${texts[0]}` });
      for (const [index, text] of texts.entries()) {
        kv.put(namespace, `${String(index).padStart(2, '0')}${text}`, text, { metadata: { text } });
      }
    },
  });
  await app.screen.waitFor('hostile');
  await app.go(['enter'], 'Enter value');
  await app.screen.waitFor((screen) => screen.selected()?.includes('00␛[2J') ?? false);
  return app;
}

function copied({ screen }: OpenConsole): string[] {
  return screen.clipboards.map((data) => Buffer.from(data.replace(/^c;/, ''), 'base64').toString());
}

inSoak(() => {
  test('copies the names of hostile keys unchanged, and draws them with marks', async () => {
    const app = await openHostile(24);
    for (const [index] of texts.entries()) {
      await app.go(['y'], (screen) => screen.clipboards.length === index + 1);
      app.press('j');
    }
    expect(copied(app)).toEqual(texts.map((text, index) => `${String(index).padStart(2, '0')}${text}`));
    expect(app.screen.titles.concat(app.screen.links)).toEqual([]);
    expect(app.screen.bells).toBe(0);
  }, 120_000);
});

test('edits a value that contains all hostile strings, and stores all its bytes', async () => {
  const app = await openHostile();
  const value = texts.join('|');
  await app.go(['n', ...'all', 'tab'], 'New key');
  app.send(`\u001b[200~${value}\u001b[201~`);
  await app.go(['enter'], 'Stored all.');
  // A terminal sends a line feed as a carriage return, so a pasted carriage return is stored as a line feed.
  const stored = value.replaceAll(/\r(?!\n)/g, '\n');
  expect(app.kv.find(namespace, 'all')?.value.toString()).toBe(stored);
  await app.go(['e'], 'Edit all');
  await app.go(['ctrl+e', 'x', 'enter'], 'Store this in all');
  await app.go(['y'], () => app.kv.find(namespace, 'all')?.value.toString() === `${stored}x`);
  expect(app.screen.titles.concat(app.screen.links)).toEqual([]);
  expect(app.screen.modes()).toEqual({
    alternate: true,
    wrap: false,
    paste: true,
    mouse: 'none',
    cursor: false,
  });
});

test('shows and copies a hostile error message of the platform with marks', async () => {
  const app = await openHostile();
  app.kv.failNext('removeKey', new Problem('refused', `No: ${texts.join('|')}`));
  await app.go(['d'], 'Delete the key');
  await app.go(['y'], 'error: No:');
  expect(app.screen.text()).toContain('␛]52;c;b3duZWQ=␇');
  expect(app.screen.titles.concat(app.screen.links, app.screen.clipboards)).toEqual([]);
  expect(app.screen.bells).toBe(0);
  expect(app.screen.lines()[0]).toBe('LOCAL  demo · Demo account');
});

test('shows a name in one notation on every screen, and accepts that notation as input', async () => {
  const title = 'C:\\temp \u001b\u202e';
  const key = 'a\\b\u200d<U+202E>\u202e\n';
  const shown = 'a\\b<U+200D><U+202E><U+202E>␊';
  const app = openConsole({
    columns: 110,
    rows: 30,
    fill(kv) {
      kv.namespaces.push({ id: namespace, title });
      kv.put(namespace, key, `{"path":"temp\u202e"}`, { metadata: { key } });
    },
  });
  const { screen } = app;
  const back = async (wanted = 'Enter value') => app.go(['esc'], wanted);
  const sees = async (presses: readonly string[], wanted: string, ...also: readonly string[]) => {
    await app.go(presses, wanted);
    const text = screen.text();
    for (const one of also) expect(text).toContain(one);
    // Marked text uses no other notation: no escapes, no doubled backslashes, and no mark within a mark.
    expect(text).not.toMatch(/\\e|\\x[\da-f]{2}|\\u|C:\\\\\\temp|a\\\\b|<U\+E/);
  };
  await screen.waitFor('C:\\temp ␛<U+202E>');
  await sees(['enter'], 'Enter value', `│ ${shown} `, 'C:\\temp ␛<U+202E>', `key=a\\b<U+200D><U+202E>…`);
  // Metadata is edited as JSON, with JSON escapes.
  await app.go(['e'], `Edit ${shown}`);
  await back();
  await sees(['d'], 'Delete the key', `Delete the key ${shown}?`, 'Namespace: C:\\temp ␛<U+202E>');
  await back();
  await sees(['y'], 'Copied the name', `Copied the name ${shown} (`);
  await sees(['/', 'a', '\\', 'enter'], 'filter: a\\');
  await back('─ 1 key ─');
  await sees(['M'], '1 message', `Copied the name ${shown} (`);
  await back();
  await app.go(['enter'], `› ${shown}`);
  await sees([], '"temp<U+202E>"', `› ${shown}`);
  await back();
  await back('1 namespace');
  await sees(['d'], 'Type the title of the namespace', 'Type the name as: C:\\temp <U+001B><U+202E>');
  for (const character of 'C:\\temp <U+001B><U+202E>') app.press(character);
  await sees(['enter'], '0 namespaces');
  expect(app.kv.namespaces.some(({ id }) => id === namespace)).toBe(false);
});
