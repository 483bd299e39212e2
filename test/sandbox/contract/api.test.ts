import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract } from '../../../src/sandbox/contract/contract.ts';
import { routes } from '../../../src/sandbox/http/app.ts';
import { declaredRoutes } from '../../../src/v4/routes.ts';
import { matrixSection } from '../../support/clients/matrix.ts';
import { exercisedParts, knownParts } from './exercised.ts';
import { type ExplainedDifference, explainedByDocument, explainedDifferences } from './explained.ts';
import { isPublishedCurrent, published, writePublished } from './openapi/published-file.ts';
import { blank, sdkCalls } from './sdk-routes.ts';
import { areTypesCurrent, sdkTypes, sdkVersion, writeSdkTypes } from './sdk-types-file.ts';
import type { TypeSchema } from './type-schema.ts';

/** Sections of the document, each with the parts of the official SDK that contain the calls of the section. */
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

/** Returns the permission that a token needs, as text. */
function getPermission(method: string, pattern: string): string {
  const { permission, effect } =
    declaredRoutes.find((one) => one.method === method && one.path === pattern) ?? {};
  if (permission === 'any token') return 'any';
  return permission === 'in body'
    ? 'depends on the body'
    : `${permission}: ${effect === 'read' ? 'Read' : 'Edit'}`;
}

function getPart(path: string): number {
  return parts.findIndex(([, start]) => start.test(path));
}

test('the contract has a row for every route of the provider, and a route for every row', () => {
  const named = ours.map(({ method, pattern }) => `${method} ${pattern}`);
  expect(named.filter((name) => contract[name] === undefined)).toEqual([]);
  expect(Object.keys(contract).filter((name) => !named.includes(name))).toEqual([]);
  const without = ours.filter(({ pattern }) => getPart(pattern) === -1).map(({ pattern }) => pattern);
  expect(without, 'add the path to a section of docs/api.md: `parts` above').toEqual([]);
});

test('the stored types are those of the installed SDK, for the current routes', async () => {
  if (process.env['UPDATE_README'] === '1' && !areTypesCurrent()) await writeSdkTypes();
  expect(areTypesCurrent(), 'regenerate with UPDATE_README=1 vitest run test/sandbox/contract').toBe(true);
});

test('the stored part of the OpenAPI document covers the current routes, and equals what the current code extracts', async () => {
  if (process.env['UPDATE_README'] === '1' && !isPublishedCurrent()) await writePublished();
  expect(isPublishedCurrent(), 'regenerate with UPDATE_README=1 vitest run test/sandbox/contract').toBe(true);
}, 120_000);

test('docs/api.md lists the parts that each route lacks, and the calls that only the official SDK has', () => {
  const document = [
    '# The API of the sandbox',
    '',
    'A test generates this page from the routes, and compares the routes with the calls in the official SDK for TypeScript (cloudflare ' +
      `${sdkVersion}). ` +
      'Faithful: every parameter, header, field and error code that is known for the route is tested, and no difference from the ' +
      'platform is known.',
    'Partial: the named parts are missing, or no test exercises them. Unlisted query parameters and unknown fields are noted in `sandbox requests`, and ' +
      'rejected with `--strict`.',
    '',
    'Permission: the permission that a token needs, in addition to access to the account or zone. `any`: every token may call the route; the answer contains only the resources that the token can access.',
    '',
    'Lists of databases (`d1/database`), `queues`, `pages/projects` and `workflows` are empty. Requests to all other paths get 404, with ' +
      'an error that names this document.',
    "The tests compare every answer of a sandbox with the SDK's type for its route, and with the provider's OpenAPI document: " +
      'names and types of fields, and whether a field may be missing or null. The differences [from the SDK](#differences-from-the-sdk) and ' +
      '[from the document](#differences-from-the-openapi-document) are at the end, each with its reason. ' +
      '`include_subdomains` of a zone hold is a string in answers, as in the SDK.',
    ...parts.flatMap((part, index) => ['', ...section(part, index)]),
    '',
    ...differencesSection(),
    '',
    ...documentSection(),
    '',
    ...matrixSection(),
    '',
  ].join('\n');
  if (process.env['UPDATE_README'] === '1') writeFileSync('docs/api.md', document);
  expect(readFileSync('docs/api.md', 'utf8'), 'regenerate with UPDATE_README=1 vitest run').toBe(document);
});

