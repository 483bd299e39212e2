import { expect, test } from 'vitest';
import { resolveTheme } from '../../../components/kit/theme.ts';
import { urgencyKey } from '../../../src/model/hostnames/attention.ts';
import { type CustomHostname, hostnameLimits } from '../../../src/model/hostnames/hostname.ts';
import { Problem } from '../../../src/model/problem.ts';
import { hostname, type MemoryHostnames, memoryHostnames, saas } from '../memory-hostnames.ts';
import { type ConsoleOptions, type OpenConsole, openConsole, testNow } from '../open-console.tsx';
import { openDemo } from '../open-platform.tsx';

const moved = hostname('menu.sushi.com', 'moved');
const pending = hostname(
  'shop.acme.com',
  'pending',
  {
    ownership_verification: { type: 'txt', name: '_cf-custom-hostname.shop.acme.com', value: 'token-1' },
    verification_errors: ['custom hostname does not CNAME to this zone.'],
  },
  { validation_records: [{ txt_name: '_acme-challenge.shop.acme.com', txt_value: 'dcv-1' }] },
);

function demo(): CustomHostname[] {
  return [hostname('docs.lantern.com'), moved, pending];
}

interface Opened extends OpenConsole {
  readonly hostnames: MemoryHostnames;
}

async function openHostnames(
  options: ConsoleOptions & { records?: CustomHostname[]; prepare?(hostnames: MemoryHostnames): void } = {},
): Promise<Opened> {
  const hostnames = memoryHostnames(options.records ?? demo(), testNow);
  options.prepare?.(hostnames);
  const app = openConsole({ ...options, services: { hostnames: hostnames.service } });
  await app.screen.waitFor('Namespaces');
  await app.go(['3'], options.prepare === undefined ? 'STATE' : 'Hostnames');
  return { ...app, hostnames };
}

/** Selects a hostname in the list. */
async function select(app: Opened, name: string): Promise<void> {
  const gravity = (record: CustomHostname) => urgencyKey({ record, movedSeenAt: testNow });
  const sorted = app.hostnames.records.toSorted((one, other) => (gravity(one) < gravity(other) ? -1 : 1));
  const at = sorted.findIndex((record) => record.hostname === name);
  const downs = Array.from({ length: at }, () => 'down');
  await app.go(['g', ...downs], (screen) => screen.selected()?.includes(name) ?? false);
}

test.each([
  ['dark', 40, 12],
  ['light', 60, 15],
  ['high-contrast', 80, 24],
  ['mono', 99, 30],
] as const)(
  'draws the selected row as a bar up to the right edge, with the color of its severity: %s, %ix%i',
  async (theme, columns, rows) => {
    const { screen } = await openHostnames({ columns, rows, settings: { theme } });
    await screen.waitFor((drawn) => drawn.selected()?.startsWith('menu.sushi.com') ?? false);
    const row = screen.lines().findIndex((line) => line.startsWith('menu.sushi.com'));
    const bar = screen.stretches(row);
    expect(bar.reduce((sum, { columns }) => sum + columns, 0)).toBe(columns);
    expect(bar.filter(({ style }) => !style.includes('inverse'))).toEqual([]);
    const { color } = { ...resolveTheme(theme, { isLight: false }).fault };
    const marked = bar.filter(({ style }) => style !== bar[0]?.style).map(({ text }) => text);
    expect(marked).toContain(columns < 60 ? 'deletion within 5d' : 'critical');
    const styles = new Set(bar.map(({ style }) => style.includes('fore-')));
    expect(styles.has(true)).toBe(color !== undefined);
  },
);

test('lists hostnames that need action first, with severity, days left and who must act, below the facts of the zone', async () => {
  const app = await openHostnames({ columns: 96 });
  await app.screen.waitFor('3 hostnames');
  expect(app.screen.head()).toMatch(/3 Hostnames {2}5 Tasks │ 3 hostnames/);
  expect(app.screen.lines()[3]).toBe(
    'saas.com  quota 3/100  issued 0/15 this minute  fallback origin.saas.com',
  );
  const rows = app.screen.lines().filter((line) => /^[a-z]+\.(?:lantern|sushi|acme)/.test(line));
  expect(rows.map((row) => row.trimEnd().replace(/ {2,}/g, ' | '))).toEqual([
    'menu.sushi.com | critical | you/customer | deletion within 5d',
    'shop.acme.com | error | customer? | no DNS record',
    'docs.lantern.com | ok | active',
  ]);
});

