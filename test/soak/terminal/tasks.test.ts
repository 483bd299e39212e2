import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { program, userEnvironment } from '../../support/program.ts';
import { closePtys, openPty, type Pty } from '../../support/pty.ts';
import { newPerson, type Person, runCommand } from '../../support/run-command.ts';

afterEach(closePtys);

const here = ['--local', '--persist-to', 'data'];

/** Opens the built console on local data, on its list of namespaces. */
async function openConsole(person: Person): Promise<Pty> {
  const args = [program, 'console', 'kv', ...here];
  const pty = openPty(process.execPath, args, { cwd: person.cwd, env: userEnvironment(person.cwd) });
  await pty.screen.waitFor('1 Namespaces');
  return pty;
}

test('resumes an import that was killed in the next console, and completes it', async () => {
  const person = newPerson();
  const count = 2500;
  const value = 'v'.repeat(6000);
  const entries = Array.from({ length: count }, (_, index) => ({
    key: `k${index}`,
    value: `${index} ${value}`,
  }));
  writeFileSync(join(person.cwd, 'many.ndjson'), entries.map((entry) => JSON.stringify(entry)).join('\n'));
  writeFileSync(
    join(person.cwd, 'edgectl.toml'),
    'name = "x"\n[[kv_namespaces]]\nbinding = "KV"\nid = "kv1"\n',
  );

  const first = await openConsole(person);
  await first.screen.waitFor('Namespaces');
  first.press('1');
  await first.screen.waitFor('KV');
  first.press('enter');
  await first.screen.waitFor('No keys yet');
  first.press('i');
  await first.screen.waitFor('File');
  first.send('many.ndjson');
  await first.screen.waitFor('many.ndjson');
  first.press('enter');
  await first.screen.waitFor('2,500 new');
  first.press('enter');
  await first.screen.waitFor('key');
  first.press('5');
  await first.screen.waitFor((screen) => /running +writing [1-9]/.test(screen.text()));
  first.kill('SIGKILL');
  await first.ended;

  const second = await openConsole(person);
  second.press('5');
  await second.screen.waitFor('interrupted');
  expect(second.screen.lines()[1]).toContain('1 to resume');
  second.press('R');
  await second.screen.waitFor('Wrote 2,500 entries to KV.');
  second.press('q');
  expect(await second.ended).toEqual({ code: 0, signal: 0 });

  const exported = ['kv', 'export', ...here, '--namespace-id', 'kv1', '--output', 'all.ndjson'];
  expect(await runCommand(person, exported)).toMatchObject({ code: 0 });
  const diff = ['kv', 'bulk', 'put', 'many.ndjson', ...here, '--namespace-id', 'kv1', '--dry-run', '--json'];
  const { out } = await runCommand(person, diff);
  expect(JSON.parse(out)).toMatchObject({ same: count });
});
