import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findChosenZone } from '../../../src/services/zones/choice.ts';
import { deleteZoneRecord } from '../../../src/services/zones/records.ts';
import { listZoneRecords, writeZoneRecord } from '../../../src/services/zones/zones.ts';
import { readBody, type Send } from '../../../src/v4/send.ts';
import { demoFolders } from '../../support/demo.ts';
import type { TestWorld } from '../../support/world.ts';
import { testNow } from '../open-console.tsx';
import { type OpenDemo, openDemo } from '../open-platform.tsx';

let folders: TestWorld['folders'];

beforeAll(async () => {
  folders = await demoFolders(testNow);
});

/** Opens the DNS records of the demo's zone from the list of hostnames. */
async function openRecords(options: Parameters<typeof openDemo>[0] = {}): Promise<OpenDemo> {
  const app = await openDemo({ folders, columns: 96, rows: 30, ...options });
  await app.go(['3'], (screen) => /\d\d hostnames/.test(screen.text()));
  await app.go(['Q'], (screen) => /DNS records.*saas\.sandbox · (\d+ DNS record|filter)/.test(screen.text()));
  return app;
}

async function readZone({ session }: OpenDemo) {
  const found = await findChosenZone(session);
  if (!('zone' in found)) throw new Error('the demo has one zone');
  return found.zone;
}

test('lists, adds, finds, changes, deletes and restores DNS records of a zone', async () => {
  const app = await openRecords();
  await app.go(['n'], 'New DNS record in saas.sandbox');
  await app.go([...'www', 'tab', 'tab', ...'192.0.2.900', 'enter'], 'expected an IPv4 address');
  await app.go(['ctrl+u', ...'192.0.2.9', 'enter'], 'Added www.saas.sandbox A.');
  expect(app.screen.selected()).toMatch(/www\.saas\.sandbox +A +192\.0\.2\.9 +DNS only +auto/);
  await app.go(['e'], 'Change www.saas.sandbox A');
  await app.go(['enter'], 'Nothing was changed.');
  await app.go(
    ['shift+tab', 'ctrl+u', ...'10', 'enter'],
    'TTL must be 1 (automatic), or from 30 to 86400 seconds',
  );
  await app.go(['ctrl+u', ...'5m', 'enter'], 'Changed www.saas.sandbox A. Press U to restore it.');
  await app.go(['X'], 'send its visitors through the edge?');
  await app.go(['y'], (screen) => /www\.saas\.sandbox +A +192\.0\.2\.9 +proxied +300/.test(screen.text()));
  await app.go(['/', ...'2.9', 'enter'], '1 of');
  await app.go(['d'], 'Delete the DNS record www.saas.sandbox A?');
  await app.go(['y'], 'Deleted www.saas.sandbox A. Press U to restore it.');
  await app.go(['U'], 'Restore the A record of www.saas.sandbox?');
  await app.go(['y'], (screen) => /www\.saas\.sandbox +A +192\.0\.2\.9 +/.test(screen.text()));
  await app.go(['esc'], (screen) => !screen.text().includes('filter: '));
  const zone = await readZone(app);
  // The clock is fixed, so any of the three changes can be the newest.
  expect(await listZoneRecords(app.session, zone.id, { name: 'www.saas.sandbox' })).toMatchObject([
    { type: 'A', content: '192.0.2.9' },
  ]);
});

