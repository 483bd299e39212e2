import fc from 'fast-check';
import { expect, test } from 'vitest';
import { routes } from '../../../src/sandbox/http/app.ts';
import type { Route } from '../../../src/sandbox/http/exchange.ts';
import { createRouter } from '../../../src/sandbox/http/router.ts';
import { ok } from '../../../src/v4/envelope.ts';
import { buildPath } from '../../../src/v4/path.ts';
import { type DeclaredRoute, declaredRoutes, findRoute } from '../../../src/v4/routes.ts';
import type { Method } from '../../../src/v4/send.ts';

const line = (method: Method, pattern: string): Route => ({ method, pattern, handle: () => ok(null) });
const lines = [
  line('GET', '/a/:one/values/*key'),
  line('PUT', '/a/:one/values/*key'),
  line('GET', '/a/:one/keys'),
  line('GET', '/a/:one'),
  line('DELETE', '/a/:one'),
];
const declarations = lines.map(({ method, pattern: path }): DeclaredRoute => {
  return { method, path, effect: 'read', permission: 'any token', noun: 'account' };
});
const find = createRouter(lines, declarations);

test('a route without a declaration prevents the router from starting', () => {
  expect(() => createRouter(lines, declarations.slice(1))).toThrow('GET /a/:one/values/*key is not declared');
});

test('every declared route exists in the sandbox', () => {
  const named = routes.map(({ method, pattern }) => `${method} ${pattern}`);
  expect(declaredRoutes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(named.sort());
});

test('a call has the declaration of its route', () => {
  const router = createRouter(routes, declaredRoutes);
  for (const declared of declaredRoutes) {
    const path = declared.path.replaceAll(/[:*]\w+/g, 'x').replace('/*', '/x/y');
    expect(findRoute({ method: declared.method, path: `${path}?a=/b` })).toBe(
      router(path)[declared.method]?.declared,
    );
  }
});

test('decodes the segments of an encoded path', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== '.' && text !== '..');
  fc.assert(
    fc.property(name, name, (one, key) => {
      expect(find(buildPath(['a', one, 'values', key])).GET?.params).toEqual({ one, key });
    }),
  );
});

test('the rest of a path is one parameter, with its slashes', () => {
  expect(find('/a/x/values/b/c//d/').GET?.params).toEqual({ one: 'x', key: 'b/c//d/' });
  expect(find('/a/x/values/').GET?.params).toEqual({ one: 'x', key: '' });
  expect(find('/a/x/values').GET).toBeUndefined();
});

test('one path can have a route for each method', () => {
  expect(Object.keys(find('/a/x'))).toEqual(['GET', 'DELETE']);
  expect(find('/a/x/')).toEqual({});
  expect(find('/a//keys')).toEqual({});
  expect(find('/A/x')).toEqual({});
});

test.each(['/a/../keys', '/a/%2E%2e', '/a/./keys', '/a/%', '/a/%c3%28'])(
  'the path %s is rejected',
  (path) => {
    expect(() => find(path)).toThrow(expect.objectContaining({ status: 400 }));
  },
);