/** Lists the answers that differ from the SDK, and the answers that the SDK does not describe. */
function differencesSection(): string[] {
  const typed = sdkTypes().routes;
  const names = ours.map(({ method, pattern }) => `${method} ${pattern}`);
  const are = (kind: 'raw' | 'unknown' | 'none') => {
    const found = names.filter((name) => getKind(typed[name]?.body) === kind);
    return [String(found.length), found.map((name) => `\`${name}\``).join(', ')] as const;
  };
  const [raw, rawNames] = are('raw');
  const [open, openNames] = are('unknown');
  const [none, noneNames] = are('none');
  return [
    '## Differences from the SDK',
    '',
    `The SDK has a type for ${names.length - Number(none) - Number(raw)} of ${names.length} routes. This table lists all differences; ` +
      'any other difference fails the tests.',
    '',
    '| SDK type, or route | field | actual | reason |',
    '| --- | --- | --- | --- |',
    ...formatExplained(explainedDifferences),
    '',
    `Routes that return bytes or text, which are compared with what was written (${raw}): ${rawNames}.`,
    '',
    `Routes whose result the SDK does not describe (${open}): ${openNames}.`,
    '',
    `Routes without a call in the SDK (${none}): ${noneNames}.`,
  ];
}

function formatExplained(rows: readonly ExplainedDifference[]): string[] {
  return rows.map(({ of, fields, is, why }) => {
    const named = fields.map((field) => (field === '' ? 'itself' : `\`${field}\``)).join(', ');
    return `| \`${of}\` | ${named} | ${is.replace('*', '…')} | ${why} |`;
  });
}

/** Lists the answers that differ from the OpenAPI document. */
function documentSection(): string[] {
  const { routes: known, sources } = published();
  const answers = Object.values(known).map(({ answer }) => answer);
  const typed = answers.filter((answer) => answer !== null && answer !== 'raw');
  return [
    '## Differences from the OpenAPI document',
    '',
    `The provider's OpenAPI document declares the answers of ${typed.length} of ${answers.length} routes, in the parts of the document that npm ` +
      'packages contain. The document allows undeclared fields; all declared fields must be as documented. ' +
      '`CONTRACT_DOCUMENT=openapi.json npx vitest run test/sandbox` compares the answers with a newer document.',
    '',
    ...Object.entries(sources).map(([name, says]) => `- ${name}: ${says}.`),
    '',
    '| schema, or route | field | actual | reason |',
    '| --- | --- | --- | --- |',
    ...formatExplained(explainedByDocument),
  ];
}

function getKind(body: TypeSchema | 'raw' | undefined): 'raw' | 'unknown' | 'none' | 'typed' {
  if (body === undefined) return 'none';
  if (body === 'raw') return 'raw';
  const result = body.properties?.['result'];
  return result !== undefined && Object.keys(result).length === 0 ? 'unknown' : 'typed';
}

/** Returns the known parts of a route that no test exercises: names of parameters, headers and fields, and error codes. */
function untestedParts(route: string): string[] {
  const exercised = exercisedParts()[route] ?? [];
  return knownParts(route).filter((part) => !exercised.includes(part));
}

/** Formats the state of a route, which is faithful if it is tested completely and no difference is known. */
function formatState(differences: string | undefined, untested: readonly string[]): string {
  if (differences === undefined && untested.length === 0) return 'faithful';
  const named = untested.map(
    (part) => `\`${/^\d+$/.test(part) ? `error ${part}` : part.replace(/:$/, '')}\``,
  );
  const rest = untested.length === 0 ? [] : [`untested: ${named.join(', ')}`];
  return `partial: ${[...(differences === undefined ? [] : [differences]), ...rest].join('; ')}`;
}

test('the tests of the contract name only known routes', () => {
  for (const [route, parts] of Object.entries(exercisedParts())) {
    const known = knownParts(route);
    expect([route, parts.filter((part) => !known.includes(part))]).toEqual([route, []]);
  }
});

function section([title, start, sdk]: (typeof parts)[number], index: number): string[] {
  const calls = sdkCalls(...sdk);
  const rows = ours
    .filter(({ pattern }) => getPart(pattern) === index)
    .map(({ method, pattern }) => {
      const { query = [], differences, deprecated } = contract[`${method} ${pattern}`] ?? {};
      const state = formatState(differences, untestedParts(`${method} ${pattern}`));
      const old = deprecated === undefined ? '' : `; deprecated in favor of ${deprecated}`;
      const from = sdkTypes().routes[`${method} ${pattern}`]?.module;
      return [
        method,
        `\`${pattern}\``,
        state + old,
        query.join(', '),
        getPermission(method, pattern),
        from === undefined ? 'wrangler, API reference' : `SDK ${from}`,
      ];
    });
  const absent = [
    ...new Set(
      calls
        .filter(({ path }) => start.test(path) && getPart(path) === index)
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
