import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract } from '../../../src/sandbox/contract/contract.ts';
import { routes } from '../../../src/sandbox/http/app.ts';
import { declaredRoutes } from '../../../src/v4/routes.ts';
import { explainedDifferences } from './explained.ts';
import { blank, sdkCalls } from './sdk-routes.ts';
import { areTypesCurrent, sdkTypes, sdkVersion, writeSdkTypes } from './sdk-types-file.ts';
import type { TypeSchema } from './type-schema.ts';

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
const known = new Set(ours.map(({ method, pattern }) => `${method} ${blank(pattern)}`));

/** What a token needs, in words. */
function permissionOf(method: string, pattern: string): string {
  const { permission, effect } =
    declaredRoutes.find((one) => one.method === method && one.path === pattern) ?? {};
  if (permission === 'any token') return 'any';
  return permission === 'in body' ? 'by its body' : `${permission}: ${effect === 'read' ? 'Read' : 'Edit'}`;
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

test('the types are those of the SDK that is installed, for the routes that are here', async () => {
  if (process.env['UPDATE_README'] === '1' && !areTypesCurrent()) await writeSdkTypes();
  expect(areTypesCurrent(), 'UPDATE_README=1 vitest run test/sandbox/contract makes them anew').toBe(true);
});

test('docs/api.md says of every route what it lacks, and what the official SDK has besides', () => {
  const document = [
    '# The API of the sandbox',
    '',
    'Made from the routes by the suite, with the calls of the official SDK for TypeScript (cloudflare ' +
      `${sdkVersion}) beside them. ` +
      'Faithful: no difference from the platform is known.',
    'Partial: what is named is missing. Query parameters that are not listed, and unknown fields, are noted in `sandbox requests`, and ' +
      'refused with `--strict`.',
    '',
    'Permission: what a token needs beside reaching the account or zone. `any` is open to every token, and shows what it reaches.',
    '',
    'Every other path is answered with 404 and an error that names this document; lists of databases (`d1/database`), `queues`, ' +
      '`pages/projects` and `workflows` are empty.',
    'Every answer that a sandbox gives in a test is held against the type that the SDK has for its route: names of fields, types, ' +
      'what may be missing or null. [What differs](#differences-from-the-sdk) is at the end, with the reason. ' +
      '`include_subdomains` of a zone hold is a text in answers, as the SDK declares it.',
    ...parts.flatMap((part, index) => ['', ...section(part, index)]),
    '',
    ...differencesSection(),
    '',
  ].join('\n');
  if (process.env['UPDATE_README'] === '1') writeFileSync('docs/api.md', document);
  expect(readFileSync('docs/api.md', 'utf8'), 'UPDATE_README=1 vitest run writes it anew').toBe(document);
});

/** What is answered otherwise than the SDK says, and what it says nothing of. */
function differencesSection(): string[] {
  const typed = sdkTypes().routes;
  const names = ours.map(({ method, pattern }) => `${method} ${pattern}`);
  const are = (kind: 'raw' | 'unknown' | 'none') => {
    const found = names.filter((name) => kindOf(typed[name]?.body) === kind);
    return [String(found.length), found.map((name) => `\`${name}\``).join(', ')] as const;
  };
  const [raw, rawNames] = are('raw');
  const [open, openNames] = are('unknown');
  const [none, noneNames] = are('none');
  return [
    '## Differences from the SDK',
    '',
    `Of ${names.length} routes the SDK has a type for ${names.length - Number(none) - Number(raw)}. What is answered otherwise is all here; ` +
      'another difference fails the suite.',
    '',
    '| type of the SDK, or route | field | is | why |',
    '| --- | --- | --- | --- |',
    ...explainedDifferences.map(({ of, fields, is, why }) => {
      const named = fields.map((field) => (field === '' ? 'itself' : `\`${field}\``)).join(', ');
      return `| \`${of}\` | ${named} | ${is} | ${why} |`;
    }),
    '',
    `Bytes or text, which are compared with what was written (${raw}): ${rawNames}.`,
    '',
    `Any result, as the SDK says (${open}): ${openNames}.`,
    '',
    `Without a call of the SDK (${none}): ${noneNames}.`,
  ];
}

function kindOf(body: TypeSchema | 'raw' | undefined): 'raw' | 'unknown' | 'none' | 'typed' {
  if (body === undefined) return 'none';
  if (body === 'raw') return 'raw';
  const result = body.properties?.['result'];
  return result !== undefined && Object.keys(result).length === 0 ? 'unknown' : 'typed';
}

function section([title, start, sdk]: (typeof parts)[number], index: number): string[] {
  const calls = sdkCalls(...sdk);
  const rows = ours
    .filter(({ pattern }) => partOf(pattern) === index)
    .map(({ method, pattern }) => {
      const { query = [], differences, deprecated } = contract[`${method} ${pattern}`] ?? {};
      const state = differences === undefined ? 'faithful' : `partial: ${differences}`;
      const old = deprecated === undefined ? '' : `; deprecated for ${deprecated}`;
      const from = sdkTypes().routes[`${method} ${pattern}`]?.module;
      return [
        method,
        `\`${pattern}\``,
        state + old,
        query.join(', '),
        permissionOf(method, pattern),
        from === undefined ? 'wrangler, API reference' : `SDK ${from}`,
      ];
    });
  const absent = [
    ...new Set(
      calls
        .filter(({ path }) => start.test(path) && partOf(path) === index)
        .map(({ method, path }) => `${method} ${blank(path)}`)
        .filter((call) => !known.has(call)),
    ),
  ].sort((left, right) => (left.split(' ')[1] ?? '').localeCompare(right.split(' ')[1] ?? ''));
  return [
    `## ${title}`,
    '',
    '| method | path | state | query | permission | source |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    ...(absent.length === 0 ? [] : ['', `Absent: ${absent.map((call) => `\`${call}\``).join(', ')}.`]),
  ];
}
