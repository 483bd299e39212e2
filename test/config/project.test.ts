import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { remedyTextsFor } from '../../src/cli/output/remedy-texts.ts';
import { findKvBinding } from '../../src/config/bindings.ts';
import { openProject } from '../../src/config/project.ts';
import type { Project } from '../../src/model/config.ts';
import { asProblem, type Problem } from '../../src/model/problem.ts';
import { formatAdvice } from '../../src/text/problem.ts';
import { folderWith } from './folder.ts';

const text = `
name = "shop"
main = "index.js"
account_id = "acc"
zone_id = "zone"
kv_namespaces = [
  { binding = "CACHE", id = "c1", preview_id = "c2" },
  { binding = "ONLY_ID", id = "o1" },
  { binding = "ONLY_PREVIEW", preview_id = "p2" },
  { binding = "NONE" },
]
[[objstore_buckets]]
binding = "FILES"
bucket_name = "files"
[vars]
MODE = "live"
[env.staging]
account_id = "acc2"
kv_namespaces = [{ binding = "STAGED", id = "s1" }]
[env.named]
name = "own-name"
`;

async function project(environment?: string): Promise<Project> {
  const opened = await openProject({ cwd: folderWith({ 'edgectl.toml': text }), environment });
  if (opened === undefined) throw new Error('not found');
  return opened;
}

describe('an environment', () => {
  test('without a name, uses the top level of the file', async () => {
    expect(await project()).toMatchObject({ name: 'shop', projectName: 'shop', vars: { MODE: 'live' } });
  });

  test('inherits account, zone and entry point, but neither bindings nor vars', async () => {
    const staging = await project('staging');
    expect(staging).toMatchObject({
      environment: 'staging',
      name: 'shop-staging',
      projectName: 'shop',
      main: 'index.js',
      accountId: 'acc2',
      zoneId: 'zone',
      kvNamespaces: [{ binding: 'STAGED', id: 's1' }],
      buckets: [],
      vars: {},
    });
  });

  test('uses the name that the environment sets, otherwise the name of the project with a suffix', async () => {
    expect(await project('named')).toMatchObject({ name: 'own-name', projectName: 'shop', accountId: 'acc' });
  });

  test('has no name if the project has no name', async () => {
    const opened = await openProject({
      cwd: folderWith({ 'wrangler.json': '{"env": {"x": {}}}' }),
      environment: 'x',
    });
    expect(opened).toMatchObject({ environment: 'x', fallback: true });
    expect(opened).not.toHaveProperty('name');
    expect(opened).not.toHaveProperty('projectName');
  });

  test('refuses an unknown environment and lists the known environments', async () => {
    await expect(project('prod')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('Environment "prod" not found in '),
      hint: 'Environments in the file: staging, named.',
    });
    await expect(project('__proto__')).rejects.toMatchObject({ code: 'usage' });
  });
});

test('returns no project if there is no file', async () => {
  expect(await openProject({ cwd: folderWith() })).toBeUndefined();
});

describe('a binding', () => {
  test('resolves to its id, or with preview to its preview id', async () => {
    expect(findKvBinding(await project(), 'CACHE')).toBe('c1');
    expect(findKvBinding(await project(), 'CACHE', { preview: true })).toBe('c2');
    expect(findKvBinding(await project('staging'), 'STAGED')).toBe('s1');
  });

  test.each([
    ['MISSING', false, undefined, 'Existing bindings: CACHE, ONLY_ID, ONLY_PREVIEW, NONE.'],
    ['FILES', false, undefined, 'The name is bound to a bucket.'],
    [
      'ONLY_ID',
      true,
      undefined,
      'Add preview_id = "<namespace id>" next to binding = "ONLY_ID", or omit --preview.',
    ],
    [
      'ONLY_PREVIEW',
      false,
      undefined,
      'Add id = "<namespace id>" next to binding = "ONLY_PREVIEW", or use --preview.',
    ],
    ['NONE', false, undefined, 'Add id = "<namespace id>" next to binding = "NONE".'],
    [
      'CACHE',
      false,
      'staging',
      'The name is bound at the top level, but environments do not inherit bindings: add the binding to env.staging.kv_namespaces.',
    ],
    [
      'CACHE',
      false,
      'named',
      'The name is bound at the top level, but environments do not inherit bindings: add the binding to env.named.kv_namespaces.',
    ],
    ['OTHER', false, 'named', 'No namespaces are bound.'],
  ])(
    'refuses the binding %s (preview %s, environment %s) with a hint',
    async (binding, preview, environment, hint) => {
      const opened = await project(environment);
      const refused = getProblem(() => findKvBinding(opened, binding, { preview }));
      expect(refused.code).toBe('binding-not-found');
      expect(formatAdvice(refused, remedyTextsFor([]))).toBe(hint);
    },
  );

  test('names the file and the environment of a refused binding', async () => {
    const opened = await project('staging');
    expect(() => findKvBinding(opened, 'X')).toThrow(
      `Key-value binding "X" not found in ${join(opened.path)}, environment staging.`,
    );
  });
});

function getProblem(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    return asProblem(error);
  }
  throw new Error('nothing was refused');
}
