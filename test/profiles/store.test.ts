import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program, userEnvironment } from '../support/program.ts';
import { scratchFolder } from '../support/world.ts';

test('a file of the configuration that cannot be written is named', () => {
  const home = scratchFolder('limited');
  // A process that may write no byte to a file meets what it meets on a full disk.
  const limited = `ulimit -f 0; exec "$@"`;
  const argv = ['-c', limited, 'sh', process.execPath, program, 'setting', 'set', 'theme', 'light'];
  const env = { ...userEnvironment(home), XDG_CONFIG_HOME: home };
  // Not how it ends: what Node writes on its way out the limit ends by a signal.
  const { stderr } = spawnSync('sh', argv, { env, cwd: home, encoding: 'utf8' });
  expect(stderr).toContain(`Cannot write ${join(home, 'edgectl/settings.json')}: file too large (EFBIG).`);
});
