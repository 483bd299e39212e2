import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newPerson, type Person, type Ran, runCommand } from '../support/run-command.ts';

function run(person: Person, line: string, options: Parameters<typeof runCommand>[2] = {}): Promise<Ran> {
  return runCommand(person, line.trim().split(' '), options);
}

async function titles(person: Person, flags: string): Promise<string[]> {
  const { code, out } = await run(person, `kv namespace list ${flags}`);
  expect(code).toBe(0);
  return JSON.parse(out).map(({ title }: { title: string }) => title);
}

const ports = '--port 0 --edge-port 0 --edge-tls-port 0 --dns-port 0';

/** Starts a sandbox that receives a stop signal during the start. The sandbox prints its start message and exits. */
function startAndStop(person: Person, flags: string): Promise<Ran> {
  return run(person, `sandbox start ${ports} ${flags}`, { interrupted: AbortSignal.abort() });
}

describe('the folder of the sandbox', () => {
  test('the sandbox folder comes from --sandbox=DIR, then EDGECTL_SANDBOX_DIR, then the default', async () => {
    const own = newPerson();
    const person = { ...own, env: { EDGECTL_SANDBOX_DIR: 'from-env' } };
    for (const dir of ['typed', 'from-env']) mkdirSync(join(own.cwd, dir));
    await run(person, 'kv namespace create TYPED --sandbox=typed');
    await run(person, '--sandbox kv namespace create NAMED');
    await run(own, 'kv --sandbox namespace create OWN');
    expect(await titles(person, '--sandbox=typed')).toEqual(['worker-TYPED']);
    expect(await titles(own, `--sandbox=${join(own.cwd, 'typed')}`)).toEqual(['worker-TYPED']);
    expect(await titles(person, '--profile sandbox')).toEqual(['worker-NAMED']);
    expect(await titles(own, '--sandbox=from-env')).toEqual(['worker-NAMED']);
    expect(await titles(own, '--sandbox')).toEqual(['worker-OWN']);
    expect(readdirSync(own.cwd).sort()).toEqual(['from-env', 'typed']);
  });

  test('sandbox commands use the same folder, but --dir takes precedence', async () => {
    const person = { ...newPerson(), env: { EDGECTL_SANDBOX_DIR: 'from-env' } };
    for (const dir of ['dir', 'typed', 'from-env']) {
      mkdirSync(join(person.cwd, dir));
      await run(person, `kv namespace list --sandbox=${dir}`);
    }
    const folderOf = async (flags: string): Promise<string> =>
      JSON.parse((await run(person, `sandbox status --json ${flags}`)).out).folder;
    expect(await folderOf('')).toBe(join(person.cwd, 'from-env'));
    expect(await folderOf('--sandbox=typed')).toBe(join(person.cwd, 'typed'));
    expect(await folderOf('--sandbox=typed --dir dir')).toBe(join(person.cwd, 'dir'));
    await run(person, 'sandbox dns set shop.demo A 192.0.2.1 --sandbox=typed');
    await run(person, 'sandbox clock advance 7d');
    expect((await run(person, 'sandbox dns list --dir typed')).out).toContain('shop.demo');
    expect((await run(person, 'sandbox dns list')).out).toBe('');
    expect((await run(person, 'sandbox clock show --dir from-env')).out).toContain('604800 s ahead');
    await run(person, 'sandbox reset --yes --sandbox=typed');
    expect((await run(person, 'sandbox dns list --sandbox=typed')).out).toBe('');
  });

  test.each([
    'status',
    'reset --yes',
    'dns list',
    'dns set shop.demo A 192.0.2.1',
    'dns unset shop.demo',
    'clock show',
    'clock advance 7d',
  ])('sandbox %s with a wrong name creates no folder', async (words) => {
    const person = newPerson();
    const inEnvironment = { ...person, env: { EDGECTL_SANDBOX_DIR: 'wrong' } };
    const runs = [
      await run(person, `sandbox ${words} --dir wrong`),
      await run(person, `sandbox ${words} --sandbox=wrong`),
      await run(inEnvironment, `sandbox ${words}`),
    ];
    const said = `No sandbox found in ${join(person.cwd, 'wrong')}; nothing was changed.`;
    for (const ran of runs)
      expect(ran).toMatchObject({ code: 3, out: '', err: expect.stringContaining(said) });
    expect(existsSync(join(person.cwd, 'wrong'))).toBe(false);
  });

  test('creates no sandbox at a missing path or in a folder with other files if a command needs a sandbox', async () => {
    const person = newPerson();
    mkdirSync(join(person.cwd, 'project'));
    writeFileSync(join(person.cwd, 'project/notes'), 'mine');
    for (const dir of ['missing', 'project']) {
      const runs = [
        await run(person, `kv namespace list --sandbox=${dir}`),
        await run({ ...person, env: { EDGECTL_SANDBOX_DIR: dir } }, 'kv namespace create N --sandbox'),
      ];
      const folder = join(person.cwd, dir);
      for (const ran of runs) {
        expect(ran).toMatchObject({ code: 2, out: '' });
        expect(ran.err).toContain(`No sandbox found in ${folder}.`);
        expect(ran.err).toContain(`Create a sandbox: edgectl sandbox start --dir ${folder}`);
      }
    }
    expect(readdirSync(person.cwd, { recursive: true }).sort()).toEqual(['project', 'project/notes']);
    await startAndStop(person, '--dir missing');
    expect(await titles(person, '--sandbox=missing')).toEqual([]);
  });

  test('the default folder is created when it is first used', async () => {
    const person = newPerson();
    expect(await run(person, 'sandbox status')).toMatchObject({ code: 0 });
    expect((await run(person, 'sandbox clock show')).out).toMatch(/^The sandbox's clock shows /);
  });

  test('--sandbox accepts a folder only after =, and rejects an empty name', async () => {
    const person = newPerson();
    await run(person, 'kv key put a 1 --local --namespace-id 9');
    // `--sandbox` takes neither a command word nor an argument as its value. After `--prefix`, `--sandbox=x` is the value of `--prefix`.
    expect(await run(person, '--sandbox kv namespace list')).toMatchObject({ code: 0, out: '[]\n' });
    const listed = await run(person, 'kv key list --prefix --sandbox=x --local --namespace-id 9');
    expect(listed).toMatchObject({ code: 0, out: '[]\n' });
    expect(existsSync(join(person.cwd, 'x'))).toBe(false);
    expect(await run(person, 'kv namespace list --sandbox=')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--sandbox= needs a DIR'),
    });
    expect((await run(person, 'help flags')).out).toContain('--sandbox[=DIR]');
  });

  test('a command that changes a sandbox prints the folder', async () => {
    const person = newPerson();
    mkdirSync(join(person.cwd, 'some/where'), { recursive: true });
    const { err } = await run(person, 'kv namespace create N --sandbox=some/where');
    expect(err).toMatch(/Acting on account [0-9a-f]{32} of the sandbox in \/.*\/some\/where\./);
  });
});

