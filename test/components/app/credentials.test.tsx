import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServices } from '../../../components/app/connection.ts';
import { openOutput } from '../../../src/cli/output/output.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import type { Screen } from '../../support/screen.ts';
import { testWorld } from '../../support/world.ts';
import { type OpenConsole, openConsole } from '../open-console.tsx';

const token = 'tOkEn-5f3b9c_0d1e2f.4a5-b6c7_d8e9f0a1b2c3d4';
const id = 'a'.repeat(32);
const record = {
  id,
  hostname: `${token}.example.com`,
  status: token,
  custom_metadata: { tenant: token },
  ssl: { status: 'pending_validation', method: 'txt', type: 'dv', certificate_authority: token },
};

const objects = [token, `in ${token}`].map((key) => ({
  key,
  size: 1,
  etag: 'e',
  last_modified: '2026-01-01T00:00:00Z',
}));

/**
 * Returns the result of a server that uses our token as the name of every item. Other requests get a not-found error that contains the
 * token.
 */
function createResult(path: string): unknown {
  if (path.endsWith('/keys')) return [{ name: token, metadata: { by: token } }, { name: `in ${token}` }];
  if (path.endsWith('/namespaces')) return [{ id: token, title: token }];
  if (path.endsWith('/buckets')) return { buckets: [{ name: 'pictures' }] };
  if (path.endsWith('/objects')) return objects;
  if (path.endsWith('/custom_hostnames')) return [record];
  if (path.endsWith(`/custom_hostnames/${id}`)) return record;
  if (path.endsWith('/fallback_origin')) return { origin: token, status: token };
  if (path.endsWith(`/zones/${id}`)) return { id, name: 'example.com', status: 'active' };
  return undefined;
}

const values: string[] = [];

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '', 'http://localhost');
  if (pathname.includes('/values/')) {
    values.push(`${request.method} ${decodeURIComponent(pathname.replace(/.*\/namespaces/, ''))}`);
    response.end(`value ${token}`);
    return;
  }
  // The bucket is not in a jurisdiction.
  const isOther = request.headers['cf-r2-jurisdiction'] !== undefined;
  const result = isOther ? { buckets: [] } : createResult(pathname);
  const errors = result === undefined ? [{ code: 10001, message: `not for ${token}` }] : [];
  response.writeHead(result === undefined ? 404 : 200, { 'content-type': 'application/json' });
  const page = pathname.endsWith('/keys') ? {} : { result_info: { page: 1, total_pages: 1 } };
  response.end(JSON.stringify({ success: result !== undefined, errors, result: result ?? null, ...page }));
}

const server = createServer((request, response) =>
  request.resume().once('end', () => answer(request, response)),
);
beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Opens the console on this server. The console must redact the token. */
async function openEchoed(columns: number): Promise<OpenConsole> {
  const { port } = server.address() as AddressInfo;
  const world = testWorld({
    env: {
      EDGECTL_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
      EDGECTL_API_TOKEN: token,
      EDGECTL_ACCOUNT_ID: id,
      EDGECTL_ZONE_ID: id,
    },
  });
  const { note, conceal, redacted } = openOutput(world, { json: false, quiet: false });
  const session = await openSession(world, plainChoice, { note, conceal });
  return openConsole({
    columns,
    rows: 40,
    services: createServices(session),
    label: { target: 'production', accountLabel: token },
    redact: redacted,
  });
}

/** Returns fragments of the token on the screen, including fragments that continue on the next line. */
function shownOn({ screen }: OpenConsole): string[] {
  const text =
    screen.lines().join('\n') +
    screen
      .lines()
      .map((line) => line.trim())
      .join('');
  const pieces = Array.from({ length: token.length - 7 }, (_, at) => token.slice(at, at + 8));
  return pieces.filter((piece) => text.includes(piece));
}

test.each([120, 44])(
  'redacts our token in each list, detail and question on %i columns, even if a server returns the token as a name',
  async (columns) => {
    const app = await openEchoed(columns);
    const closed = (screen: Screen) => !screen.text().includes('Delete');
    const steps: (readonly [presses: readonly string[], wanted: Parameters<OpenConsole['go']>[1]])[] = [
      [[], '1 namespace'],
      [['d'], 'Type the title of the namespace'],
      [['esc'], closed],
      [['enter'], (screen) => screen.text().includes('META') && screen.head().includes('2 keys')],
      [['d'], 'Delete the key [redacted]?'],
      [['esc'], closed],
      [['y'], 'Copied the name [redacted]'],
      [['esc'], 'TITLE'],
      [['3'], '.example'],
      [['enter'], 'pending_validation'],
      [['d'], 'Delete the custom hostname'],
      [['esc'], closed],
      [['esc'], 'STATE'],
      [['4'], 'not for'],
    ];
    for (const [presses, wanted] of steps) {
      await app.go(presses, wanted);
      expect({ presses, shown: shownOn(app), screen: app.screen.lines() }).toMatchObject({
        presses,
        shown: [],
      });
    }
  },
);

const isClosed = (screen: Screen) => !screen.text().includes('Delete 2');

test.each([
  ['keys', '1', '1 namespace', 'META'],
  ['objects', '2', '1 bucket', 'Buckets › pictures'],
])(
  'redacts our token in a question about several %s and in a filter before the text is truncated',
  async (...wanted) => {
    const [, area, one, opened] = wanted;
    const app = await openEchoed(120);
    await app.go([area], one);
    await app.go(['enter'], (screen) => screen.text().includes(opened) && screen.head().includes('2 '));
    const steps: (readonly [presses: readonly string[], wanted: Parameters<OpenConsole['go']>[1]])[] = [
      [['a'], '2 marked'],
      [['d'], 'Delete 2'],
      [['esc'], isClosed],
      [['/', ...token, 'enter'], 'filter: [red'],
      [['Y'], 'Copy as a shell command'],
    ];
    for (const [presses, shows] of steps) {
      await app.go(presses, shows);
      expect({ presses, shown: shownOn(app), screen: app.screen.lines() }).toMatchObject({
        presses,
        shown: [],
      });
    }
  },
);

test('does not redact values that are copied, sent or shown', async () => {
  const app = await openEchoed(80);
  await app.screen.waitFor('1 namespace');
  await app.go(['enter'], '2 keys');
  await app.go(['y'], 'Copied the name [redacted]');
  expect(app.screen.clipboards).toEqual([`c;${Buffer.from(token).toString('base64')}`]);
  await app.go(['enter'], `value ${token}`);
  expect(values.at(-1)).toBe(`GET /${token}/values/${token}`);
  await app.go(['tab', 'tab', 'tab'], 'expires   never');
  expect(shownOn(app)).toEqual([]);
});
