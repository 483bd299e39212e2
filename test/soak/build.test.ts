import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/world.ts';

test("prints only the compiler's output for a build with compiler errors", () => {
  const folder = join(scratchFolder('build'), 'project');
  mkdirSync(folder);
  for (const name of readdirSync('.')) {
    if (!/^(?:dist|\.)/.test(name)) symlinkSync(resolve(name), join(folder, name));
  }
  const wrong = join(folder, 'wrong.ts');
  writeFileSync(wrong, "export const wrong: number = 'a';\n");
  const config = JSON.parse(readFileSync('tsconfig.types.json', 'utf8'));
  config.compilerOptions.rootDir = '.';
  rmSync(join(folder, 'tsconfig.types.json'));
  writeFileSync(join(folder, 'tsconfig.types.json'), JSON.stringify({ ...config, files: ['wrong.ts'] }));
  const compiler = spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.types.json', '--noEmit'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const built = spawnSync(process.execPath, ['build.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(compiler.stdout).toContain('TS2322');
  expect(built).toMatchObject({ status: 1, stdout: compiler.stdout, stderr: compiler.stderr });
});
