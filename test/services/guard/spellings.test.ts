import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, type Policies, type PolicyRule } from '../../../src/model/guard/policy.ts';
import { S3Refusal } from '../../../src/s3/refusal.ts';
import { decideS3 } from '../../../src/services/guard/s3-decision.ts';
import { findAmbiguity, readRequestFacts } from '../../../src/v4/request-facts.ts';
import { type DeclaredRoute, declaredRoutes } from '../../../src/v4/routes.ts';

const place = { target: 'production', client: 'test' };
const id = '0f2ac74b498b480219684c500dcbe05b';
const uuid = '0f2ac74b-498b-4802-1968-4c500dcbe05b';

/** Values of parameters that contain names. The values of other parameters are ids. */
const names: Readonly<Record<string, readonly string[]>> = {
  '*key': ['prod/x', 'a b', '100%', 'a*b', 'x;y', 'é', 'prod//x', id],
  ':bucket': ['prod-data', 'x1'],
  ':script': ['my-worker', 'Worker_1'],
  ':secret': ['API_KEY', 'key'],
  ':setting': ['ssl', 'min_tls_version'],
};

const writing = declaredRoutes.filter(
  ({ effect, path }) => effect !== 'read' && path.includes(':') && !path.startsWith('/sandbox'),
);

const isParameter = (part: string) => /^[:*]/.test(part);

/** Requests with the names of their resources, as the OpenAPI document formats their paths. */
const requests = fc.constantFrom(...writing).chain((route) => {
  const parts = route.path.split('/');
  const values = parts.map((part) =>
    isParameter(part) ? fc.constantFrom(...(names[part] ?? [id])) : fc.constant(part),
  );
  return fc.tuple(...values).map((filled) => ({
    route,
    filled,
    path: filled
      .map((value, index) => (isParameter(parts[index] ?? '') ? encodeURIComponent(value) : value))
      .join('/'),
  }));
});

const encodeAt = (path: string, at: number, isLower: boolean) => {
  const code = `%${path.charCodeAt(at).toString(16).padStart(2, '0')}`;
  return path.slice(0, at) + (isLower ? code : code.toUpperCase()) + path.slice(at + 1);
};

