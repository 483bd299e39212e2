import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownUid } from '../../../src/liveness.ts';
import { program, userEnvironment } from '../../support/program.ts';
import { newPerson, runCommand } from '../../support/run-command.ts';
import { scratchFolder } from '../../support/world.ts';

const lines = [
  'kv key list --namespace-id n --local --persist-to DIR',
  'kv namespace list --sandbox=DIR',
  'sandbox status --dir DIR',
  'sandbox reset --yes --dir DIR',
  'sandbox start --port 0 --dir DIR',
];

test.each(lines)('refuses a file, or a path below a file, as a data folder: %s', async (line) => {
  const person = newPerson();
  const target = join(person.cwd, 'target');
  writeFileSync(target, 'mine');
  for (const dir of ['target', 'target/below']) {
    const ran = await runCommand(person, line.replace('DIR', dir).split(' '));
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toContain(`${target} is a file, not a folder; nothing was sent.`);
  }
  expect(readFileSync(target, 'utf8')).toBe('mine');
});

test('does not report an unreadable folder as empty', () => {
  const folder = scratchFolder('closed');
  chmodSync(folder, 0o000);
  // Root can read any folder, so the test uses another uid.
  const uid = ownUid() === 0 ? { uid: 12_345 } : {};
  for (const line of [lines[0] ?? '', 'sandbox reset --yes --dir DIR']) {
    const argv = [program, ...line.replace('DIR', folder).split(' ')];
    const ran = spawnSync(process.execPath, argv, { ...uid, env: userEnvironment('/'), encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toContain(`Cannot read ${folder}: permission denied.`);
  }
});
