import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, matchesGlob, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { scratchFolder } from '../support/world.ts';

const checkout = resolve(import.meta.dirname, '../..');

/** A line of the Dockerfile: an instruction and its arguments. */
type Step = readonly [word: string, rest: string];

function getSteps(dockerfile: string): Step[] {
  const lines = dockerfile.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line): Step => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
}

/**
 * Returns true if the build gets a file from the repository. The patterns in .dockerignore match files, folders, and the beginnings of
 * their names.
 */
function isSent(path: string): boolean {
  const patterns = readFileSync(join(checkout, '.dockerignore'), 'utf8').match(/^[^#\s].*$/gm) ?? [];
  return !patterns.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
}

/** The folders of an image, stored below a folder on this machine. */
class Image {
  readonly root = scratchFolder('image');
  readonly env = {
    PATH: `${join(this.root, 'usr/bin')}:${process.env['PATH']}`,
    HOME: join(this.root, 'home/node'),
    npm_config_prefix: join(this.root, 'usr'),
  };
  cwd = this.root;

  constructor(base?: Image) {
    if (base !== undefined) cpSync(base.root, this.root, { recursive: true, verbatimSymlinks: true });
    for (const folder of ['tmp', 'home/node', 'usr']) mkdirSync(join(this.root, folder), { recursive: true });
  }

  /** Replaces paths of the image in a string with the paths on this machine. */
  placed(text: string): string {
    return text.replaceAll(/(?<![\w.])\/(?=(?:src|tmp|home)\b)/g, `${this.root}/`);
  }

  run([word, rest]: Step, stages: ReadonlyMap<string, Image>): void {
    if (word === 'COPY') this.#copy(rest, stages);
    if (word === 'WORKDIR') {
      this.cwd = this.placed(rest);
      mkdirSync(this.cwd, { recursive: true });
    }
    if (word !== 'RUN') return;
    // How npm reaches its registry depends on this machine's environment.
    const env = { ...process.env, ...this.env, HOME: process.env['HOME'], NODE_ENV: undefined };
    const ran = spawnSync('sh', ['-c', this.placed(rest)], { cwd: this.cwd, env, encoding: 'utf8' });
    expect({ rest, code: ran.status, said: ran.status === 0 ? '' : ran.stderr }).toEqual({
      rest,
      code: 0,
      said: '',
    });
  }

  #copy(rest: string, stages: ReadonlyMap<string, Image>): void {
    const [, stage, from = '', to = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest) ?? [];
    const other = stage === undefined ? undefined : stages.get(stage);
    if (other !== undefined) {
      cpSync(other.placed(from), this.placed(to));
      return;
    }
    const names = execFileSync('git', ['ls-files', '-z'], { cwd: checkout, encoding: 'utf8' }).split('\0');
    for (const name of names.filter((one) => one !== '' && isSent(one) && existsSync(join(checkout, one)))) {
      mkdirSync(dirname(join(this.cwd, name)), { recursive: true });
      cpSync(join(checkout, name), join(this.cwd, name));
    }
  }
}

/** Builds all stages; the stage without a name is the image. */
function build(): ReadonlyMap<string, Image> {
  const stages = new Map<string, Image>();
  let image = new Image();
  for (const step of getSteps(readFileSync(join(checkout, 'Dockerfile'), 'utf8'))) {
    if (step[0] === 'FROM') {
      const [, base = '', stage = ''] = /^(\S+)(?: AS (\S+))?/.exec(step[1]) ?? [];
      image = new Image(stages.get(base));
      stages.set(stage, image);
    } else image.run(step, stages);
  }
  return stages;
}

function listOf(word: string): string[] {
  const steps = getSteps(readFileSync(join(checkout, 'Dockerfile'), 'utf8'));
  const [, rest = '[]'] = steps.find(([one]) => one === word) ?? [];
  return JSON.parse(rest.slice(rest.indexOf('['))) as string[];
}

let stages: ReadonlyMap<string, Image>;
beforeAll(() => {
  stages = build();
});

function getStage(name: string): Image {
  const found = stages.get(name);
  if (found === undefined) throw new Error(`the Dockerfile has no stage "${name}"`);
  return found;
}

/** Returns the packages that are installed globally in an image, and the size of edgectl itself in bytes. */
function packagesIn(image: Image): { names: string[]; bytes: number } {
  const root = execFileSync('npm', ['root', '--global'], { env: image.env, encoding: 'utf8' }).trim();
  const files = readdirSync(join(root, 'edgectl'), { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((one) => one.isFile())
    .map((one) => statSync(join(one.parentPath, one.name)).size);
  const names = readdirSync(root).filter((name) => name !== 'npm');
  return { names: names.sort(), bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

test('the image contains only edgectl; the image for workers also contains the packages that workers need', () => {
  expect(packagesIn(getStage('')).names).toEqual(['edgectl']);
  expect(packagesIn(getStage('')).bytes).toBeLessThan(3_000_000);
  expect(packagesIn(getStage('workers')).names).toEqual(['edgectl', 'esbuild', 'miniflare']);
});

test('both images run as a user other than root', () => {
  const users = getSteps(readFileSync(join(checkout, 'Dockerfile'), 'utf8')).filter(([word]) =>
    ['FROM', 'USER'].includes(word),
  );
  expect(users.map((step) => step.join(' '))).toEqual([
    'FROM node:24-slim AS build',
    'FROM node:24-slim AS sandbox',
    'USER node',
    'FROM sandbox AS workers',
    'USER root',
    'USER node',
    'FROM sandbox',
  ]);
});

test('the steps of the Dockerfile build an image whose sandbox a compose service can reach by name', async () => {
  const image = getStage('');
  const [name = '', ...args] = [...listOf('ENTRYPOINT'), ...listOf('CMD')].map((arg) => image.placed(arg));
  const child = spawn(name, [...args, '--port', '0'], { env: image.env, stdio: 'ignore' });
  onTestFinished(() => ended(child));
  const file = image.placed('/home/node/data/ready.json');
  while (!existsSync(file)) {
    expect(child.exitCode).toBe(null);
    await sleep(50);
  }
  const { apiBaseUrl } = JSON.parse(readFileSync(file, 'utf8')) as { apiBaseUrl: string };
  const answer = await fetch(apiBaseUrl, { headers: { host: 'sandbox' } });
  expect(answer.status).toBe(404);

  const compose = parse(readFileSync(join(checkout, 'examples/compose/compose.yaml'), 'utf8'));
  const { entrypoint, command, environment } = compose.services.tests;
  // The name of the service does not resolve here, so all addresses of this machine are used instead.
  const at = { ...environment, EDGECTL_API_BASE_URL: apiBaseUrl };
  expect(environment.EDGECTL_API_BASE_URL).toMatch(/^http:\/\/sandbox:8787\//);
  const script = image.placed(command[0].replaceAll('$$', '$'));
  const ran = spawnSync(entrypoint[0], [entrypoint[1], script], {
    env: { ...image.env, ...at },
    encoding: 'utf8',
  });
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.stdout).toContain('sessions');

  const [program = '', ...check] = listOf('HEALTHCHECK').map((arg) =>
    arg.replace('127.0.0.1:8787', new URL(apiBaseUrl).host),
  );
  const health = () => spawnSync(program, check, { env: image.env }).status;
  expect(health()).toBe(0);
  await ended(child);
  expect(health()).toBe(1);
});

async function ended(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  while (child.exitCode === null && child.signalCode === null) await sleep(20);
}
