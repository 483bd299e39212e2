import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parseAction } from '@actions/workflow-parser/actions/action-parser';
import { validate } from 'dockerfile-utils';
import { array, boolean, parse as check, literal, object, optional, string, union, variant } from 'valibot';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { scratchFolder } from './support/world.ts';

// The workflow files, which GitHub's own parser checks.
const workflows = globSync('.github/workflows/*.yml');
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

test('GitHub accepts the workflows', async () => {
  expect(workflows.length).toBeGreaterThan(1);
  for (const name of workflows) {
    const { context, value } = parseWorkflow(
      { name, content: readFileSync(name, 'utf8') },
      new NoOperationTraceWriter(),
    );
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
    if (value === undefined) throw new Error(`${name} is empty`);
    const { errors, jobs } = await convertWorkflowTemplate(context, value);
    expect(errors).toBeUndefined();
    expect(jobs.length).toBeGreaterThan(0);
  }
});

test('the parser of GitHub rejects an invalid workflow', () => {
  const job = { 'runs-on': 'ubuntu-24.04', steps: [{ run: '$'.concat('{{ nothing.at.all }}') }] };
  const content = JSON.stringify({ on: 'push', jobs: { job } });
  const { context } = parseWorkflow({ name: 'wrong.yml', content }, new NoOperationTraceWriter());
  expect(context.errors.getErrors().map(({ message }) => message)).toEqual([
    expect.stringContaining("Unrecognized named-value: 'nothing'"),
  ]);
});

test('workflows have only read permissions by default, and pin third-party actions to a version', () => {
  for (const name of workflows) {
    const text = readFileSync(name, 'utf8');
    expect(parse(text).permissions).toEqual({ contents: 'read' });
    const used = [...text.matchAll(/uses: (.+)/g)].map(([, action = '']) => action);
    expect(used.length).toBeGreaterThan(2);
    for (const action of used) expect(action).toMatch(/^(?:\.\/$|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d)/);
    const scripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts));
  }
});

test('the release publishes the package under any name, each version only once, and the image only after the package', () => {
  const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8'));
  expect(jobs.image.needs).toBe('publish');
  const { run } = jobs.publish.steps.find((step: { run?: string }) => step.run?.includes('npm publish'));
  const folder = scratchFolder('publish');
  mkdirSync(join(folder, 'dist-release/1.2.3'), { recursive: true });
  for (const name of ['acme-edgectl-1.2.3.tgz', 'SHA256SUMS'])
    writeFileSync(join(folder, 'dist-release/1.2.3', name), '');
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "$@" >> calls\necho "$LAST"\n', { mode: 0o755 });
  const publish = (last: string) => {
    const env = {
      PATH: `${folder}:${process.env['PATH']}`,
      PACKAGE: '@acme/edgectl',
      VERSION: '1.2.3',
      LAST: last,
    };
    execFileSync('bash', ['-e', '-c', run], { cwd: folder, env });
    return readFileSync(join(folder, 'calls'), 'utf8');
  };
  const asked = 'view @acme/edgectl@1.2.3 version\n';
  expect(publish('1.2.3')).toBe(asked);
  expect(publish('')).toBe(`${asked}${asked}publish ./dist-release/1.2.3/acme-edgectl-1.2.3.tgz\n`);
});

test('GitHub accepts the action, and its scripts use the inputs and outputs that it declares', () => {
  const content = readFileSync('action.yml', 'utf8');
  const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter());
  expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  const { inputs, outputs, runs } = parse(content);
  const script = readFileSync(runs.main, 'utf8');
  const found = (pattern: RegExp) =>
    [...new Set([...script.matchAll(pattern)].map(([, name]) => name))].sort();
  expect(found(/(?:input|isOn)\('([\w-]+)'\)/g)).toEqual(Object.keys(inputs).sort());
  expect(found(/append\('GITHUB_OUTPUT', `([\w-]+)=/g)).toEqual(Object.keys(outputs).sort());
  expect(readFileSync(runs.post, 'utf8')).toContain('STATE_pid');
});

const required = optional(object({ required: boolean() }));
const text = { label: string(), description: optional(string()), placeholder: optional(string()) };

/** https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-githubs-form-schema */
const form = object({
  name: string(),
  description: string(),
  labels: array(string()),
  body: array(
    variant('type', [
      object({ type: literal('markdown'), attributes: object({ value: string() }) }),
      object({ type: literal('input'), id: string(), attributes: object(text), validations: required }),
      object({
        type: literal('textarea'),
        id: string(),
        attributes: object({ ...text, render: optional(string()) }),
        validations: required,
      }),
      object({
        type: literal('dropdown'),
        id: string(),
        attributes: object({ ...text, options: array(string()) }),
        validations: required,
      }),
      object({
        type: literal('checkboxes'),
        id: string(),
        attributes: object({
          ...text,
          options: array(union([object({ label: string(), required: optional(boolean()) })])),
        }),
      }),
    ]),
  ),
});

test('GitHub accepts the issue forms', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml').filter((name) => !name.endsWith('config.yml'));
  expect(forms.length).toBeGreaterThan(2);
  for (const name of forms) {
    const { body } = check(form, parse(readFileSync(name, 'utf8')));
    const ids = body.flatMap((one) => ('id' in one ? [one.id] : []));
    expect(ids).toEqual([...new Set(ids)]);
  }
});

test("the links next to the issue forms point to the owner's repository", () => {
  const { repository } = JSON.parse(readFileSync('build/owner.json', 'utf8'));
  const { contact_links: links } = parse(readFileSync('.github/ISSUE_TEMPLATE/config.yml', 'utf8'));
  expect(links.map(({ url }: { url: string }) => url)).toEqual([
    `${repository}/security/advisories/new`,
    `${repository}/blob/main/SUPPORT.md`,
  ]);
});

test('dependency updates cover each file that lists dependencies, and exclude the version of Node', () => {
  const { version, updates } = parse(readFileSync('.github/dependabot.yml', 'utf8'));
  expect(version).toBe(2);
  expect(updates.map((one: { 'package-ecosystem': string }) => one['package-ecosystem'])).toEqual([
    'npm',
    'github-actions',
    'docker',
  ]);
  expect(updates[0].ignore[0]['dependency-name']).toBe('node');
  const grouped = Object.values<{ patterns: string[] }>(updates[0].groups).flatMap(
    ({ patterns }) => patterns,
  );
  const missing = grouped
    .filter((name) => !name.includes('*'))
    .filter((name) => manifest.devDependencies[name] === undefined);
  expect(missing).toEqual([]);
});

test('the Dockerfile has no errors', () => {
  expect(validate(readFileSync('Dockerfile', 'utf8')).map(({ message }) => message)).toEqual([]);
  expect(validate('FROM node\nRUM true\n').map(({ message }) => message)).toEqual([
    'Unknown instruction: RUM',
  ]);
});
