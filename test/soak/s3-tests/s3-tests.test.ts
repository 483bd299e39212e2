import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../support/program.ts';
import { scratchFolder } from '../../support/world.ts';

// Runs ceph/s3-tests, the public tests of S3 servers, on a sandbox. S3_TESTS is the folder of a checkout; S3_TESTS_PYTHON is a Python with
// pytest and the packages in the checkout's requirements.txt (default: python3). scope.json lists the cases that apply to the provider, and
// how the provider differs, each with its source.

interface Scope {
  /** The reasons why cases do not apply, by pytest mark. */
  readonly marks: Readonly<Record<string, string>>;
  /** Operations that the provider supports. A case that uses another operation does not apply. */
  readonly operations: readonly string[];
  /** Parameters that the provider does not support. A case that uses one of these parameters does not apply. */
  readonly parameters: readonly string[];
  /** The reasons why other cases do not apply, by a pattern of the case's name. */
  readonly names: Readonly<Record<string, string>>;
  /** Cases that fail because the provider differs from S3, with the source of the difference. */
  readonly differences: Readonly<Record<string, string>>;
}

interface Row {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly operations: readonly string[];
  readonly parameters: readonly string[];
  readonly error: string;
}

const folder = import.meta.dirname;
const scope = JSON.parse(readFileSync(join(folder, 'scope.json'), 'utf8')) as Scope;

/**
 * Returns the configuration of the suite. All users in the configuration are the owner of the sandbox, because R2 has access keys, but no
 * users.
 */
function formatConfig(endpoint: string, key: string, secret: string): string {
  const { hostname, port } = new URL(endpoint);
  const user = `display_name = sandbox\nuser_id = sandbox\nemail = a@b.example\naccess_key = ${key}\nsecret_key = ${secret}`;
  const sections = ['s3 alt', 's3 tenant', 'iam', 'iam root', 'iam alt root'].map(
    (name) => `[${name}]\n${user}\ntenant = sandbox\n`,
  );
  return `[DEFAULT]
host = ${hostname}
port = ${port}
is_secure = False
ssl_verify = False
[fixtures]
bucket prefix = peer-{random}-
[s3 main]
${user}
api_name =
lc_debug_interval = 86400
${sections.join('')}`;
}

function applies({ name, operations, parameters }: Row): boolean {
  return (
    operations.every((operation) => scope.operations.includes(operation)) &&
    !parameters.some((parameter) => scope.parameters.includes(parameter)) &&
    !Object.keys(scope.names).some((pattern) => new RegExp(pattern).test(name))
  );
}

/** Returns one result for each case: a failure if any of its results is a failure, such as a failed cleanup, otherwise the last result. */
function readRows(path: string): Row[] {
  const rows = new Map<string, Row>();
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const row = JSON.parse(line) as Row;
    if (rows.get(row.name)?.outcome !== 'failed') rows.set(row.name, row);
  }
  return [...rows.values()];
}

test('every applicable case of ceph/s3-tests passes, or is a documented difference of R2', async ({
  skip,
}) => {
  const checkout = process.env['S3_TESTS'];
  if (checkout === undefined) return skip('S3_TESTS is not the folder of a checkout of ceph/s3-tests');
  const python = process.env['S3_TESTS_PYTHON'] ?? 'python3';
  const results = join(scratchFolder('s3-tests'), 'results.ndjson');
  const config = join(scratchFolder('s3-tests'), 'config');
  const sandbox = await startSandbox();
  const ready = JSON.parse(readFileSync(join(sandbox.folder, 'ready.json'), 'utf8'));
  writeFileSync(config, formatConfig(ready.s3Endpoint, ready.s3AccessKeyId, ready.s3SecretAccessKey));
  const suites = ['test_s3.py', 'test_headers.py'].map((name) => join('s3tests/functional', name));
  const marks = Object.keys(scope.marks).map((mark) => `not ${mark}`);
  const options = ['-p', 'r2_plugin', '-p', 'no:cacheprovider', '-q', '--tb=no', '-m', marks.join(' and ')];
  const ran = spawnSync(python, ['-m', 'pytest', ...options, ...suites], {
    cwd: checkout,
    encoding: 'utf8',
    env: {
      ...process.env,
      PYTHONPATH: [folder, checkout, process.env['PYTHONPATH']].filter(Boolean).join(':'),
      PYTHONDONTWRITEBYTECODE: '1',
      S3TEST_CONF: config,
      S3_TESTS_READY: join(sandbox.folder, 'ready.json'),
      S3_TESTS_RESULTS: results,
    },
  });
  await sandbox.stop();
  // Exit code 1 means that some cases failed.
  expect({ code: ran.status, said: ran.status === 1 ? '' : ran.stderr }).toEqual({ code: 1, said: '' });
  const applicable = readRows(results).filter(applies);
  const failed = applicable.filter(({ outcome }) => outcome === 'failed');
  const different = failed.filter(({ name }) => Object.hasOwn(scope.differences, name));
  const passed = applicable.length - failed.length;
  console.info(
    `s3-tests: ${applicable.length} applicable, ${passed} passed, ${different.length} differences of R2.`,
  );
  for (const { name } of different) console.info(`  ${name}: ${scope.differences[name]}`);
  expect(
    failed.filter((row) => !different.includes(row)).map(({ name, error }) => `${name}: ${error}`),
  ).toEqual([]);
  // Differences that no longer occur must be removed from the list.
  const gone = Object.keys(scope.differences).filter((name) => !different.some((row) => row.name === name));
  expect(gone).toEqual([]);
});