test('asks which zone to use if several exist, and remembers the answer; z changes the zone', async () => {
  const other = { id: 'y', name: 'other\u001b[31m.com' };
  const app = await openHostnames({
    prepare(hostnames) {
      hostnames.zones = { zones: [saas, other], more: false };
    },
  });
  await app.screen.waitFor('other␛[31m.com');
  await app.go(['down', 'enter'], 'other␛[31m.com  quota');
  expect(app.hostnames.calls).toContain('list y contains= from=0');
  await app.go(['1'], '0 namespaces');
  await app.go(['3'], 'other␛[31m.com  quota');
  await app.go(['z'], '> saas.com');
  await app.go(['enter'], (screen) => /^saas\.com {2}quota/m.test(screen.text()));
});

test('reports that no zone was found, and can retry', async () => {
  const app = await openHostnames({
    prepare: (hostnames) =>
      hostnames.failNext('findZone', new Problem('usage', 'The credentials cannot access any zone.')),
  });
  await app.screen.waitFor('The credentials cannot access any zone.');
  await app.go(['r'], 'saas.com  quota');
});

test('filters loaded rows while the user types; a separate key filters on the platform, and Esc clears the filter', async () => {
  const app = await openHostnames();
  await app.go(['/', ...'shop'], '1 of 3 loaded');
  await app.go(['esc'], '3 hostnames');
  await app.go(['/', ...'SHOP'], 'No hostname matches the filter.');
  await app.go(['esc'], '3 hostnames');
  await app.go(['p', ...'shop', 'enter'], 'contains shop on the server · 1 hostname');
  expect(app.hostnames.calls).toContain(`list ${saas.id} contains=shop from=0`);
  await app.go(['esc'], '│ 3 hostnames');
});

test('shows one kind of fault in addition to the filter, and saves this choice for the profile; Esc clears it', async () => {
  const app = await openHostnames();
  await app.go(['s'], '> all');
  await app.go(['down', 'down', 'enter'], 'only moved · 1 of 3 loaded');
  expect(app.screen.selected()).toContain('menu.sushi.com');
  await app.go(['/', ...'acme', 'enter'], 'only moved · filter: acme · 0 of 3 loaded');
  await app.go(['esc'], 'only moved · 1 of 3 loaded');
  await app.go(['esc'], '│ 3 hostnames');
  await app.go(['s', 'down', 'enter'], 'only needs action · 2 of 3 loaded');
});

test('loads the hostnames page by page, and shows hostnames that need action first', async () => {
  const records = Array.from({ length: 130 }, (_, at) => hostname(`h${at}.acme.com`));
  const app = await openHostnames({ records: [...records, moved] });
  await app.screen.waitFor('131 hostnames');
  expect(app.screen.selected()).toContain('menu.sushi.com');
  expect(app.hostnames.calls.filter((call) => call.startsWith('list'))).toHaveLength(3);
});

test('shows a record with the DNS records to set, each line ready to copy', async () => {
  const app = await openHostnames();
  await select(app, 'shop.acme.com');
  await app.go(['enter'], 'custom hostname does not CNAME');
  await app.go(['tab'], (screen) => screen.selected()?.includes('Ownership by TXT') ?? false);
  await app.go(['y'], 'Copied the record in zone-file format');
  await app.go(['down', 'down', 'y'], 'Copied the value');
  const copies = app.screen.clipboards.map((text) =>
    Buffer.from(text.split(';')[1] ?? '', 'base64').toString(),
  );
  expect(copies).toEqual(['_cf-custom-hostname.shop.acme.com. TXT "token-1"', 'token-1']);
});

test('restarts validation, and shows progress until the hostname is active', async () => {
  const app = await openHostnames();
  app.hostnames.pause = 10;
  await select(app, 'menu.sushi.com');
  await app.go(['R'], 'Restart the validation of menu.sushi.com?');
  expect(app.hostnames.calls).not.toContain('refresh menu.sushi.com');
  await app.go(['y'], 'Restarted the validation of menu.sushi.com.');
  expect(app.screen.selected()).toMatch(/ no DNS record$/);
  app.hostnames.change('menu.sushi.com', { status: 'active' });
  await app.screen.waitFor((screen) => / active$/.test(screen.selected() ?? ''));
  app.hostnames.records.splice(2, 1);
  await app.screen.waitFor('2 hostnames');
});

