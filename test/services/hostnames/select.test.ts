import { expect, test } from 'vitest';
import { selectHostnames } from '../../../src/services/hostnames/fleet/select.ts';
import { result, stubPlatform } from './platform.ts';

const zone = 'z'.repeat(32);
const silent = { progress: () => undefined, warn: () => undefined };

function record(name: string, status: string, certificate: string) {
  return { id: `id-${name}`, hostname: `${name}.acme.com`, status, ssl: { status: certificate } };
}

const all = [
  record('a', 'moved', 'active'),
  record('b', 'active', 'active'),
  record('c', 'active', 'expired'),
];

function names(filter: object) {
  const { session } = stubPlatform(({ path }) =>
    path.endsWith('/custom_hostnames')
      ? result(all, { page: 1, per_page: 50, count: 3, total_pages: 1, total_count: 3 })
      : undefined,
  );
  return selectHostnames(session, zone, { by: 'filter', filter }, silent).then(({ hostnames }) =>
    hostnames.map(({ record: { hostname } }) => hostname),
  );
}

test('a platform that passes over a filter by status has nothing else chosen for it', async () => {
  expect(await names({ status: 'moved' })).toEqual(['a.acme.com']);
  expect(await names({ certificateStatus: 'expired' })).toEqual(['c.acme.com']);
});

test('a hostname that the list shows on two pages is chosen once', async () => {
  const pages = [[...all.slice(0, 2)], [...all.slice(1)]];
  const { session } = stubPlatform(({ path, query }) => {
    if (!path.endsWith('/custom_hostnames')) return undefined;
    const page = Number(query.get('page'));
    return result(pages[page - 1] ?? [], { page, per_page: 2, count: 2, total_pages: 2, total_count: 4 });
  });
  const chosen = await selectHostnames(session, zone, { by: 'filter', filter: {} }, silent);
  expect(chosen.hostnames.map(({ record: { id } }) => id)).toEqual(['id-a', 'id-b', 'id-c']);
});
