import { beforeAll, expect, test } from 'vitest';
import type { OpenPane } from '../../../components/kit/open-pane.ts';
import { toPanes, toPlaceLink } from '../../../components/places/place-link.ts';
import { formatLink, parseLink } from '../../../src/model/places/link.ts';
import { findPlace } from '../../../src/services/places/find-place.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { demoFolders } from '../../support/demo.ts';
import { testWorld } from '../../support/world.ts';

/** A link for each pane in the demo, or the reason why the pane has none. */
const links: Readonly<Record<OpenPane['pane'], string | { readonly none: string }>> = {
  home: 'home',
  namespaces: 'kv',
  keys: 'kv/shop-SESSIONS/session:*',
  value: 'kv/shop-CATALOGUE/index.json',
  comparison: 'diff/shop-CATALOGUE/@local/index.json',
  differences: 'diff/shop-CATALOGUE/shop-SESSIONS',
  sync: { none: 'It waits for a decision about a folder that may have changed by then.' },
  import: { none: 'It asks about a file that may have changed by then.' },
  buckets: 'objects',
  objects: 'objects/shop-assets/img/',
  preview: 'objects/shop-assets/index.html',
  workers: 'workers',
  worker: 'workers/shop-edge',
  logs: 'workers/shop-edge/logs',
  tasks: 'tasks',
  task: 'tasks/t1',
  messages: { none: 'It shows the messages of this console, and closes with it.' },
  doctor: 'doctor',
  undo: 'undo',
  held: 'held',
  audit: 'audit',
  'audit-record': { none: 'The log deletes its oldest records.' },
  'held-request': { none: 'It shows a request that a guard holds for minutes.' },
  settings: 'settings',
  hostnames: 'hostnames',
  hostname: 'hostnames/menu.sushi-garden.demo',
  diagnoses: { none: 'It shows the result of a task, which has its own link.' },
  forecast: 'hostnames/forecast',
  records: 'hostnames/records',
  plan: { none: 'It shows the result of a task, which has its own link.' },
  instructions: 'hostnames/menu.sushi-garden.demo/instructions',
  diagnosis: 'hostnames/menu.sushi-garden.demo/diagnosis',
};

let session: Session;

beforeAll(async () => {
  const now = Date.UTC(2026, 10, 21, 10);
  const world = testWorld({ now: () => now, folders: await demoFolders(now) });
  session = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  return () => session.close();
});

const led = async (link: string) => toPanes(await findPlace(session, parseLink(link))).at(-1);

function toLinkText(opened: OpenPane | undefined): string | undefined {
  const link = opened && toPlaceLink(opened);
  return link && formatLink(link);
}

test.each(Object.entries(links))(
  'opens the pane %s by its link, or the pane has no link: %j',
  async (pane, link) => {
    if (typeof link !== 'string') return expect(link.none).toMatch(/\.$/);
    const opened = await led(link);
    expect(opened?.pane).toBe(pane);
    expect(toLinkText(opened)).toBe(link);
  },
);

test('returns the link of the task for task results, and no link for questions', () => {
  const zone = { id: 'z', name: 'saas.test' };
  const namespace = { id: 'a', title: 'a' };
  expect(toLinkText({ pane: 'diagnoses', zone, id: 't1' })).toBe('tasks/t1');
  expect(toLinkText({ pane: 'plan', zone, id: 't1', path: '/x', prune: false })).toBe('tasks/t1');
  expect(toLinkText({ pane: 'import', namespace, path: '/x' })).toBeUndefined();
  expect(toLinkText({ pane: 'comparison', namespace, key: 'k' })).toBeUndefined();
  expect(toLinkText({ pane: 'messages' })).toBeUndefined();
});

test.each([
  ['diff/shop-CATALOGUE/shop-CATALOGUE', 'The namespace shop-CATALOGUE cannot be compared with itself.'],
  ['diff/shop-CATALOGUE/@production', 'The namespace shop-CATALOGUE cannot be compared with itself.'],
  ['diff/shop-CATALOGUE/NO_SUCH', 'Namespace "NO_SUCH" not found.'],
  ['diff/shop-CATALOGUE/NO_SUCH@production', 'Namespace "NO_SUCH" not found.'],
])('rejects the link %s: %s', async (link, message) => {
  await expect(led(link)).rejects.toMatchObject({ message });
});