/** Spellings that some servers accept: RFC 3986 (section 6.2.2), the URL Standard (dots and backslashes), RFC 9562 (case of UUIDs). */
const spellings: readonly ((path: string, at: number, isLower: boolean) => string)[] = [
  encodeAt,
  (path, at) => path.slice(0, at) + path.slice(at, at + 1).toUpperCase() + path.slice(at + 1),
  (path, at) => path.slice(0, at) + path.slice(at).toUpperCase(),
  (path, at) => insertAfterSlash(path, at, '/'),
  (path, at) => insertAfterSlash(path, at, './'),
  (path, at) => insertAfterSlash(path, at, '%2e/'),
  (path, at) => insertAfterSlash(path, at, 'x/../'),
  (path, at) => `${path.slice(0, at)}${path.slice(at).replace('/', '\\')}`,
  (path, at) => `${path.slice(0, at)}${path.slice(at).replace('/', '%2F')}`,
  (path, at) => `${path.slice(0, at)}${path.slice(at).replace('/', ';v=1/')}`,
  (path) => path.replaceAll(id, id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')),
  (path) => path.replaceAll(id, id.replace(/^(.{5})/, '$1-')),
  (path, at) => `${path.slice(0, at)}${path.slice(at).replace(id, id.toUpperCase())}`,
  (path) => `${path}/`,
  (path) => `${path}?x=1`,
  (path) => `${path}#x`,
];

function insertAfterSlash(path: string, at: number, text: string): string {
  const slash = path.lastIndexOf('/', at) + 1;
  return path.slice(0, slash) + text + path.slice(slash);
}

const changes = fc.array(
  fc.tuple(fc.constantFrom(...spellings), fc.double({ min: 0, max: 0.999, noNaN: true }), fc.boolean()),
  { minLength: 1, maxLength: 4 },
);

function spell(path: string, all: readonly [(typeof spellings)[number], number, boolean][]): string {
  return all.reduce(
    (text, [change, position, isLower]) => change(text, Math.floor(position * text.length), isLower),
    path,
  );
}

/** Reads a path as the most lenient server would: ignores case and hyphens in route words and ids, and decodes names. */
function readLeniently({ path: pattern }: DeclaredRoute, path: string): string | undefined {
  const parts = pattern.split('/').slice(1);
  const open = parts.findIndex((part) => part.startsWith('*'));
  const { pathname } = new URL(`http://platform.example/${path.replace(/^\//, '')}`);
  const [, ...raw] = pathname.split('/');
  const head: string[] = [];
  const count = open === -1 ? Number.POSITIVE_INFINITY : open;
  while (raw.length > 0 && head.length < count) {
    const segment = raw.shift() ?? '';
    if (segment !== '') head.push(segment);
  }
  try {
    const read = head.map((segment, index) => {
      const text = decodeURIComponent(segment.split(';', 1)[0] ?? '');
      const part = parts[index] ?? '';
      return names[part] === undefined ? text.toLowerCase().replaceAll('-', '') : text;
    });
    return JSON.stringify([...read, decodeURIComponent(raw.join('/'))]);
  } catch {
    return undefined;
  }
}

/** Returns rules that deny a request by its path, or by a fact about the request. */
function listDenials({
  route,
  filled,
  path,
}: {
  route: DeclaredRoute;
  filled: readonly string[];
  path: string;
}) {
  const value = (part: string) => filled[route.path.split('/').indexOf(part)];
  const literal = path.replaceAll('*', '%2A');
  const rules: Omit<PolicyRule, 'name' | 'decision'>[] = [
    { route: [literal] },
    { route: [`${route.method} ${literal}`] },
    { route: [`${literal.slice(0, literal.lastIndexOf('/') + 1)}*`] },
    { route: [route.path] },
    { route: ['/accounts/*', '/zones/*', '/user/*'] },
    { effect: [route.effect] },
    { noun: [route.noun] },
  ];
  const facts = {
    account: ':account',
    zone: ':zone',
    namespace: ':namespace',
    bucket: ':bucket',
    worker: ':script',
  };
  for (const [fact, part] of Object.entries(facts)) {
    const found = value(part);
    if (found !== undefined) rules.push({ [fact]: [found] });
  }
  const key = value('*key');
  if (key !== undefined && !key.includes('*')) rules.push({ names: [key] });
  return rules.map((rule): PolicyRule => ({ name: JSON.stringify(rule), decision: 'deny', ...rule }));
}

function withRule(rule: PolicyRule): Policies {
  return { deciding: [{ source: 'user', rules: [rule, { name: 'all', decision: 'allow' }] }] };
}

test('a rule denies each spelling of a request that the guard accepts', () => {
  const accepted = { same: 0, refused: 0 };
  fc.assert(
    fc.property(requests, changes, (request, all) => {
      const { route, path } = request;
      const other = spell(path, all);
      if (readLeniently(route, other) !== readLeniently(route, path)) return;
      if (findAmbiguity(route.method, other, {}) !== undefined) {
        accepted.refused += 1;
        return;
      }
      accepted.same += 1;
      const facts = readRequestFacts({ method: route.method, path: other }, place);
      const passed = listDenials(request).filter((rule) => decide(withRule(rule), facts).decision !== 'deny');
      expect(passed.map(({ name }) => `${route.method} ${other} passes ${name}`)).toEqual([]);
    }),
    { numRuns: 15_000, seed: 1129 },
  );
  // The generated spellings must include both accepted and refused spellings.
  expect(accepted.same).toBeGreaterThan(200);
  expect(accepted.refused).toBeGreaterThan(200);
});

test.each([
  id,
  id.toUpperCase(),
  `%7B${uuid}%7D`,
  `urn:uuid:${uuid}`,
  `%20${uuid}`,
  `0x${id}`,
  uuid.toUpperCase(),
  id.replace(/^(.{5})/, '$1-'),
])('a rule about a path of an unknown route denies the id %s in each spelling', (other) => {
  for (const pattern of [`${uuid}*`, uuid, id, `${id}*`]) {
    const rule: PolicyRule = {
      name: pattern,
      decision: 'deny',
      route: [`DELETE /accounts/*/d1/database/${pattern}`],
    };
    const path = `/accounts/${id}/d1/database/${other}`;
    expect(findAmbiguity('DELETE', path, {})).toBeUndefined();
    const facts = readRequestFacts({ method: 'DELETE', path }, place);
    expect([pattern, decide(withRule(rule), facts).decision]).toEqual([pattern, 'deny']);
  }
});

test('a rule denies each spelling of the source of a copy', () => {
  const sources = fc.constantFrom('secret/a/b', 'secret/ä b', 'secret/100%', 'secret/a*b', 'secret/x?y');
  const rules: readonly PolicyRule[] = [
    { name: 'path', decision: 'deny', route: ['s3:/secret/*'] },
    { name: 'reads by path', decision: 'deny', route: ['GET s3:/secret/*'] },
    { name: 'bucket', decision: 'deny', bucket: ['secret'] },
    { name: 'operation', decision: 'deny', route: ['s3:GetObject'], bucket: ['secret'] },
  ];
  const answered = { denied: 0, refused: 0 };
  fc.assert(
    fc.property(sources, changes, fc.boolean(), (source, all, hasSlash) => {
      const plain = source.split('/').map(encodeURIComponent).join('/');
      const header = (hasSlash ? '/' : '') + spell(plain, all);
      // The platform decodes the header; its query contains only a version.
      const [path = ''] = header.split('?');
      if (decodeOrNothing(path)?.replace(/^\//, '') !== source) return;
      const asked = {
        method: 'PUT',
        path: '/public/k',
        headers: { 'x-amz-copy-source': header },
        jurisdiction: undefined,
        body: undefined,
      };
      for (const rule of rules)
        try {
          expect([rule.name, header, decideS3(withRule(rule), asked, place).decided.decision]).toEqual([
            rule.name,
            header,
            'deny',
          ]);
          answered.denied += 1;
        } catch (error) {
          if (!(error instanceof S3Refusal)) throw error;
          answered.refused += 1;
        }
    }),
    { numRuns: 3000, seed: 1129 },
  );
  expect(answered.denied).toBeGreaterThan(500);
});

function decodeOrNothing(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
