import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../support/world.ts';

// The GitHub Action of action.yml, run as a runner runs it: inputs are in INPUT_* variables, results in files whose paths are in variables
// (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
let tarball: string;
beforeAll(() => {
  const folder = scratchFolder('packed');
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      encoding: 'utf8',
    }),
  );
  tarball = join(folder, packed.filename);
});

/** A job with the step of the action, and the steps after it. */
class Job {
  readonly folder = scratchFolder('job');
  readonly #env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: this.folder,
    RUNNER_TEMP: join(this.folder, 'temp'),
    GITHUB_WORKSPACE: join(this.folder, 'work'),
  };

  constructor(env: Readonly<Record<string, string>> = {}) {
    Object.assign(this.#env, env);
    for (const name of ['ENV', 'PATH', 'OUTPUT', 'STATE']) {
      const file = join(this.folder, name);
      writeFileSync(file, '');
      this.#env[`GITHUB_${name}`] = file;
    }
    for (const name of ['RUNNER_TEMP', 'GITHUB_WORKSPACE']) mkdirSync(this.#env[name] ?? '');
  }

  file(name: 'ENV' | 'PATH' | 'OUTPUT' | 'STATE'): Record<string, string> {
    const lines = readFileSync(join(this.folder, name), 'utf8').trim().split('\n');
    return Object.fromEntries(
      lines.filter((line) => line.includes('=')).map((line) => line.split(/=(.*)/s, 2)),
    );
  }

  /** Runs a script of the action. */
  run(script: 'start' | 'stop', inputs: Readonly<Record<string, string>> = {}) {
    const states = Object.entries(this.file('STATE')).map(([name, value]) => [`STATE_${name}`, value]);
    const given = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
    const env = { ...this.#env, ...Object.fromEntries([...states, ...given]) };
    return spawnSync(process.execPath, [resolve(`action/${script}.mjs`)], { env, encoding: 'utf8' });
  }

  /** Runs a later step of the job. */
  step(script: string) {
    const added = readFileSync(join(this.folder, 'PATH'), 'utf8').trim();
    const env = { ...this.#env, ...this.file('ENV'), PATH: `${added}:${this.#env['PATH']}` };
    return spawnSync('bash', ['-e', '-c', script], {
      env,
      encoding: 'utf8',
      cwd: this.#env['GITHUB_WORKSPACE'],
    });
  }
}

const defaults = { demo: 'false', seed: '', strict: 'false', workers: 'false' };

test('serves the sandbox to the steps after the action, with edgectl and with other programs, until the job ends', async () => {
  const job = new Job();
  const started = job.run('start', { ...defaults, demo: 'true', package: tarball });
  onTestFinished(() => void job.run('stop'));
  expect(started).toMatchObject({ status: 0, stderr: '' });
  expect(started.stdout).toMatch(
    /^edgectl \d+\.\d+\.\d+: sandbox at http:\/\/127\.0\.0\.1:\d+\/client\/v4$/m,
  );
  const token = job.file('ENV')['CLOUDFLARE_API_TOKEN'];
  expect(started.stdout).toContain(`::add-mask::${token}\n`);
  const api = job.file('OUTPUT')['api-base-url'] ?? '';
  expect(job.file('OUTPUT')).toEqual({
    'api-base-url': job.file('ENV')['CLOUDFLARE_API_BASE_URL'],
    'account-id': job.file('ENV')['CLOUDFLARE_ACCOUNT_ID'],
    'zone-id': job.file('ENV')['CLOUDFLARE_ZONE_ID'],
  });
  expect(job.step('edgectl kv namespace create FROM_A_STEP')).toMatchObject({ status: 0 });
  const listed = await fetch(`${api}/accounts/${job.file('OUTPUT')['account-id']}/storage/kv/namespaces`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const titles = ((await listed.json()) as { result: { title: string }[] }).result.map(({ title }) => title);
  expect(titles).toContain('worker-FROM_A_STEP');
  expect(titles.length).toBeGreaterThan(3);

  const folder = job.file('ENV')['EDGECTL_SANDBOX_DIR'] ?? '';
  expect(existsSync(folder)).toBe(true);
  expect(job.run('stop')).toMatchObject({ status: 0, stdout: '' });
  while (existsSync(folder)) await sleep(20);
  await expect(fetch(api)).rejects.toThrow();
});

test('reads a seed from the workspace, and fails the step with the reason for an invalid seed', () => {
  const job = new Job();
  onTestFinished(() => void job.run('stop'));
  writeFileSync(join(job.folder, 'work/seed.yaml'), 'kv:\n  namespaces:\n    - titel: A\n');
  const started = job.run('start', { ...defaults, seed: 'seed.yaml', package: tarball });
  expect(started.status).toBe(1);
  expect(started.stdout).toMatch(/^::error title=edgectl::The sandbox did not start:%0A.*seed\.yaml/m);
  expect(job.run('start', { ...defaults, strict: 'yes', package: tarball }).stdout).toBe(
    '::error title=edgectl::The input "strict" must be true or false, not "yes".\n',
  );
});

test('refuses a job that has credentials of a real account', () => {
  const job = new Job({ CLOUDFLARE_API_KEY: 'real' });
  const started = job.run('start', { ...defaults, package: tarball });
  onTestFinished(() => void job.run('stop'));
  expect(started.stdout).toBe(
    '::error title=edgectl::Remove CLOUDFLARE_API_KEY from the job: programs would use them instead of the sandbox.\n',
  );
  expect(started.status).toBe(1);
  expect(readFileSync(join(job.folder, 'ENV'), 'utf8')).toBe('');
});
