import { expect, test } from 'vitest';
import { openKeys } from '../open-console.tsx';
import { openPlatformKeys } from '../open-platform-keys.tsx';

test('copies the actions on a key as command lines, and explains why there is no curl request', async () => {
  const app = await openPlatformKeys({ names: ["it's"] });
  await app.go(['Y'], '> Show the value');
  expect(app.screen.text()).toContain('(No server is running');
  await app.go(['enter'], '✓ Copied the line');
  const line = `edgectl kv key get --namespace-id ${app.namespace.id} --sandbox=`;
  const copied = Buffer.from(app.screen.clipboards.at(-1)?.slice(2) ?? '', 'base64').toString();
  expect(copied.startsWith(line)).toBe(true);
  expect(copied).toMatch(/ 'it'"'"'s'$/);
  await app.go(['Y'], '> Show the value');
  await app.go(['up'], '> List the keys');
  await app.go(['enter'], '! No server is running');
});

test('reports that an action has no equivalent commands', async () => {
  const app = await openKeys();
  await app.go(['M'], 'No messages since');
  await app.go(['Y'], '! This view has no equivalent commands.');
});
