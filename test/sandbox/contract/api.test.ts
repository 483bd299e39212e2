import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract } from '../../../src/sandbox/contract/contract.ts';
import { routes } from '../../../src/sandbox/http/app.ts';
import { sdkCalls } from './sdk-routes.ts';

/** Parts of the platform that the document is about, with the parts of the official SDK that have their calls. */
const parts: readonly (readonly [title: string, start: RegExp, sdk: readonly string[]])[] = [
  ['Key-value namespaces', /^\/accounts\/:\w+\/storage\/kv/, ['kv']],
  ['Object buckets', /^\/accounts\/:\w+\/(?:r2|event_notifications\/r2)|^\/graphql/, ['r2']],
  ['Workers', /^\/accounts\/:\w+\/workers|^\/zones\/:\w+\/workers/, ['workers']],
  [
    'Custom hostnames',
    /^\/zones\/:\w+\/(?:custom_hostnames|dcv_delegation)/,
    ['custom-hostnames', 'dcv-delegation'],
  ],
  ['DNS records', /^\/zones\/:\w+\/dns_records/, ['dns/records']],
  [
    'Zones',
    /^\/zones(?:\/:\w+)?(?:\/hold)?$|^\/zones\/:\w+\/(?:settings|ssl|pagerules|available_plans|subscription)|^\/ips/,
    ['zones', 'ips', 'ssl', 'page-rules'],
  ],
  ['Address ranges', /^\/accounts\/:\w+\/addressing\/prefixes$/, ['addressing/prefixes']],
  ['Accounts, user, tokens', /^\/(?:accounts|memberships|user)/, ['accounts', 'user', 'memberships']],
];

const ours = routes.filter(({ pattern }) => !pattern.startsWith('/sandbox/'));
const known = new Set(ours.map(({ method, pattern }) => `${method} ${shape(pattern)}`));

/** A path with its parameters unnamed, so that two that differ in names are the same. */
function shape(path: string): string {
  return path.replace(/[:*]\w+/g, ':id').replace(/\?.*$/, '');
}

function partOf(path: string): number {
  return parts.findIndex(([, start]) => start.test(path));
}

test('every route of the provider has a row in the contract, and every row a route', () => {
  const named = ours.map(({ method, pattern }) => `${method} ${pattern}`);
  expect(named.filter((name) => contract[name] === undefined)).toEqual([]);
  expect(Object.keys(contract).filter((name) => !named.includes(name))).toEqual([]);
  expect(ours.filter(({ pattern }) => partOf(pattern) === -1)).toEqual([]);
});

test('docs/api.md says of every route what it lacks, and what the official SDK has besides', () => {
  const document = [
    '# The API of the sandbox',
    '',
    'Made from the routes by the suite, with the calls of the official SDK for TypeScript (cloudflare ' +
      `${JSON.parse(readFileSync('node_modules/cloudflare/package.json', 'utf8')).version}) beside them. ` +
      'Faithful: no difference from the platform is known.',
    'Partial: what is named is missing. Query parameters that are not listed, and unknown fields, are noted in `sandbox requests`, and ' +
      'refused with `--strict`.',
    '',
    'Every other path is answered with 404 and an error that names this document; lists of databases (`d1/database`), `queues`, ' +
      '`pages/projects` and `workflows` are empty.',
    'Answers are made after the SDK’s types; the suite checks the fields that its tests read, and not each of every answer. ' +
      '`include_subdomains` of a zone hold is a text in them, as the SDK declares it.',
    ...parts.flatMap((part, index) => ['', ...section(part, index)]),
    '',
  ].join('\n');
  if (process.env['UPDATE_README'] === '1') writeFileSync('docs/api.md', document);
  expect(readFileSync('docs/api.md', 'utf8'), 'UPDATE_README=1 vitest run writes it anew').toBe(document);
});

function section([title, start, sdk]: (typeof parts)[number], index: number): string[] {
  const calls = sdkCalls(...sdk);
  const source = new Map(calls.map(({ method, path, file }) => [`${method} ${shape(path)}`, file]));
  const rows = ours
    .filter(({ pattern }) => partOf(pattern) === index)
    .map(({ method, pattern }) => {
      const { query = [], lacks, deprecated } = contract[`${method} ${pattern}`] ?? {};
      const state = lacks === undefined ? 'faithful' : `partial: ${lacks}`;
      const old = deprecated === undefined ? '' : `; deprecated for ${deprecated}`;
      const from = source.get(`${method} ${shape(pattern)}`);
      return [
        method,
        `\`${pattern}\``,
        state + old,
        query.join(', '),
        from === undefined ? 'wrangler, API reference' : `SDK ${from}`,
      ];
    });
  const absent = [
    ...new Set(
      calls
        .filter(({ path }) => start.test(path) && partOf(path) === index)
        .map(({ method, path }) => `${method} ${shape(path)}`)
        .filter((call) => !known.has(call)),
    ),
  ].sort((left, right) => (left.split(' ')[1] ?? '').localeCompare(right.split(' ')[1] ?? ''));
  return [
    `## ${title}`,
    '',
    '| method | path | state | query | source |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    ...(absent.length === 0 ? [] : ['', `Absent: ${absent.map((call) => `\`${call}\``).join(', ')}.`]),
  ];
}
