import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openAssets } from '../open-objects.tsx';

test('plans a sync of a folder, shows the steps, and runs them after the user types the number of deletes', async () => {
  const app = await openAssets({ columns: 120 });
  app.platform.write('site/new.html', '<p>');
  await app.go(['ctrl+s'], 'Sync assets/ with a folder');
  await app.go([...'nowhere', 'enter'], 'Folder not found.');
  await app.go(['ctrl+u', ...'site', 'tab', 'tab', 'down', 'enter'], (screen) =>
    /upload +3 B/.test(screen.text()),
  );
  expect(app.screen.text()).toContain('only in the destination');
  expect(await app.platform.keys('assets')).toHaveLength(6);
  await app.go(['s'], 'Show only');
  expect(app.screen.text()).toMatch(/upload +1 /);
  await app.go(['esc'], (screen) => !screen.text().includes('Show only'));
  await app.go(['ctrl+s'], 'delete 6');
  expect(app.screen.text()).toContain('PERMANENT');
  await app.go(['5', 'enter'], 'Wrong number: type 6.');
  await app.go(['ctrl+u', '6', 'enter'], 'Uploaded 1 object (3 B) to assets; deleted 6; 0 the same.');
  expect(await app.platform.keys('assets')).toEqual(['new.html']);
});

test('a read-only session can download, but not upload', async () => {
  const app = await openAssets({ label: { readOnly: true } });
  app.platform.write('site/new.html', '<p>');
  await app.go(['ctrl+s', ...'site', 'enter'], 'only in the source');
  await app.go(['ctrl+s'], 'This session is read-only.');
  await app.go(['esc'], 'hello.txt');
  await app.go(['ctrl+s', ...'down', 'tab', 'down', 'enter'], 'only in the source');
  await app.go(['ctrl+s'], 'Nothing is overwritten or deleted.');
  await app.go(['y'], 'Downloaded 6 objects');
  expect(readFileSync(join(app.platform.folder, 'down', 'hello.txt'), 'utf8')).toBe(
    await app.platform.get('assets', 'hello.txt'),
  );
  expect(existsSync(join(app.platform.folder, 'down', 'new.html'))).toBe(false);
});
