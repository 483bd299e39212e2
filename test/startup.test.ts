import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inSoak } from './support/in-part.ts';
import { program, userEnvironment } from './support/program.ts';
import { scratchFolder } from './support/world.ts';

/** Returns our files that a command loads: files in Node's module cache, and packs, which `load.cjs` reads itself. */
async function loadedBy(argv: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const folder = scratchFolder('startup');
  const list = join(folder, 'loaded.json');
  const probe = `const fs=require('node:fs'),read=fs.readFileSync,files=new Set();
    fs.readFileSync=(path,...rest)=>{if(/\\.cjs(\\.zst)?$/.test(path))files.add(path);return read(path,...rest)};
    process.on('exit',()=>fs.writeFileSync(${JSON.stringify(list)},JSON.stringify([...new Set([...files,...Object.keys(require.cache)])])))`;
  const script = `${probe};process.argv.splice(1,0,${JSON.stringify(program)});require(${JSON.stringify(program)})`;
  const env = { ...userEnvironment(folder), ...variables };
  await promisify(execFile)(process.execPath, ['-e', script, '--', ...argv], { cwd: folder, env });
  return JSON.parse(readFileSync(list, 'utf8'));
}

/** Returns the code in a file, which is compressed if few commands load it. */
function codeIn(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('utf8');
}

const put = ['kv', 'key', 'put', 'k', 'v', '--namespace-id', 'n', '--local'];

test('the command-line mode loads neither Ink, React, conf, got nor Miniflare for local data', async () => {
  const files = await loadedBy(put);
  expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
  const text = files.map(codeIn).join('\n');
  expect(text).toContain('BEGIN IMMEDIATE');
  for (const marker of ['react.transitional.element', 'yoga', 'RequestError', 'conf: ']) {
    expect(text.includes(marker), marker).toBe(false);
  }
});

test('reading a key and completing a word need no code that must be decompressed first', async () => {
  const platform = createServer((_request, response) => response.end('v'));
  await once(platform.listen(0, '127.0.0.1'), 'listening');
  const address = platform.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const variables = {
    EDGECTL_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    EDGECTL_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
    EDGECTL_API_TOKEN: 'token',
  };
  const config = join(scratchFolder('bound'), 'edgectl.toml');
  writeFileSync(config, '[[kv_namespaces]]\nbinding = "KV"\nid = "fedcba9876543210fedcba9876543210"\n');
  const bound = ['--binding', 'KV', '--config', config];
  const commands = [
    put,
    ['kv', 'key', 'put', 'k', 'v', ...bound, '--local'],
    ['kv', 'key', 'get', 'k', ...bound],
    ['completion', 'words', '--', 'kv', 'key', 'get', ...bound.slice(2), '--binding', ''],
  ];
  try {
    for (const argv of commands) {
      const files = await loadedBy(argv, variables);
      expect(files.length).toBeGreaterThan(2);
      expect([argv, files.filter((file) => file.endsWith('.zst'))]).toEqual([argv, []]);
      // Completion must not wait for the code that reads keys, which is half of the program.
      const names = files.map((file) => basename(file));
      expect([argv, names.includes('reading.cjs')]).toEqual([argv, argv[0] === 'kv']);
    }
  } finally {
    platform.close();
  }
});