test('asks before it changes a record that someone else has changed since it was read', async () => {
  const app = await openRecords();
  await app.go(
    ['n', ...'meanwhile', 'tab', ...'t', 'tab', ...'one', 'enter'],
    'Added meanwhile.saas.sandbox TXT.',
  );
  await app.go(['e'], 'Change meanwhile.saas.sandbox TXT');
  const zone = await readZone(app);
  const [there] = await listZoneRecords(app.session, zone.id, { name: 'meanwhile.saas.sandbox' });
  if (there === undefined) throw new Error('the record was added');
  await writeZoneRecord(app.session, zone.id, { ...there, content: 'theirs' });
  await app.go(['ctrl+u', ...'mine', 'enter'], 'has changed since you opened it');
  expect(app.screen.text()).toMatch(/Now: +"?theirs/);
  await app.go(['y'], 'Changed meanwhile.saas.sandbox TXT.');
  const [now] = await listZoneRecords(app.session, zone.id, { name: 'meanwhile.saas.sandbox' });
  expect(now?.content).toContain('mine');
});

test('filters by type, duplicates a record, exports to a file, and shows equivalent commands', async () => {
  const app = await openRecords();
  await app.go(['n', ...'like', 'tab', ...'t', 'tab', ...'a text', 'enter'], 'Added like.saas.sandbox TXT.');
  await app.go(['X'], 'A TXT record cannot be proxied: only A, AAAA and CNAME can.');
  await app.go(['c'], 'New DNS record in saas.sandbox');
  await app.go(['ctrl+u', ...'other', 'enter'], 'Added other.saas.sandbox TXT.');
  await app.go(['s'], ' DNS only');
  await app.go(['down', 'down', 'enter'], '· only ');
  await app.go(['esc'], (screen) => !screen.text().includes('· only '));
  const path = join(folders.data, 'zone.json');
  await app.go(['w', 'ctrl+u', ...path, 'enter'], 'DNS records from saas.sandbox to');
  await app.go(['w', 'ctrl+u', ...path, 'enter'], 'already exists. Replace');
  await app.go(['n'], '> File');
  await app.go(['esc'], (screen) => !screen.text().includes('> File'));
  const written: unknown = JSON.parse(readFileSync(path, 'utf8'));
  expect(written).toContainEqual(expect.objectContaining({ name: 'other.saas.sandbox', content: 'a text' }));
  await app.go(['Y'], 'zone record delete --zone-id');
  await app.go(['esc'], 'CONTENT');
  await app.go(['@'], 'hostnames/records');
});

test('opens a record by its link, shows the complete record next to the list, and changes nothing in a read-only session', async () => {
  const app = await openRecords({ columns: 150, label: { readOnly: true } });
  expect(app.screen.text()).toContain('As in a zone file');
  await app.go(['d'], 'This session is read-only');
  await app.go(['esc'], 'HOSTNAME');
  await app.go(['[', ']', '['], 'As in a zone file');
  await app.go(['0', ':', ...'hostnames/records', 'enter'], 'As in a zone file');
});

test('lists and exports the valid records, and reports a malformed record', async () => {
  const broken =
    (send: Send): Send =>
    async (call) => {
      const answer = await send(call);
      if (call.method !== 'GET' || !/\/dns_records\?/.test(call.path)) return answer;
      const { result, ...rest } = JSON.parse(Buffer.from(await readBody(answer.body)).toString());
      const [first, ...others] = result;
      // According to the specification, a record has an id, a type and a name.
      const body = JSON.stringify({ ...rest, result: [{ ...first, type: 7 }, ...others] });
      return { ...answer, body: Buffer.from(body) };
    };
  const app = await openRecords({ through: broken });
  const message = "Skipped 1 malformed DNS record in the platform's response.";
  await app.screen.waitFor(message);
  const count = Number(/saas\.sandbox · (\d+) DNS record/.exec(app.screen.text())?.[1]);
  const zone = await readZone(app);
  expect(await listZoneRecords(app.session, zone.id, {})).toHaveLength(count + 1);
  const path = join(folders.data, 'valid.json');
  await app.go(['w', 'ctrl+u', ...path, 'enter'], `Wrote ${count} DNS records from saas.sandbox`);
  expect(app.screen.text()).toContain('Skipped 1 malformed');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(count);
});

test('asks for the number of marked records before it deletes them, and treats a single marked record like the selected one', async () => {
  const app = await openRecords();
  for (const name of ['one', 'two', 'three'])
    await app.go(['n', ...name, 'tab', 'tab', ...'192.0.2.77', 'enter'], `Added ${name}.saas.sandbox A.`);
  const zone = await readZone(app);
  const before = (await listZoneRecords(app.session, zone.id, {})).length;
  await app.go(['/', ...'192.0.2.77', 'enter'], '3 of');
  await app.go(['a'], '3 marked');
  await app.go(['d'], `Delete 3 DNS records from ${zone.name}`);
  expect(app.screen.text()).toContain('Changes to several records are not saved for undo.');
  await app.go([...'2', 'enter'], 'Wrong number: type 3.');
  await app.go(['esc'], 'A unmark all');
  await app.go(['g', 'space'], '2 marked');
  // The result is the same if someone else has already deleted the record.
  const [first] = await listZoneRecords(app.session, zone.id, { name: `three.${zone.name}` });
  await deleteZoneRecord(app.session, zone.id, first?.id ?? '');
  await app.go(['d'], `Delete 2 DNS records from ${zone.name}`);
  await app.go([...'2', 'enter'], 'Deleted 2 DNS records.');
  expect(app.screen.text()).not.toContain('marked');
  expect(await listZoneRecords(app.session, zone.id, {})).toHaveLength(before - 2);
  await app.go(['space'], '1 marked');
  await app.go(['d'], `Delete the DNS record one.${zone.name} A?`);
});

test('shows how many hostnames use an origin, and asks before any change of the origin', async () => {
  const app = await openRecords();
  const served = /In use as the origin of 24 custom hostnames\./;
  const asks = (question: string) => (screen: { text(): string }) =>
    screen.text().includes(question) && served.test(screen.text().replaceAll(/[│\s]+/g, ' '));
  const zone = await readZone(app);
  const origin = async () => listZoneRecords(app.session, zone.id, { name: 'origin.saas.sandbox' });
  const before = await origin();
  await app.go(['/', 'ctrl+u', ...'origin.saas', 'enter'], '1 of');
  await app.go(['e', 'ctrl+u', ...'192.0.2.9', 'enter'], asks('Change origin.saas.sandbox A?'));
  await app.go(['n'], '> Content');
  await app.go(['esc'], (screen) => !screen.text().includes('> Content'));
  await app.go(['X'], asks('no longer'));
  // According to the provider's documentation, the fallback origin is a proxied record.
  expect(app.screen.text().replaceAll(/[│\s]+/g, ' ')).toContain(
    'If the record is DNS only, requests for these hostnames do not reach',
  );
  await app.go(['n'], (screen) => !screen.text().includes('no longer'));
  await app.go(['d'], asks('Delete the DNS record origin.saas.sandbox A?'));
  await app.go(['n'], (screen) => !screen.text().includes('Delete the DNS record'));
  await app.go(
    ['n', ...'origin', 'tab', 'tab', ...'192.0.2.9', 'enter'],
    asks('Add another A record to origin?'),
  );
  expect(await origin()).toEqual(before);
  await app.go(['y'], 'Added origin.saas.sandbox A.');
  expect(await origin()).toHaveLength(2);
  await app.go(['/', 'ctrl+u', ...'saas', 'enter'], (screen) => /[3-9] of|\d+ DNS/.test(screen.text()));
  await app.go(['a'], ' marked');
  await app.go(['d'], (screen) => /These records are the origin of \d+ custom hostnames/.test(screen.text()));
});
