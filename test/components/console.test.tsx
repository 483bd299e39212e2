import { expect, test } from 'vitest';
import { fillDemo, openConsole } from './open-console.tsx';

test('drills down from namespaces to keys to a value, and back with Esc', async () => {
  const app = openConsole({ fill: fillDemo });
  await app.screen.waitFor('demo-flags');
  await app.go(['down', 'enter'], 'user:2');
  await app.go(['down', 'enter'], '"Ada"');
  console.log(app.screen.text());
  await app.go(['esc'], 'user:2');
  console.log(app.screen.text());
  await app.go(['esc'], 'demo-flags');
  console.log(app.screen.text());
  app.press('q');
  expect(await app.ended).toBe(0);
  expect(app.sessions()).toBe(0);
});
