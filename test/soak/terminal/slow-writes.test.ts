import { afterEach, expect, test } from 'vitest';
import { startSandbox } from '../../../src/library/sandbox.ts';
import { program, userEnvironment } from '../../support/program.ts';
import { closePtys, openPty } from '../../support/pty.ts';
import { scratchFolder } from '../../support/world.ts';

afterEach(closePtys);

/** Milliseconds before the server answers a deletion. */
const latency = 3000;

test('deletes a key in the background on a server that takes 3 s to answer, and other shortcuts stay available', async () => {
  await using sandbox = await startSandbox({
    seed: {
      namespaces: [{ title: 'slow', keys: ['a', 'b', 'c'].map((key) => ({ key, value: `value ${key}` })) }],
    },
  });
  await sandbox.addFault({ match: 'DELETE /accounts/**', latency });
  await sandbox.addFault({ match: 'DELETE /accounts/**/values/b', status: 403 });
  const home = scratchFolder('slow');
  const env = { ...userEnvironment(home), ...sandbox.env };
  const { screen, press, ended } = openPty(process.execPath, [program, 'console', 'kv'], { cwd: home, env });
  await screen.waitFor('slow');
  press('enter');
  await screen.waitFor('3 keys');
  press('d');
  await screen.waitFor('Delete the key a?');
  const start = performance.now();
  press('y');
  await screen.waitFor((drawn) => /^a +deleting…$/m.test(drawn.text()));
  press('j', 'd');
  await screen.waitFor('Delete the key b?');
  press('y');
  await screen.waitFor((drawn) => /^b +deleting…$/m.test(drawn.text()));
  press('j', 'enter');
  await screen.waitFor('value c');
  press('esc');
  await screen.waitFor('sending 2 changes…');
  press('5');
  await screen.waitFor('No tasks');
  expect(performance.now() - start).toBeLessThan(latency);
  await screen.waitFor("1 failed (')");
  press("'");
  await screen.waitFor('error: ');
  await screen.waitFor((drawn) => /^b$/m.test(drawn.text()) && !/^a$/m.test(drawn.text()));
  press('esc');
  await screen.waitFor('Enter value');
  press('q');
  expect(await ended).toEqual({ code: 0, signal: 0 });
});