describe('sandbox start', () => {
  test('sandbox start prints the flag that selects it', async () => {
    const person = newPerson();
    expect((await startAndStop(person, '')).out).toContain('Use edgectl with --sandbox. ');
    const { out } = await startAndStop(person, '--dir some/where');
    const flag = /Use edgectl with (--sandbox=\S+)\. /.exec(out)?.[1] ?? '';
    expect(flag).toBe(`--sandbox=${join(person.cwd, 'some/where')}`);
    expect(JSON.parse((await run(person, `sandbox status --json ${flag}`)).out)).toMatchObject({
      folder: join(person.cwd, 'some/where'),
    });
  });

  test('sandbox start prints its credentials, but not with --quiet or with a ready file', async () => {
    const person = newPerson();
    const { apiToken, apiKey } = JSON.parse((await startAndStop(person, '--json')).out);
    expect((await startAndStop(person, '')).out).toContain(apiToken);
    for (const flags of ['--quiet', '--ready-file r.json', '--json --quiet', '--json --ready-file r.json']) {
      const { code, out, err } = await startAndStop(person, flags);
      expect(code).toBe(0);
      expect(out).toContain('127.0.0.1');
      expect(out + err).not.toContain(apiToken);
      expect(out + err).not.toContain(apiKey);
    }
  });
});
