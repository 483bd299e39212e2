import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { program } from '../support/program.ts';
import { scratchFolder } from '../support/world.ts';

const folder = 'examples/tests';

/** Runs a program in a copy of the examples, with `edgectl` on the path. */
function run(line: string) {
  const cwd = scratchFolder('snippets');
  cpSync(folder, cwd, { recursive: true });
  const edgectl = `edgectl() { '${process.execPath}' '${program}' "$@"; }`;
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...process.env, PATH: path, HOME: cwd, GOFLAGS: '-mod=mod', GO111MODULE: 'off' };
  return spawnSync('bash', ['-c', `${edgectl}; ${line}`], { cwd, env, encoding: 'utf8' });
}

/** The first line of each snippet contains the command that runs the snippet. */
const snippets = [
  { file: 'test_flags.py', probe: 'pytest --version', prints: /2 passed/ },
  { file: 'flags_test.go', probe: 'go version', prints: /^ok/m },
  { file: 'Flags.java', probe: 'java -version', prints: /^passed$/m },
  {
    file: 'flags_test.rb',
    probe: 'ruby -e "require \'minitest\'"',
    prints: /1 runs, 1 assertions, 0 failures/,
  },
];

test.for(snippets)('$file passes against a sandbox', ({ file, probe, prints }, { skip }) => {
  const [line = ''] = readFileSync(join(folder, file), 'utf8').split('\n');
  const command = line.replace(/^(?:#|\/\/) /, '');
  expect(command).toMatch(/^edgectl sandbox exec --seed seed\.yaml -- /);
  skip(spawnSync('bash', ['-c', probe]).status !== 0, `${probe} fails here`);
  const { status, stdout, stderr } = run(command);
  expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
  expect(stdout).toMatch(prints);
});

// These tests need no Docker engine and no runner: they compare the values in the snippets with the files that the values depend on.
test('the snippet for Testcontainers names the port, the folder and the health check of the image', () => {
  const text = readFileSync(join(folder, 'testcontainers.test.mjs'), 'utf8');
  const image = readFileSync('Dockerfile', 'utf8');
  const [port = ''] = /(?<=withExposedPorts\()\d+/.exec(text) ?? [];
  expect(image).toMatch(new RegExp(`^EXPOSE ${port}\\b`, 'm'));
  const [ready = ''] = /(?<='cat', ')[^']+/.exec(text) ?? [];
  expect(image).toContain(`"--ready-file", "${ready}"`);
  expect(text).toContain('Wait.forHealthCheck()');
  expect(image).toMatch(/^HEALTHCHECK /m);
});

test('the workflow for GitHub Actions contains an existing command line of edgectl', () => {
  const { jobs } = parse(readFileSync(join(folder, 'github-actions.yaml'), 'utf8'));
  const lines = jobs.test.steps.flatMap(({ run: line }: { run?: string }) => line ?? []);
  const [command = ''] = lines.filter((line: string) => line.startsWith('edgectl '));
  const { status, stdout } = run(command.replace(/-- pytest$/, '-- sh -c \'echo "$CLOUDFLARE_BASE_URL"\''));
  expect(status).toBe(0);
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/client\/v4$/m);
});
