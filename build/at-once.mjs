// Runs package.json scripts in parallel: `node build/at-once.mjs types lint`. Prints the output of each script when the script ends. If a
// script fails, exits with an error after all scripts have ended.

import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) };

function run(name) {
  return new Promise((settle) => {
    exec(scripts[name], { env, maxBuffer: Number.POSITIVE_INFINITY }, (failure, stdout, stderr) => {
      process.stdout.write(`> ${name}: ${scripts[name]}\n${stdout}${stderr}`);
      settle(failure === null);
    });
  });
}

const passed = await Promise.all(process.argv.slice(2).map(run));
if (!passed.every(Boolean)) process.exitCode = 1;
