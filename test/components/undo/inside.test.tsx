import { expect, test } from 'vitest';
import { openDemo } from '../open-platform.tsx';

test('shows the restored content in an open value after undo', async () => {
  const app = await openDemo({ opens: 'kv/shop-ODDITIES/hello.txt' });
  await app.screen.waitFor('Hello, edge!');
  await app.go(['e'], 'Value');
  await app.go([...'Changed', 'enter'], 'Store this in hello.txt');
  await app.go(['y'], (screen) => /^│ Changed +│/m.test(screen.text()));
  await app.go(['U'], 'Restore the value of hello.txt?');
  await app.go(['y'], 'Restored the value of hello.txt.');
  await app.screen.waitFor((screen) => !/^│ Changed +│/m.test(screen.text()));
  expect(app.screen.text()).toContain('Hello, edge!');
});

test('updates an open diagnosis after undo restores the fallback origin', async () => {
  const app = await openDemo({ opens: 'hostnames' });
  await app.screen.waitFor('25 hostnames');
  await app.go(['/', ...'tea-house', 'enter'], '1 of 25');
  await app.go(['H'], 'another fallback origin');
  await app.go(['down', 'enter'], 'fail with error 1016');
  await app.go(['y'], 'Removed the fallback origin. Press U to restore it.');
  await app.go(['D'], 'no fallback origin');
  await app.go(['U'], 'Restore the fallback origin');
  await app.go(
    ['y'],
    (screen) => /Diagnosis of/.test(screen.text()) && !/no fallback origin/.test(screen.text()),
  );
});
