import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { testWorld } from '../../support/world.ts';
import { type ConsoleOptions, openConsole } from '../open-console.tsx';

/** Opens the console on the settings. */
async function openSettings(options: ConsoleOptions = {}) {
  const { folders } = testWorld();
  const app = openConsole({ columns: 140, rows: 40, folders, opens: { pane: 'home' }, ...options });
  await app.screen.waitFor('Go to');
  await app.go([','], 'update-check');
  const path = join(folders.config, 'settings.json');
  return {
    ...app,
    path,
    stored: () => JSON.parse(readFileSync(path, 'utf8')),
    /** Returns the cells of a setting's row. */
    cells: (name: string) =>
      app.screen
        .lines()
        .find((line) => line.replace(/^\W+/, '').startsWith(`${name} `))
        ?.split('│')
        .find((part) => part.includes(name))
        ?.trim()
        .split(/ {2,}/),
  };
}

test('lists the settings with source and default, and changes and resets a setting in the settings file', async () => {
  const app = await openSettings({
    env: { EDGECTL_MOUSE: '1', EDGECTL_THEME: 'light', EDGECTL_SCREEN_READER: '0' },
  });
  expect(app.cells('mouse')).toEqual(['mouse', 'on', 'EDGECTL_MOUSE', 'off']);
  expect(app.cells('theme')).toEqual(['theme', 'light', 'EDGECTL_THEME', 'auto']);
  // A variable with the same value as the setting overrides nothing.
  expect(app.cells('screen-reader')).toEqual(['screen-reader', 'off', 'default', 'off']);
  expect(app.cells('confirm')).toEqual(['confirm', 'all', 'default', 'all']);
  await app.go(['down', 'enter'], 'The setting confirm');
  await app.go(['down', 'enter'], 'Set confirm to containers.');
  expect(app.stored()).toMatchObject({ confirm: 'containers' });
  await app.go([], (screen) => screen.text().includes('settings.json'));
  expect(app.cells('confirm')).toEqual(['confirm', 'containers', 'settings.json', 'all']);
  await app.go(['d'], 'Reset confirm to all, its default.');
  expect(app.stored()).not.toHaveProperty('confirm');
  await app.go([], () => app.cells('confirm')?.[2] === 'default');
  await app.go(['d'], 'confirm already has its default value.');
  await app.go(['home', ...'jjj', 'e', 'down', 'enter'], 'Restart the console to apply it.');
});

test('refuses an invalid value, and asks before undo is turned off', async () => {
  const app = await openSettings();
  await app.go(['/', ...'trusted', 'enter'], '1 of 11');
  await app.go(['enter', 'ctrl+u', ...'relative', 'enter'], 'Invalid value "relative"');
  await app.go(['ctrl+u', ...'/srv', 'enter'], 'Set trusted-folders to /srv.');
  await app.go(['esc', 'home', 'enter', 'down', 'enter'], 'Turn undo off?');
  expect(app.screen.text()).toContain('Deletes and overwrites can no longer be undone after this change.');
  await app.go(['y'], 'Set undo to off.');
  expect(app.stored()).toMatchObject({ 'trusted-folders': '/srv', undo: 'off' });
});

test('does not turn off undo in a read-only session', async () => {
  const app = await openSettings({ label: { readOnly: true } });
  await app.go(['enter', 'down', 'enter'], 'This session is read-only: undo stays on.');
});

test('shows why the settings file cannot be read, and does not overwrite it', async () => {
  const app = await openSettings();
  mkdirSync(dirname(app.path), { recursive: true });
  writeFileSync(app.path, '{"theme": "pink"}');
  await app.go(['r'], 'cannot be used');
  expect(readFileSync(app.path, 'utf8')).toBe('{"theme": "pink"}');
});