test('the console is a separate pack, and no other file contains its drawing code', () => {
  const folder = join(program, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.cjs(?:\.zst)?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(5);
  const drawn = files.filter((file) => codeIn(join(folder, file)).includes('react.transitional.element'));
  expect(drawn).toEqual([join('packs', 'console.cjs.zst')]);
});

test('the program creates no object at startup whose creation takes milliseconds', () => {
  const packs = readdirSync(join(program, '..', 'packs')).map((name) =>
    codeIn(join(program, '..', 'packs', name)),
  );
  const emoji = packs.flatMap((code) =>
    [...code.matchAll(/.{3}new RegExp\([^)]*RGI_Emoji/g)].map(([made]) => made),
  );
  expect(emoji.length).toBeGreaterThan(0);
  expect(emoji.filter((made) => !made.startsWith('??='))).toEqual([]);
  // The first object of any of these classes loads ICU's data, which takes 15 ms.
  const icu = /(?<!\?\?=|=>|of )new (?:Intl\.\w+|TextDecoder\("utf-?16)/g;
  expect(packs.flatMap((code) => code.match(icu) ?? [])).toEqual([]);
  expect(packs.filter((code) => code.includes('("assert")'))).toEqual([]);
  // Compiling a Unicode class in a pattern takes up to a millisecond.
  const classes = /[\w$]=\/(?:[^/\n\\]|\\.)*\\p\{(?:[^/\n\\]|\\.)*\/[a-z]*[,;]/g;
  for (const pack of ['program.cjs', 'reading.cjs']) {
    expect(codeIn(join(program, '..', 'packs', pack)).match(classes)).toBeNull();
  }
});

test('the first command that runs the code of a file caches the compiled code for the next start', () => {
  const home = scratchFolder('kept');
  const env = { ...userEnvironment(home), XDG_CACHE_HOME: join(home, '.cache') };
  const cache = join(home, '.cache', 'edgectl');
  const saved = () => readdirSync(cache).map((name) => [name, statSync(join(cache, name))] as const);
  const run = (...argv: string[]) => execFileSync(process.execPath, [program, ...argv], { cwd: home, env });
  run('--help');
  const [[name, first] = []] = saved();
  expect(name).toBe(`program.cjs-${process.version}-${process.arch}.code`);
  expect((first?.mode ?? 0) & 0o777).toBe(0o600);
  run('--help');
  expect(saved().map(([, { ino }]) => ino)).toEqual([first?.ino]);
  run(...put);
  expect(saved()[0]?.[1].size).toBeGreaterThan(first?.size ?? 0);
  // If the file is truncated, empty, or from another version, the code is compiled again.
  for (const broken of ['', '{}\n', `${readFileSync(join(cache, `${name}`), 'latin1').slice(0, 3000)}`]) {
    writeFileSync(join(cache, `${name}`), broken, 'latin1');
    expect(run('kv', 'key', 'get', 'k', '--namespace-id', 'n', '--local').toString()).toBe('v');
    expect(saved()[0]?.[1].size).toBeGreaterThan(100_000);
  }
});

test('adds one exit listener for any number of packs, because Node warns above ten', async () => {
  const folder = scratchFolder('packs');
  const loader = JSON.stringify(join(program, '..', 'load.cjs'));
  const script = `const {load,program}=require(${loader}),before=process.listenerCount('exit');
    for(let id=0;id<1000;id+=1)try{if(id!==program)load(id)}catch{}
    process.stdout.write(String(process.listenerCount('exit')-before));process.exit()`;
  const env = userEnvironment(folder);
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: folder, env });
  // Ink adds one listener, and this program adds another.
  expect(Number(stdout)).toBeLessThanOrEqual(2);
});

inSoak(() => {
  test('detects a flipped bit in compiled code, and recompiles the code', () => {
    const home = scratchFolder('damaged');
    const env = { ...userEnvironment(home), XDG_CACHE_HOME: join(home, '.cache') };
    const file = join(home, '.cache', 'edgectl', `program.cjs-${process.version}-${process.arch}.code`);
    // V8 does not detect damaged code, and would crash, hang or misbehave.
    const run = (argv: readonly string[]) =>
      execFileSync(process.execPath, [program, ...argv], { cwd: home, env, timeout: 10_000 }).toString();
    run(put);
    const whole = readFileSync(file);
    for (const part of [0.01, 0.2, 0.35, 0.6, 0.8]) {
      const damaged = Buffer.from(whole);
      const at = Math.floor(whole.length * part);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(file, damaged);
      expect(run(['kv', 'key', 'get', 'k', '--namespace-id', 'n', '--local'])).toBe('v');
      expect(readFileSync(file).equals(damaged)).toBe(false);
    }
  });
});

inSoak(() => {
  test('reads no compiled code from a folder that others can write to, and leaves no incomplete code on a full disk', () => {
    const home = scratchFolder('hostile');
    const env = { ...userEnvironment(home), XDG_CACHE_HOME: join(home, '.cache') };
    const cache = join(home, '.cache', 'edgectl');
    const run = (limit: string) =>
      execFileSync('sh', ['-c', `${limit} "$0" "$@"`, process.execPath, program, '--help'], {
        cwd: home,
        env,
      });
    run('ulimit -f 64;');
    expect(readdirSync(cache)).toEqual([]);
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    chmodSync(cache, 0o777);
    run('');
    expect(readdirSync(cache)).toEqual([]);
    chmodSync(cache, 0o700);
    run('');
    expect(readdirSync(cache)).toEqual([`program.cjs-${process.version}-${process.arch}.code`]);
  });
});

test('writes no compiled code through a file that another user placed there', () => {
  const home = scratchFolder('planted');
  const env = { ...userEnvironment(home), XDG_CACHE_HOME: join(home, '.cache') };
  const cache = join(home, '.cache', 'edgectl');
  const precious = join(home, 'precious');
  writeFileSync(precious, 'precious');
  // The shell prints its process id and is replaced by the program.
  const plant = `mkdir -p "${cache}" && ln -s "${precious}" "${cache}/program.cjs-${process.version}-${process.arch}.code.$$"`;
  execFileSync('sh', ['-c', `${plant} && exec "$0" "$@"`, process.execPath, program, '--help'], { env });
  expect(readFileSync(precious, 'utf8')).toBe('precious');
});

test.each(['--version', '--help'])(
  '%s reports a full disk like any other output, and ignores a closed pipe',
  (flag) => {
    const folder = scratchFolder('unwritten');
    const run = (line: string) =>
      spawnSync('sh', ['-c', line, process.execPath, program, flag], {
        cwd: folder,
        env: userEnvironment(folder),
        encoding: 'utf8',
      });
    expect(run('"$0" "$@" > /dev/full')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^error: Cannot write: no space left on device \(ENOSPC\)\.\nhint: [^\n]+\n$/,
      ),
    });
    // The program starts after the reader has closed its end.
    const pipe = '{ read go < go; "$0" "$@"; echo $? > code; } | { exec <&-; echo go > go; }';
    expect(run(`mkfifo go; ${pipe}`)).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(folder, 'code'), 'utf8')).toBe('0\n');
  },
);

