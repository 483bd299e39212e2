import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program, userEnvironment } from './support/program.ts';
import { scratchFolder } from './support/world.ts';

/** Files that a command loads, by node's own report of its module loading. */
function loadedBy(argv: readonly string[]): string[] {
  const folder = scratchFolder('startup');
  const probe =
    "process.on('exit',()=>process.stderr.write('LOADED'+JSON.stringify(Object.keys(require.cache))))";
  const script = `${probe};process.argv.splice(1,0,${JSON.stringify(program)});require(${JSON.stringify(program)})`;
  const output = execFileSync(
    'sh',
    ['-c', '"$0" "$@" 2>&1 >/dev/null', process.execPath, '-e', script, '--', ...argv],
    {
      cwd: folder,
      env: userEnvironment(folder),
      encoding: 'utf8',
    },
  );
  return JSON.parse(output.split('LOADED')[1] ?? '[]') as string[];
}

const put = ['kv', 'key', 'put', 'k', 'v', '--namespace-id', 'n', '--local'];

test('flag mode loads neither Ink, React, conf, got nor Miniflare for local data', () => {
  const files = loadedBy(put);
  expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  expect(text).toContain('BEGIN IMMEDIATE');
  for (const marker of ['react.transitional.element', 'yoga', 'RequestError', 'conf: ']) {
    expect(text.includes(marker), marker).toBe(false);
  }
});

test('the console is a bundle of its own, which no file of the program holds', () => {
  const folder = join(program, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.cjs'),
  );
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    expect(readFileSync(join(folder, file), 'utf8').includes('react.transitional.element'), file).toBe(false);
  }
  expect(readFileSync(join(folder, 'console.mjs'), 'utf8')).toContain('react.transitional.element');
});

test('--version loads the first file only', () => {
  expect(loadedBy(['--version']).map((file) => file.split('/').at(-1))).toEqual(['edgectl.cjs']);
});

test.each(['', 'relative'])(
  'with HOME %j and relative XDG folders nothing gets into the working directory',
  (home) => {
    const cwd = scratchFolder();
    const xdg = {
      XDG_CONFIG_HOME: 'config',
      XDG_CACHE_HOME: 'cache',
      XDG_STATE_HOME: '',
      XDG_DATA_HOME: 'data',
    };
    const argv = [program, 'sandbox', 'status', '--json'];
    const env = { ...userEnvironment(home), ...xdg };
    const { folder } = JSON.parse(execFileSync(process.execPath, argv, { cwd, env, encoding: 'utf8' }));
    expect(folder).toBe(join(userInfo().homedir, '.local/share/edgectl/sandbox'));
    expect(readdirSync(cwd)).toEqual([]);
  },
);
