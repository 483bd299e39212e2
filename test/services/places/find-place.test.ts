import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseLink } from '../../../src/model/places/link.ts';
import { createNamespace } from '../../../src/services/kv/namespaces.ts';
import { findPlace } from '../../../src/services/places/find-place.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { demoFolders } from '../../support/demo.ts';
import { testWorld } from '../../support/world.ts';

const choice = { ...plainChoice, profile: 'sandbox' };
let session: Session;

beforeAll(async () => {
  const now = Date.UTC(2026, 10, 21, 10);
  const world = testWorld({ now: () => now, folders: await demoFolders(now) });
  session = await openSession(world, choice, { note: () => undefined });
  return () => session.close();
});

const find = (link: string) => findPlace(session, parseLink(link));

test.each([
  ['kv/shop-CATALOGUE/index.json', { kind: 'key', entry: { name: 'index.json' } }],
  ['kv/shop-CATALOGUE/index', { kind: 'keys', prefix: 'index' }],
  ['kv/shop-CATALOGUE/index.json*', { kind: 'keys', prefix: 'index.json' }],
  ['objects/shop-assets/img/', { kind: 'objects', bucket: { name: 'shop-assets' }, folder: 'img/' }],
  ['hostnames/menu.sushi-garden.demo', { kind: 'hostname', row: { record: { status: 'moved' } } }],
  ['home', { kind: 'home' }],
])('finds the target of %s', async (link, place) => {
  expect(await find(link)).toMatchObject(place);
});

test('finds a namespace by its id, and refuses an ambiguous title', async () => {
  const { id } = await createNamespace(session, 'twice');
  expect(await find(`kv/${id}`)).toMatchObject({ namespace: { title: 'twice' } });
  expect(await find('kv/twice')).toMatchObject({ namespace: { id } });
  const entry = `[[kv_namespaces]]\nbinding = "twice"\nid = "${await readId('shop-SESSIONS')}"\n`;
  writeFileSync(join(session.world.cwd, 'edgectl.toml'), `name = "shop"\n${entry}`);
  const bound = await openSession(session.world, choice, { note: () => undefined });
  await expect(findPlace(bound, parseLink('kv/twice'))).rejects.toMatchObject({
    code: 'invalid-input',
    message: '"twice" matches 2 namespaces.',
  });
  await bound.close();
});

async function readId(title: string): Promise<string> {
  const place = await find(`kv/${title}`);
  return place.kind === 'keys' ? place.namespace.id : '';
}

test.each([
  ['kv/NO_SUCH', 'Namespace "NO_SUCH" not found.', 'shop-CATALOGUE, shop-FEATURE_FLAGS'],
  ['objects/nowhere', 'Bucket "nowhere" not found.', 'shop-assets, shop-reports'],
  ['objects/shop-assets/none', 'Object "none" not found', 'Folder names end with a slash.'],
  ['workers/nobody', 'Worker "nobody" not found.', 'Existing names: '],
])('refuses the location %s, and lists existing names', async (link, message, hint) => {
  await expect(find(link)).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
  });
});
