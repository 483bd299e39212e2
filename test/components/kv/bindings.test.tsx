import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPlatformKeys } from '../open-platform-keys.tsx';

test('names the remaining binding before and after a namespace is deleted', async () => {
  const app = await openPlatformKeys({ columns: 240 });
  const path = join(app.session.world.cwd, 'edgectl.toml');
  writeFileSync(path, `[[kv_namespaces]]\nbinding = "SESSIONS"\nid = "${app.namespace.id}"\n`);
  // In tests, the path of the configuration is long, so the list needs the full screen.
  await app.go(['esc'], 'Enter keys');
  await app.go(['|'], (screen) => /│ TITLE +ID +│$/m.test(screen.text()));
  await app.go(['d'], 'The binding "SESSIONS" (id) at');
  await app.go([...'sessions', 'enter'], 'Remove its remaining bindings yourself: "SESSIONS" (id) at');
  expect(app.screen.text()).toContain(`${path}:1`);
  expect(app.screen.text()).toContain('0 namespaces');
});
