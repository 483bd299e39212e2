import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../support/program.ts';
import { scratchFolder } from '../support/world.ts';

/** Variables that configure the sandbox of `sandbox exec` as the rclone remote `s`. */
const rclone = `export RCLONE_CONFIG=/dev/null RCLONE_CONFIG_S_TYPE=s3 RCLONE_CONFIG_S_PROVIDER=Cloudflare RCLONE_CONFIG_S_ENV_AUTH=true
  export RCLONE_CONFIG_S_REGION=auto RCLONE_CONFIG_S_ENDPOINT=$AWS_ENDPOINT_URL`;

/** Programs that use S3, each with the script that copies `up` into the bucket and back to `down`. */
const programs: readonly (readonly [name: string, script: string])[] = [
  ['aws', 'aws s3 mb s3://peer && aws s3 sync up s3://peer/x && aws s3 sync s3://peer/x down'],
  [
    'rclone',
    `${rclone}
     rclone mkdir s:peer && rclone sync --s3-upload-cutoff 6M up s:peer/x && rclone sync s:peer/x down`,
  ],
  [
    's3cmd',
    `host=\${AWS_ENDPOINT_URL#http://}
     s3() { s3cmd --config=/dev/null --no-ssl --host=$host --host-bucket=$host --region=auto --access_key=$AWS_ACCESS_KEY_ID --secret_key=$AWS_SECRET_ACCESS_KEY "$@"; }
     s3 mb s3://peer && s3 sync --multipart-chunk-size-mb=5 up/ s3://peer/x/ && mkdir down && s3 sync s3://peer/x/ down/`,
  ],
];

function isInstalled(name: string): boolean {
  return spawnSync(name, ['--version']).status === 0;
}

/** Runs a script with a separate sandbox. */
function expectToRun(cwd: string, script: string): void {
  // This machine's certificate authorities do not apply to a sandbox, and rclone has no separate setting for them.
  const { AWS_CA_BUNDLE: _, ...env } = process.env;
  const line = [program, 'sandbox', 'exec', '--', 'bash', '-c', script];
  const ran = spawnSync(process.execPath, line, { cwd, env, encoding: 'utf8' });
  expect({ code: ran.status, said: ran.status === 0 ? '' : ran.stderr }).toEqual({ code: 0, said: '' });
}

test.for(programs)('%s copies a folder to a bucket and back', ([name, script], { skip }) => {
  skip(!isInstalled(name), `${name} is not installed here`);
  const cwd = scratchFolder('s3');
  mkdirSync(join(cwd, 'up', 'sub'), { recursive: true });
  const files = {
    'large.bin': Buffer.alloc(12 * 1024 * 1024, 'large'),
    'sub/ä b+c.txt': Buffer.from('small'),
  };
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(cwd, 'up', file), bytes);
  expectToRun(cwd, script);
  for (const [file, bytes] of Object.entries(files))
    expect(readFileSync(join(cwd, 'down', file)).equals(bytes)).toBe(true);
});

test('rclone syncs 5,000 files into a bucket and back, then finds no differences', ({ skip }) => {
  skip(!isInstalled('rclone'), 'rclone is not installed here');
  const cwd = scratchFolder('s3');
  for (let at = 0; at < 5000; at += 1) {
    const folder = join(cwd, 'up', `folder ${at % 50}`);
    if (at < 50) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `ä ${at}.txt`), `${at} `.repeat(at % 100));
  }
  expectToRun(
    cwd,
    `set -e
     ${rclone}
     rclone mkdir s:peer
     rclone sync --transfers 8 up s:peer/x
     rclone sync --transfers 8 s:peer/x down
     diff -r up down
     rclone check up s:peer/x 2>&1 | grep -q '5000 matching files'
     test -z "$(rclone sync --dry-run up s:peer/x 2>&1 | grep Skipped)"`,
  );
});

test('rclone behaves as described in docs/comparison.md', ({ skip }) => {
  skip(!isInstalled('rclone'), 'rclone is not installed here');
  const { stdout } = spawnSync('sh', ['-c', 'rclone version'], { encoding: 'utf8' });
  const [, version = ''] = /v(\d+\.\d+)/.exec(stdout) ?? [];
  skip(
    !readFileSync('docs/comparison.md', 'utf8').includes(`rclone ${version}`),
    `this is rclone ${version}`,
  );
  const cwd = scratchFolder('s3');
  writeFileSync(join(cwd, 'one.txt'), 'one');
  // The new content has a different length, because rclone compares length and time.
  writeFileSync(join(cwd, 'two.txt'), 'two more');
  expectToRun(
    cwd,
    `set -e
     ${rclone}
     rclone mkdir s:peer
     rclone copyto one.txt s:peer/a.txt
     rclone lsjson s:peer | grep -q '"Path":"a.txt"'
     rclone ncdu --help | grep -q 'text based user interface'
     curl -fsS "$(rclone link --expire 1h s:peer/a.txt)" | cmp - one.txt
     rclone copyto two.txt s:peer/a.txt --backup-dir s:peer/before
     rclone cat s:peer/before/a.txt | cmp - one.txt
     rclone purge s:peer < /dev/null
     [ -z "$(rclone lsf s:)" ]`,
  );
});