test('ends a command normally if no folder for compiled code can be created', () => {
  // Node's recursive mkdir never returns below /proc, and no signal can interrupt an exit handler.
  const { XDG_CACHE_HOME: _, ...env } = userEnvironment('/proc');
  const argv = [program, 'kv', 'namespace', 'create', 'A', '--sandbox'];
  const ran = spawnSync(process.execPath, argv, {
    env,
    encoding: 'utf8',
    timeout: 10_000,
    killSignal: 'SIGKILL',
  });
  expect(ran).toMatchObject({ status: 1, signal: null, stderr: expect.stringContaining('/proc/.local') });
});

test('removes the files of a killed process in the next process that caches code', () => {
  const home = scratchFolder('left');
  const env = { ...userEnvironment(home), XDG_CACHE_HOME: join(home, '.cache') };
  const cache = join(home, '.cache', 'edgectl');
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  const [left, running] = [
    `program.cjs-v24.0.0-x64.code.${gone}`,
    `program.cjs-v24.0.0-x64.code.${process.pid}`,
  ];
  for (const name of [left, running]) writeFileSync(join(cache, name), 'half');
  execFileSync(process.execPath, [program, '--help'], { cwd: home, env });
  expect(readdirSync(cache).sort()).toEqual(
    [`program.cjs-${process.version}-${process.arch}.code`, running].sort(),
  );
});

/** Node modules that take a millisecond or more each: streams, the command-line parser, hashing and compression. */
const heavy =
  /^NativeModule (?:net|stream|crypto|zlib|assert|internal\/fs\/sync_write_stream|internal\/util\/parse_args\/.*)$/;