test('the detail shows progress, updates the list, and closes when the hostname is deleted', async () => {
  const app = await openHostnames();
  app.hostnames.pause = 10;
  await select(app, 'shop.acme.com');
  await app.go(['enter'], 'Certificate');
  app.hostnames.change('shop.acme.com', { status: 'pending_migration' });
  await app.screen.waitFor('pending_migration');
  app.hostnames.records.splice(2, 1);
  await app.screen.waitFor('shop.acme.com was deleted.');
  expect(app.screen.text()).toContain('2 hostnames');
});

test('sends no request and redraws nothing while no hostname is in progress', async () => {
  const app = await openHostnames({ records: [hostname('docs.lantern.com'), moved] });
  app.hostnames.pause = 1;
  await app.screen.waitFor('2 hostnames');
  await app.go(['down'], '── docs.lantern.com ─');
  const before = [app.screen.raw.length, app.hostnames.calls.length];
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([app.screen.raw.length, app.hostnames.calls.length]).toEqual(before);
});

test('does not poll again after a failure until the list is reloaded', async () => {
  const app = await openHostnames({
    prepare(hostnames) {
      hostnames.failNext('readAgain', new Problem('unreachable', 'No answer\u001b[2J.'));
      hostnames.pause = 10;
    },
  });
  await app.screen.waitFor('No longer live: No answer␛[2J. Press r to reload the list.');
  app.hostnames.change('shop.acme.com', { status: 'active', ssl: { status: 'active' } });
  await app.go(['r'], (screen) => /^shop.* ok /m.test(screen.text()));
});

test('changes the certificate authority with a menu, except for an uploaded certificate', async () => {
  const own = hostname('own.acme.com', 'active', {}, { custom_certificate: 'PEM' });
  const app = await openHostnames({ records: [...demo(), own] });
  await select(app, 'docs.lantern.com');
  await app.go(['ctrl+t'], '> ✓ google');
  await app.go(['down', 'enter'], 'Changed the authority of docs.lantern.com to lets_encrypt.');
  expect(app.hostnames.calls).toContain('edit docs.lantern.com lets_encrypt {}');
  await select(app, 'own.acme.com');
  await app.go(['ctrl+t'], 'has an uploaded certificate');
});

test("copies the customer's instructions to the clipboard, or writes them to a file", async () => {
  const app = await openHostnames();
  await select(app, 'docs.lantern.com');
  await app.go(['enter'], 'hostname');
  await app.go(['I'], 'docs.lantern.com › Instructions');
  await app.screen.waitFor('At the DNS provider of acme.com');
  await app.go(['@'], 'Copied the link hostnames/docs.lantern.com/instructions');
  await app.go(['I'], '> copy as text');
  await app.go(['enter'], 'Copied the instructions for docs.lantern.com');
  const copied = Buffer.from(app.screen.clipboards[1]?.split(';')[1] ?? '', 'base64').toString();
  expect(copied).toContain('DNS records for docs.lantern.com');
  await app.go(['I'], '> copy as text');
  app.hostnames.instructionNote = 'Panel Inc. supports Domain Connect.';
  await app.go(['down', 'down', 'enter'], 'Wrote instructions-docs.lantern.com.html. Panel Inc. supports');
  expect(app.hostnames.calls.slice(-2)).toEqual([
    'instructions docs.lantern.com html',
    'saveInstructions instructions-docs.lantern.com.html <!doctype html>',
  ]);
});

test('creates a hostname, adds it to the issuance gauge, and selects it', async () => {
  const app = await openHostnames({ columns: 96 });
  await app.go(['n'], 'New custom hostname');
  await app.go(['enter'], 'Enter a hostname.');
  app.press(...'New.Acme.com.', 'tab', ...'txt', 'tab', ...'google', 'tab', 'tab', ...'1.2');
  await app.go(['enter'], 'Created new.acme.com.');
  expect(app.hostnames.calls).toContain(
    `create ${JSON.stringify({ hostname: 'new.acme.com', method: 'txt', authority: 'google', minimumTls: '1.2' })}`,
  );
  expect(app.screen.selected()).toContain('new.acme.com');
  await app.screen.waitFor('quota 4/100  issued 1/15');
});

