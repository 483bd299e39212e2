import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, runCommand } from '../../support/run-command.ts';

const evil = 'x\u001b]0;owned\u0007\u001b[2J\r\n\u202eTXT\u0000$(rm -rf ~)`id`\'"\\';
const zoneId = 'f'.repeat(32);
const record = {
  id: '0d89c70d-ad9f-4843-b99f-6cc0252067e9',
  hostname: `shop.acme.com${evil}`,
  status: `moved${evil}`,
  verification_errors: [`held zone (${evil})`, evil],
  ownership_verification: { type: 'txt', name: `_cf-custom-hostname.${evil}`, value: evil },
  custom_metadata: { [evil]: evil },
  created_at: evil,
  ssl: {
    status: evil,
    method: 'txt',
    certificate_authority: evil,
    issuer: evil,
    hosts: [evil],
    validation_errors: [{ message: `caa_error ${evil}` }],
    validation_records: [
      { txt_name: evil, txt_value: evil, http_url: evil, http_body: evil, emails: [evil] },
    ],
    dcv_delegation_records: [{ cname: evil, cname_target: evil }],
  },
};

let server: Server;
const asked: string[] = [];
let person = newPerson();

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success: true, errors: [], messages: [], result: resultFor(path) }));
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const { port } = server.address() as AddressInfo;
  person = newPerson({
    EDGECTL_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    EDGECTL_API_TOKEN: 'token',
    EDGECTL_ZONE_ID: zoneId,
  });
});
afterAll(() => {
  server.close();
});

function resultFor(path: string): unknown {
  if (path.includes('/sandbox/info')) return { kind: evil, dns: evil, edgeUrl: evil, now: evil };
  if (path.includes('fallback_origin')) return { origin: evil, status: evil, errors: [evil] };
  if (path.includes('quota')) return { allocated: 1, used: 1 };
  if (path.includes('custom_hostnames?')) return /[?&]page=[2-9]/.test(path) ? [] : [record];
  if (path.includes('custom_hostnames')) return record;
  if (path.endsWith(zoneId)) return { id: zoneId, name: `saas.com${evil}`, status: evil };
  return [];
}

/** Characters that must not reach a terminal: control characters except line feed, and direction marks. */
const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

test.each([
  ['hostname', 'list'],
  ['hostname', 'list', '--json'],
  ['hostname', 'get', record.id],
  ['hostname', 'get', record.id, '--json'],
  ['hostname', 'refresh', record.id],
  ['hostname', 'edit', record.id, '--ca', 'google'],
  ['hostname', 'delete', record.id, '--yes'],
  ['hostname', 'delete', record.id],
  ['hostname', 'watch', record.id, '--timeout', '0s'],
  ['hostname', 'create', 'shop.acme.com'],
  ['hostname', 'fallback-origin', 'get'],
  ['hostname', 'diagnose', 'shop.acme.com', '--resolver', '127.0.0.1:9', '--no-probe'],
  ['hostname', 'diagnose', '--all', '--resolver', '127.0.0.1:9', '--verbose'],
  ['hostname', 'diagnose', '--all', '--resolver', '127.0.0.1:9', '--json'],
])('%s %s %s prints nothing unsafe to a terminal', async (...argv) => {
  const ran = await runCommand(person, argv, { terminal: true });
  // Longer operations show a progress line, and clear it.
  expect((ran.out + ran.err).replaceAll('\r\u001b[2K', '')).not.toMatch(unsafe);
  expect(ran.err).not.toContain('This is a bug in edgectl');
  expect(asked.filter((path) => path.includes(zoneId)).length).toBeGreaterThan(0);
  expect(asked.every((path) => path.startsWith('/client/v4/'))).toBe(true);
});