test.each([
  ['kv key get k --namespace-id n --local', 'v'],
  ['--version', '0.1.0\n'],
  ['completion words -- kv key get --binding ""', 'KV\tfedcba9876543210fedcba9876543210\n'],
  ['completion words -- kv key get --profile ""', 'sandbox\t\n'],
])('loads no heavy modules of Node to write the output of %s into a pipe or a file', (line, said) => {
  const folder = scratchFolder('piped');
  const env = userEnvironment(folder);
  const bound = '[[kv_namespaces]]\nbinding = "KV"\nid = "fedcba9876543210fedcba9876543210"\n';
  writeFileSync(join(folder, 'edgectl.toml'), bound);
  execFileSync(process.execPath, [program, ...put], { cwd: folder, env, stdio: 'ignore' });
  // The first Tab requests names, which are cached for the next Tab.
  execFileSync('sh', ['-c', `"$0" "${program}" ${line}`, process.execPath], {
    cwd: folder,
    env,
    stdio: 'ignore',
  });
  const list = join(folder, 'modules');
  const probe = `process.on('exit',()=>require('node:fs').writeFileSync(${JSON.stringify(list)},process.moduleLoadList.join()));`;
  writeFileSync(join(folder, 'probe.cjs'), probe);
  for (const to of ['2>&1 | cat', '> said 2>&1; cat said']) {
    const words = `"$0" -r ./probe.cjs "${program}" ${line} ${to}`;
    const output = execFileSync('sh', ['-c', words, process.execPath], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    expect(output.replace(/^Acting on .*\n/, '')).toBe(said);
    const modules = readFileSync(list, 'utf8').split(',');
    expect(modules).toContain('NativeModule fs');
    expect(modules.filter((name) => heavy.test(name))).toEqual([]);
  }
});

test('exits immediately after a completed command, without freeing the heap piece by piece', () => {
  const folder = scratchFolder('ending');
  const message = join(folder, 'told');
  const probe = `const end=process.reallyExit;process.reallyExit=(code)=>{
    require('node:fs').writeFileSync(${JSON.stringify(message)},String(code));end.call(process,code)}`;
  writeFileSync(join(folder, 'probe.cjs'), probe);
  const run = (...argv: string[]) =>
    spawnSync(process.execPath, ['-r', './probe.cjs', program, ...argv], {
      cwd: folder,
      env: userEnvironment(folder),
      encoding: 'utf8',
    });
  expect(run('help', 'exit-codes')).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(message, 'utf8')).toBe('0');
  expect(run('kv', 'nothing')).toMatchObject({ status: 2, stdout: '' });
  expect(readFileSync(message, 'utf8')).toBe('2');
});

test('--version loads only the first file', async () => {
  expect((await loadedBy(['--version'])).map((file) => file.split('/').at(-1))).toEqual(['edgectl.cjs']);
});

test.each(['', 'relative'])(
  'writes nothing to the working directory with HOME %j and relative XDG folders',
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

inSoak(() => {
  test('compiled code is read only from files of the user, and never through a link', () => {
    const home = scratchFolder('alone');
    const shared = join(home, 'shared');
    mkdirSync(shared, { mode: 0o1777 });
    const env = { ...userEnvironment(home), XDG_CACHE_HOME: shared };
    const cache = join(shared, 'edgectl');
    const file = join(cache, `program.cjs-${process.version}-${process.arch}.code`);
    const hook = join(home, 'hook.cjs');
    writeFileSync(
      hook,
      `const fs=require('node:fs'),open=fs.openSync;fs.openSync=(path,flags,...rest)=>{
      if(String(path).endsWith('.code')&&flags!=='wx')fs.writeSync(2,'read ');return open(path,flags,...rest)}`,
    );
    /** Returns the number of compiled-code files that a start reads. */
    const read = () => {
      const { stderr } = spawnSync(process.execPath, ['--require', hook, program, '--help'], {
        cwd: home,
        env,
      });
      return stderr.toString().split('read ').length - 1;
    };
    // The folder has the mode that it gets if the first command runs with a group-writable umask, and also contains Node's cache of
    // esbuild.
    writeFileSync(join(home, 'worker.js'), 'export default {};');
    const deploy = ['deploy', 'worker.js', '--name', 'w', '--dry-run', '--sandbox'];
    const umask = ['-c', 'umask 002; exec "$0" "$@"', process.execPath, program];
    execFileSync('sh', [...umask, ...deploy, '--compatibility-date', '2026-01-01'], {
      cwd: home,
      env,
      stdio: 'pipe',
    });
    expect(readdirSync(cache)).toContain('node');
    for (const folder of [cache, join(cache, 'node')]) expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(read()).toBe(1);
    chmodSync(cache, 0o770);
    expect(read()).toBe(0);
    chmodSync(cache, 0o700);
    chmodSync(file, 0o660);
    expect(read()).toBe(0);
    chmodSync(file, 0o600);
    expect(read()).toBe(1);
    for (const stranger of [file, cache]) {
      // Only root can create a file that another user owns.
      if (process.getuid?.() === 0) chownSync(stranger, 65_534, 65_534);
      else continue;
      expect(read()).toBe(0);
      chownSync(stranger, 0, 0);
    }
    const elsewhere = join(home, 'elsewhere');
    renameSync(cache, elsewhere);
    const before = readdirSync(elsewhere);
    symlinkSync(elsewhere, cache);
    expect(read()).toBe(0);
    expect(readdirSync(elsewhere)).toEqual(before);
  });
});