test('keeps the form when issuance is blocked, and shows the remaining seconds', async () => {
  const app = await openHostnames({ columns: 96 });
  app.hostnames.issued = Array.from({ length: hostnameLimits.issuances }, () => testNow - 1000);
  app.hostnames.blockedUntil = testNow + 12_000;
  app.hostnames.failNext('create', new Problem('rate-limited', 'Too many certificates.'));
  app.hostnames.failNext('readOverview', new Problem('rate-limited', 'Wait.'));
  await app.go(['n', ...'new.acme.com', 'enter'], 'error: Too many certificates.');
  await app.screen.waitFor('issued 15/15 this minute  blocked 12 s');
  expect(app.screen.text()).toContain('new.acme.com');
});

test('deletes a hostname only after Yes is selected, which is not the default', async () => {
  const app = await openHostnames();
  await select(app, 'menu.sushi.com');
  await app.go(['d'], 'Delete the custom hostname menu.sushi.com?');
  await app.go(['2', 'enter'], 'Enter detail');
  expect(app.hostnames.records.length).toBe(3);
  await app.go(['d'], 'No, change nothing');
  await app.go(['down', 'enter'], 'Deleted menu.sushi.com.');
  expect(app.hostnames.records.length).toBe(2);
  expect(app.screen.selected()).toContain('shop.acme.com');
});

test('moves with j without confirming a deletion, and selects No with n', async () => {
  const app = await openHostnames();
  await select(app, 'docs.lantern.com');
  await app.go(['d'], 'Delete the custom hostname docs.lantern.com?');
  await app.go(['j', 'k', 'j', 'enter'], 'Enter detail');
  await app.go(['R'], 'Restart the validation of docs.lantern.com?');
  await app.go(['n'], 'Enter detail');
  expect(app.hostnames.records.length).toBe(3);
  expect(app.hostnames.calls).not.toContain('refresh docs.lantern.com');
});

test('shows evidence and remedies of a diagnosis, copies them, and applies fixes after one confirmation', async () => {
  const app = await openHostnames();
  await select(app, 'menu.sushi.com');
  await app.go(['D'], 'menu.sushi.com: 1 critical fault');
  expect(app.screen.text()).toContain('you must act');
  await app.go(['tab', 'y'], 'Copied the command');
  expect(Buffer.from(app.screen.clipboards[0]?.split(';')[1] ?? '', 'base64').toString()).toBe(
    'edgectl hostname refresh menu.sushi.com',
  );
  await app.go(['f'], 'Apply this step in the zone saas.com?');
  await app.go(['enter'], 'Esc back');
  expect(app.hostnames.calls).not.toContain('carryOut refresh');
  await app.go(['f'], 'No, change nothing');
  await app.go(['down', 'enter'], 'Done: restart validation of menu.sushi.com.');
  await app.screen.waitFor('menu.sushi.com: no fault');
  await app.go(['f'], 'edgectl cannot fix this itself.');
  await app.go(['esc'], '3 hostnames');
  expect(app.screen.selected()).toMatch(/^menu\.sushi\.com +ok/);
});

test('f in the list offers the remedies without opening the diagnosis', async () => {
  const app = await openHostnames();
  await select(app, 'menu.sushi.com');
  await app.go(['f'], 'Apply this step');
  await app.go(['esc'], 'Esc back');
  await app.go(['esc'], '3 hostnames');
  await app.go(['G', 'f'], 'edgectl cannot fix this itself.');
});

test('reports only the remedies that were applied', async () => {
  const app = await openHostnames();
  await select(app, 'menu.sushi.com');
  await app.go(['f'], 'Apply this step');
  await app.go(['down', 'enter'], 'menu.sushi.com: no fault');
  await app.go(['tab'], 'Done: restart validation of menu.sushi.com.');
  expect(app.screen.text()).not.toContain('edgectl cannot fix this itself.');
});

