import { expect, test } from 'vitest';
import { openKeys, sessions } from '../open-console.tsx';

test('shows the facts about the selected entry next to the entries at 120 columns, and labels ids', async () => {
  const app = await openKeys({ columns: 120, rows: 30 });
  await app.go([':', ...'demo-s'], 'demo-sessions');
  await app.screen.waitFor((screen) => screen.text().includes('Actions there'));
  expect(app.screen.text()).toContain(`id ${sessions}`);
  expect(app.screen.lines()[2]).toMatch(/^╭─ Actions and places ─+╮╭─ demo-sessions ─+╮$/);
});

test('uses the whole width for the entries on a narrower screen', async () => {
  const app = await openKeys({ columns: 119, rows: 30 });
  await app.go([':', ...'demo-s'], 'go to: demo-s');
  expect(app.screen.text()).not.toContain('Actions there');
  expect(app.screen.lines()[2]).toMatch(/^╭─ Actions and places ─+╮$/);
});
