import { expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { hostileTexts } from '../../terminal/hostile.ts';
import { type OpenConsole, openConsole } from '../open-console.tsx';

const namespace = 'c'.repeat(32);
const texts = hostileTexts.map(([, text]) => text);

/** The console on keys of hostile names and values, in the order of the corpus. */
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
  await app.screen.waitFor((screen) => screen.selected()?.includes('00\\e[2J') ?? false);
  return app;
}

function copied({ screen }: OpenConsole): string[] {
  return screen.clipboards.map((data) => Buffer.from(data.replace(/^c;/, ''), 'base64').toString());
}

test('copies the names of hostile keys unchanged, and draws them escaped', async () => {
  const app = await openHostile(24);
  for (const [index] of texts.entries()) {
    await app.go(['y'], (screen) => screen.clipboards.length === index + 1);
    app.press('j');
  }
  expect(copied(app)).toEqual(texts.map((text, index) => `${String(index).padStart(2, '0')}${text}`));
  expect(app.screen.titles.concat(app.screen.links)).toEqual([]);
  expect(app.screen.bells).toBe(0);
}, 120_000);

test('edits a value of all hostile strings, and stores every byte', async () => {
  const app = await openHostile();
  const value = texts.join('|');
  await app.go(['n', ...'all', 'tab'], 'New key');
  app.send(`\u001b[200~${value}\u001b[201~`);
  await app.go(['enter'], 'Stored all.');
  // A terminal sends a line feed as a carriage return: a pasted one is stored as the other.
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

test('shows and copies a hostile error message of the platform escaped', async () => {
  const app = await openHostile();
  app.kv.failNext('removeKey', new Problem('refused', `No: ${texts.join('|')}`));
  await app.go(['d'], 'Delete the key');
  await app.go(['y'], 'error: No:');
  expect(app.screen.text()).toContain('\\e]52;c;b3duZWQ=\\x07');
  expect(app.screen.titles.concat(app.screen.links, app.screen.clipboards)).toEqual([]);
  expect(app.screen.bells).toBe(0);
  expect(app.screen.lines()[0]).toBe('LOCAL  demo · Demo account');
});
