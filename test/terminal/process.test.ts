import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inSoak } from '../support/in-part.ts';
import { program, userEnvironment } from '../support/program.ts';
import { scratchFolder } from '../support/world.ts';

const home = scratchFolder('home');
const cwd = scratchFolder('cwd');
const plain = userEnvironment(home);

/** Runs a shell line in which $E is the path of the program. */
function shell(
  line: string,
  env: Record<string, string> = {},
): { code: number | null; out: string; err: string } {
  const all = { ...plain, ...env, NODE: process.execPath, PROGRAM: program };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `E() { "$NODE" "$PROGRAM" "$@"; }; ${line}`], {
    cwd,
    env: all,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

describe.runIf(process.platform === 'linux')('an argument that is not UTF-8', () => {
  const at = '--local --namespace-id 9';

  test('is rejected, and not stored as another string', () => {
    const ran = shell(`E kv key put k "$(printf 'a\\377b')" ${at}`);
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('Argument 5 is not valid UTF-8') });
    expect(ran.err).toContain('--path');
    expect(existsSync(join(cwd, '.edgectl'))).toBe(false);
    expect(shell(`E --json kv key delete "$(printf '\\303')" ${at}`).err).toContain('"code":"usage"');
  });

  test('differs from an argument that contains U+FFFD, which is accepted', () => {
    expect(
      shell(`E kv key put k "$(printf 'a\\357\\277\\275b')" ${at} && E kv key get k ${at}`),
    ).toMatchObject({
      code: 0,
      out: expect.stringContaining('a\ufffdb'),
    });
  });
});

inSoak(() => {
  test('passes the credentials to neither the bundler nor the runtime of workers', () => {
    const folder = scratchFolder('children');
    const require = createRequire(import.meta.url);
    /** Creates a script that records its environment and then runs the real program. Returns the path of the script. */
    const noting = (name: string, real: string): string => {
      const path = join(folder, name);
      writeFileSync(path, `#!/bin/sh\nenv > '${path}.'$$.env\nexec '${real}' "$@"\n`);
      chmodSync(path, 0o755);
      return path;
    };
    const fromEsbuild = createRequire(require.resolve('esbuild'));
    const esbuild = fromEsbuild.resolve(`@esbuild/${process.platform}-${process.arch}/bin/esbuild`);
    const workerd: string = createRequire(require.resolve('miniflare'))('workerd').default;
    const secrets = {
      EDGECTL_API_TOKEN: 's3cret-1',
      EDGECTL_API_EMAIL: 's3cret-2@x',
      EDGECTL_API_KEY: 's3cret-3',
      CLOUDFLARE_API_TOKEN: 's3cret-4',
      CLOUDFLARE_API_KEY: 's3cret-5',
      CLOUDFLARE_EMAIL: 's3cret-6@x',
    };
    const ran = shell('E init && E objstore bucket create my-bucket --sandbox && E deploy --sandbox', {
      ...secrets,
      ESBUILD_BINARY_PATH: noting('esbuild', esbuild),
      MINIFLARE_WORKERD_PATH: noting('workerd', workerd),
    });
    expect(ran).toMatchObject({ code: 0 });
    const notes = readdirSync(folder).filter((name) => name.endsWith('.env'));
    expect(new Set(notes.map((name) => name.split('.')[0]))).toEqual(new Set(['esbuild', 'workerd']));
    for (const note of notes) {
      const environment = readFileSync(join(folder, note), 'utf8');
      expect(environment).toContain('HOME=');
      expect(environment).not.toContain('s3cret');
    }
  });
});
