import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, runCommand } from '../../support/run-command.ts';

const idOf = (number: number) => String(number).padStart(32, '0');

/** Number of zones that the credentials can access. */
let count = 0;
let person = newPerson();

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://localhost');
  const all = Array.from({ length: count }, (_, at) => ({ id: idOf(at), name: `zone-${at}.com` }));
  const page = Number(url.searchParams.get('page'));
  const isZones = url.pathname.endsWith('/zones');
  response.statusCode = isZones ? 200 : 404;
  response.setHeader('content-type', 'application/json');
  const errors = isZones ? [] : [{ code: 7003, message: 'no route' }];
  const result = isZones ? all.slice((page - 1) * 50, page * 50) : null;
  const info = { result_info: { page, per_page: 50, total_pages: Math.ceil(count / 50) } };
  response.end(JSON.stringify({ success: isZones, errors, messages: [], result, ...info }));
});

beforeAll(async () => {
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const { port } = server.address() as AddressInfo;
  person = newPerson({
    EDGECTL_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    EDGECTL_API_TOKEN: 'token',
    EDGECTL_ACCOUNT_ID: 'a'.repeat(32),
  });
});
afterAll(() => void server.close());

async function listWith(zones: number) {
  count = zones;
  const { code, err } = await runCommand(person, ['hostname', 'list']);
  return { code, err, named: err.match(/zone-\d+\.com/g)?.length ?? 0 };
}

test('lists the zones and explains how to choose one instead of guessing', async () => {
  const { code, err, named } = await listWith(2);
  expect({ code, named }).toEqual({ code: 2, named: 2 });
  expect(err).toContain('The credentials can access 2 zones:');
  expect(err).toContain(`  ${idOf(1)}  zone-1.com\n`);
  expect(err).toContain('--zone NAME');
  expect(await listWith(120)).toMatchObject({
    named: 20,
    err: expect.stringContaining('can access 120 zones'),
  });
  expect(await listWith(300)).toMatchObject({
    named: 20,
    err: expect.stringContaining('more than 200 zones'),
  });
});

test('explains which permission the token needs if it can access no zone', async () => {
  const { code, err } = await listWith(0);
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining('check that the token has "Zone: Read"'),
  });
});