test('repeats a diagnosis automatically when the state of a pending hostname changes', async () => {
  const app = await openHostnames();
  await select(app, 'docs.lantern.com');
  app.hostnames.pause = 1;
  app.hostnames.change('docs.lantern.com', { status: 'pending', ssl: { status: 'initializing' } });
  await app.go(['D'], 'The certificate is being prepared');
  app.hostnames.change('docs.lantern.com', { status: 'active', ssl: { status: 'active' } });
  await app.screen.waitFor((screen) => !screen.text().includes('being prepared'));
  const diagnoses = () => app.hostnames.calls.filter((call) => call === 'diagnose docs.lantern.com').length;
  expect(diagnoses()).toBe(2);
});

test('repeats a diagnosis when a hostname becomes pending again, and after a failed check', async () => {
  const app = await openHostnames();
  await select(app, 'docs.lantern.com');
  app.hostnames.pause = 1;
  const change = (status: string) => app.hostnames.change('docs.lantern.com', { ssl: { status } });
  const done = () => app.screen.waitFor((screen) => !screen.text().includes('being prepared'));
  change('initializing');
  await app.go(['D'], 'The certificate is being prepared');
  change('active');
  await done();
  change('initializing');
  await app.go(['r'], 'The certificate is being prepared');
  change('active');
  await done();
  change('initializing');
  app.hostnames.failNext('readAgain', new Problem('unreachable', 'No answer.'));
  await app.go(['r'], 'No longer live: No answer. Press r to diagnose again.');
  await app.go(['r'], 'The certificate is being prepared');
  change('active');
  await done();
});

test('repeats a diagnosis if the first poll after it finds the record that the last poll before it had found', async () => {
  const app = await openHostnames();
  await select(app, 'docs.lantern.com');
  const { change, calls } = app.hostnames;
  const diagnoses = () => calls.filter((call) => call.startsWith('diagnose')).length;
  /** Starts a diagnosis, makes the certificate active before the next poll, and waits for the repeated diagnosis. */
  const becomesActive = async () => {
    const before = diagnoses();
    change('docs.lantern.com', { ssl: { status: 'initializing' } });
    Object.defineProperty(app.hostnames, 'pause', {
      configurable: true,
      get() {
        // Another poll can be due before the first diagnosis has read the record.
        if (app.screen.text().includes('being prepared'))
          change('docs.lantern.com', { ssl: { status: 'active' } });
        return 1;
      },
    });
    await app.go([before === 0 ? 'D' : 'r'], () => diagnoses() >= before + 2);
    await app.screen.waitFor((screen) => !screen.text().includes('being prepared'));
    expect(app.screen.text()).toContain('docs.lantern.com: no fault');
  };
  await becomesActive();
  await becomesActive();
});

test.each([
  ['initializing', 'active', 1],
  ['initializing', 'active', 3],
  ['active', 'pending_validation', 1],
])(
  'repeats a diagnosis that read an older record than the poll before it: %s instead of %s, %i times',
  async (older, newer, times) => {
    const app = await openHostnames();
    await select(app, 'docs.lantern.com');
    app.hostnames.pause = 1;
    const change = (status: string) => app.hostnames.change('docs.lantern.com', { ssl: { status } });
    const current = () => app.hostnames.records.filter((record) => record.hostname === 'docs.lantern.com');
    const diagnoses = () => app.hostnames.calls.filter((call) => call.startsWith('diagnose')).length;
    change(older);
    const past = current();
    change('initializing');
    await app.go(['D'], 'The certificate is being prepared');
    for (let time = 0; time < times; time++) app.hostnames.older.push(...past);
    change(newer);
    await expect.poll(diagnoses).toBe(2 + times);
    const wanted = newer === 'active' ? 'no fault' : 'is being validated';
    await app.screen.waitFor((screen) => screen.text().includes(wanted));
  },
);

test('stops repeating a diagnosis that always reads an older record', async () => {
  const app = await openHostnames();
  await select(app, 'docs.lantern.com');
  app.hostnames.pause = 1;
  const { change, calls, older, records } = app.hostnames;
  change('docs.lantern.com', { ssl: { status: 'initializing' } });
  const past = records.filter((record) => record.hostname === 'docs.lantern.com');
  await app.go(['D'], 'The certificate is being prepared');
  for (let time = 0; time < 50; time++) older.push(...past);
  change('docs.lantern.com', { ssl: { status: 'active' } });
  let before = -1;
  await expect
    .poll(
      () => {
        const isSame = before === calls.length;
        before = calls.length;
        return isSame;
      },
      { interval: 200 },
    )
    .toBe(true);
  const diagnoses = calls.filter((call) => call.startsWith('diagnose')).length;
  expect(diagnoses).toBeGreaterThan(2);
  expect(diagnoses).toBeLessThan(10);
});

