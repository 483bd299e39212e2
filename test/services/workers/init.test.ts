import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/run.ts';
import { scratchFolder, testWorld } from '../../support/world.ts';

const example = join(import.meta.dirname, '../../../examples/bucket-worker');

async function run(cwd: string, ...argv: string[]) {
  const world = testWorld({ argv: ['init', ...argv], cwd });
  const code = await runCommandLine(world, async () => 1);
  return { code, out: world.outText(), err: world.errText() };
}

test('the template equals the example in every file, except for its name', async () => {
  const cwd = scratchFolder();
  const { code, out } = await run(cwd, 'My Shop', '--template', 'bucket-worker', '--json');
  const answer = JSON.parse(out);
  expect([code, answer.name, answer.folder]).toEqual([0, 'my-shop', join(cwd, 'My Shop')]);
  const names = readdirSync(example, { recursive: true, encoding: 'utf8' }).map((name) =>
    name === 'gitignore' ? '.gitignore' : name,
  );
  expect(readdirSync(join(cwd, 'My Shop'), { recursive: true, encoding: 'utf8' }).sort()).toEqual(
    names.sort(),
  );
  expect(readFileSync(join(cwd, 'My Shop/src/index.ts'))).toEqual(
    readFileSync(join(example, 'src/index.ts')),
  );
  expect(readFileSync(join(cwd, 'My Shop/edgectl.toml'), 'utf8')).toBe(
    readFileSync(join(example, 'edgectl.toml'), 'utf8').replace('"bucket-worker"', '"my-shop"'),
  );
});

test('init without a folder writes into the working directory and prints the next steps', async () => {
  const cwd = scratchFolder();
  const { code, out } = await run(cwd, '--name', 'guide');
  expect(code).toBe(0);
  expect(out).toMatch(
    /Next:\n {2}edgectl objstore bucket create my-bucket\n {2}edgectl deploy\n {2}edgectl secret/,
  );
  expect(readFileSync(join(cwd, 'edgectl.toml'), 'utf8')).toMatch(/^name = "guide"$/m);
  expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toContain('.dev.vars');
});

test('quotes a folder name for the shell in the next steps', async () => {
  expect((await run(scratchFolder(), "it's here")).out).toContain(`  cd 'it'"'"'s here'\n`);
});

test('init keeps an existing file, and writes no other file', async () => {
  const cwd = scratchFolder();
  mkdirSync(join(cwd, 'src'));
  writeFileSync(join(cwd, 'src/index.ts'), 'mine');
  const { code, err } = await run(cwd);
  expect([code, err]).toEqual([2, expect.stringContaining('src/index.ts already exists')]);
  expect(readFileSync(join(cwd, 'src/index.ts'), 'utf8')).toBe('mine');
  expect(existsSync(join(cwd, 'edgectl.toml'))).toBe(false);
});

test('init deletes the files that it has written if it fails halfway, so the next attempt does not find them', async () => {
  const cwd = scratchFolder();
  symlinkSync(join(cwd, 'nowhere'), join(cwd, 'tsconfig.json'));
  const { code, err } = await run(cwd);
  expect([code, err]).toEqual([1, expect.stringContaining(join(cwd, 'tsconfig.json'))]);
  expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(['src', 'tsconfig.json']);
  rmSync(join(cwd, 'tsconfig.json'));
  expect((await run(cwd)).code).toBe(0);
});

test.each([
  ['ff', 'ff'],
  ['ff/deeper', 'ff'],
  ['.', 'src'],
])(
  'init %s is rejected if a file exists where a folder is required, and nothing is written',
  async (dir, file) => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, file), 'mine');
    const { code, err } = await run(cwd, dir);
    expect([code, err]).toEqual([2, expect.stringContaining(`${join(cwd, file)} is not a folder`)]);
    expect(readdirSync(cwd)).toEqual([file]);
  },
);

test.each([
  [['--template', '../../etc'], 'No template "../../etc"'],
  [['--name', 'Not A Name'], 'Invalid worker name "Not A Name"'],
])('init rejects the name %j', async (argv, message) => {
  const { code, err } = await run(scratchFolder(), ...argv);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
