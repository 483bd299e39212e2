import { expect, test } from 'vitest';
import { openDemo } from '../open-platform.tsx';

test('a value shows what was put back from inside it', async () => {
  const app = await openDemo({ opens: 'kv/shop-ODDITIES/hello.txt' });
  await app.screen.waitFor('Hello, edge!');
  await app.go(['e'], 'Value');
  await app.go([...'Changed', 'enter'], 'Store this in hello.txt');
  await app.go(['y'], (screen) => /^│ Changed +│$/m.test(screen.text()));
  await app.go(['U'], 'Put back the value of hello.txt?');
  await app.go(['y'], 'Put back the value of hello.txt.');
  await app.screen.waitFor((screen) => !/^│ Changed +│$/m.test(screen.text()));
  expect(app.screen.text()).toContain('Hello, edge!');
});