test('shows why a diagnosis failed, and can repeat it', async () => {
  const app = await openHostnames();
  await select(app, 'docs.lantern.com');
  app.hostnames.failNext('diagnose', new Problem('unreachable', 'No answer.'));
  await app.go(['D'], 'error: No answer.');
  await app.go(['r'], 'docs.lantern.com: no fault');
});

test('changes nothing in a read-only session, and shows the reason', async () => {
  const app = await openHostnames({ label: { readOnly: true } });
  for (const press of ['n', 'f', 'R', 'ctrl+t', 'd']) {
    await app.go([press], 'This session is read-only.');
    await app.go(['down', 'up'], 'Enter detail');
  }
  await select(app, 'docs.lantern.com');
  await app.go(['D'], 'no fault');
  await app.go(['f'], 'This session is read-only.');
  expect(app.hostnames.calls.some((call) => /^(create|refresh|change|remove|carryOut)/.test(call))).toBe(
    false,
  );
});

const hostile = hostname(
  'evil\u001b]0;title\u0007\u202e.com',
  'pe\u001b[31mnding',
  {
    verification_errors: ['\u001b]52;c;ZXZpbA==\u0007\nsecond line'],
    ownership_verification: { name: '\u001b[2J_cf', value: '\u001b]8;;file:///etc\u0007x' },
  },
  { certificate_authority: '\u001b[8mgoogle', status: '日本語\u0007' },
);

test.each([
  [120, 40],
  [80, 24],
  [40, 12],
])('draws list, detail, diagnosis and form on %ix%i, and escapes hostile text', async (columns, rows) => {
  const app = await openHostnames({ columns, rows, records: [hostile, ...demo()] });
  const whole = () => {
    expect(app.screen.lines().length).toBe(rows);
    expect(app.screen.lines()[0]).toMatch(/^PRODUCTION {2}demo/);
    expect(app.screen.lines().at(-1)).toMatch(/\? more$/);
  };
  await app.screen.waitFor('sushi');
  await app.go(['down', 'down'], (screen) => screen.selected()?.includes('evil␛') ?? false);
  whole();
  await app.go(['enter'], 'Next: ');
  whole();
  await app.go(['D'], 'warn: ');
  whole();
  await app.go(['esc', 'esc'], 'sushi');
  await app.go(['n'], '> Hostname');
  app.press('tab', 'tab', 'tab', 'tab', 'tab', 'tab', 'enter');
  await app.screen.waitFor('Enter a hostname.');
  expect(app.screen.lines().length).toBe(rows);
  expect([app.screen.titles, app.screen.clipboards, app.screen.links, app.screen.bells]).toEqual([
    [],
    [],
    [],
    0,
  ]);
});

test('explains the focused field of a new hostname on the smallest screen, and changes a choice with ← and →', async () => {
  const app = await openDemo({ columns: 40, rows: 12 });
  await app.go(['3'], '25 hostnames');
  await app.go(['n'], 'Required, for example shop.acme.com.');
  const choices = app.screen.lines().filter((line) => line.includes('‹'));
  expect(choices.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['Method', '‹ automatic ›'],
    ['CA', '‹ automatic ›'],
    ['Branding', '‹ no ›'],
    ['Min TLS', '‹ zone default ›'],
    ['Wildcard', '‹ no ›'],
  ]);
  await app.go(['tab'], 'http, or txt for a wildcard');
  expect(app.screen.lines().at(-1)).toBe('Enter save  Tab next field  Esc cancel');
  await app.go(['right', 'right'], '‹ txt ›');
  await app.go(['left'], '‹ http ›');
  await app.go([...'em'], '‹ email ›  filter: em');
  expect(app.screen.lines().filter((line) => line.includes('>'))).toHaveLength(1);
  expect(app.screen.text()).toContain('> Method');
});
