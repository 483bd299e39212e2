import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createServices } from '../components/app/connection.ts';
import { Pulse } from '../components/kit/pulse.ts';
import { toAuditRecord } from '../src/model/guard/audit.ts';
import { decide as decidePolicy, guardPolicy } from '../src/model/guard/policy.ts';
import { serveApprovals } from '../src/services/guard/approvals.ts';
import { openAuditLog } from '../src/services/guard/audit-log.ts';
import { HeldRequests } from '../src/services/guard/held.ts';
import { prepareDemo } from '../src/services/sandbox/sandbox.ts';
import { openSession } from '../src/services/session/open-session.ts';
import { plainChoice } from '../src/services/session/session.ts';
import { readRequestFacts } from '../src/v4/request-facts.ts';
import type { World } from '../src/world.ts';
import { type OpenConsole, openConsole, testNow } from './components/open-console.tsx';
import { captureFrame, renderFilm, renderPicture, type Shot } from './support/picture.ts';
import { testWorld } from './support/world.ts';

const size = { columns: 120, rows: 30 };

/** Returns a generator of bytes that are the same in every run. */
function seeded(): (bytes: number) => Uint8Array {
  let count = 0;
  return (bytes) => {
    const parts: Uint8Array[] = [];
    for (let made = 0; made < bytes; made += 32) {
      parts.push(createHash('sha256').update(`picture ${count++}`).digest());
    }
    return Buffer.concat(parts).subarray(0, bytes);
  };
}

/** Opens the console on the demo, at a fixed time and with fixed ids. */
async function openDemo(prepare?: (world: World) => Promise<unknown>): Promise<OpenConsole> {
  const world = { ...testWorld({ now: () => testNow }), random: seeded() };
  await prepareDemo(world);
  await prepare?.(world);
  const session = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  const { target } = session;
  const where = {
    kind: 'sandbox',
    folder: '/home/you/demo',
    baseUrl: 'http://127.0.0.1:8787/client/v4',
  } as const;
  const pulse = new Pulse(session);
  return openConsole({
    ...size,
    services: createServices({ ...session, where, send: pulse.watch(session.send) }),
    pulse,
    label: { target, where, accountLabel: await session.accountLabel(), isDemo: true },
    folders: world.folders,
  });
}

interface Stop {
  /** The name of the picture's file. */
  readonly name: string;
  readonly about: string;
  /** The key presses since the previous stop, each with text that the screen shows after the press. */
  readonly presses: ReadonlyArray<readonly [press: string, shown: string]>;
  /** Strings that the complete screen shows. */
  readonly wanted: readonly string[];
  /** Whether the film omits this stop. */
  readonly isAside?: boolean;
}

/** A terminal's answer to the query for its background color. */
const white = '\u001b]11;rgb:ffff/ffff/ffff\u0007';
const black = '\u001b]11;rgb:0000/0000/0000\u0007';

/** Returns the screen on a dark and on a light background, which differ only in their colors. */
async function readShot({ screen, send }: OpenConsole): Promise<Shot> {
  const dark = captureFrame(screen);
  const looksOf = () => JSON.stringify(captureFrame(screen));
  send(white);
  await screen.waitFor(() => looksOf() !== JSON.stringify(dark));
  const light = captureFrame(screen);
  send(black);
  await screen.waitFor(() => looksOf() === JSON.stringify(dark));
  return { dark, light };
}

/** The stops of the film "A minute in the console". */
const tour: readonly Stop[] = [
  {
    name: 'home',
    about: 'Home: the hostnames that need attention, who must act, what expires soon, and the areas',
    presses: [['0', 'Expires soon']],
    wanted: [
      'Expires soon',
      'Probably the customer',
      'Namespaces                 5',
      'Buckets                    3',
      'Hostnames                  25',
      'Workers                    1',
      'Tasks                      0',
    ],
  },
  {
    name: 'namespaces',
    about: 'The namespaces of an account, and the keys of the selected one',
    presses: [['1', '5 namespaces']],
    wanted: ['5 namespaces', 'First keys'],
  },
  {
    name: 'keys',
    about: 'The keys of a namespace with their expiry, and the value of the selected one',
    presses: [
      ['down', '16 keys'],
      ['enter', 'EXPIRES'],
    ],
    wanted: ['16 keys', '148 B, JSON'],
  },
  {
    name: 'value',
    about: 'A value as a JSON tree with a folded object, and a countdown to its expiry',
    presses: [
      ['enter', 'line 1 of 13'],
      ['j', ''],
      ['j', ''],
      ['enter', '"rollout": {…}'],
    ],
    wanted: ['"rollout": {…}', 'in 7d'],
  },
  {
    name: 'commands',
    about: 'A menu of command lines and curl requests to copy',
    presses: [['Y', '> Show the value']],
    wanted: ['> Show the value'],
  },
  {
    name: 'help',
    about: 'The shortcuts of the pane, of all documents and of the console, to search and run',
    presses: [
      ['esc', '"rollout": {…}'],
      ['?', 'Here: Value'],
    ],
    wanted: ['Here: Value', 'Everywhere (more)', 'e: Change the value'],
    isAside: true,
  },
  {
    name: 'hostnames',
    about: 'Custom hostnames by their status, and details of the selected one',
    presses: [
      ['esc', '"rollout": {…}'],
      ['3', '25 hostnames'],
      ['down', ''],
      ['down', 'The certificate has expired'],
    ],
    wanted: ['25 hostnames', 'quota 25/5000', 'docs.lantern.demo', 'Validation by'],
  },
  {
    name: 'renewals',
    about: 'The renewals of all certificates on an axis of days, whether they will succeed, and who must act',
    presses: [['V', '24 certificates']],
    wanted: ['24 certificates', 'WHO'],
  },
  {
    name: 'diagnosis',
    about: 'The diagnosis of a hostname: causes, evidence, who must act, and records and commands to copy',
    presses: [
      ['esc', '25 hostnames'],
      ['D', 'Diagnosis of'],
    ],
    wanted: ['Diagnosis of', 'the customer must act'],
  },
  {
    name: 'palette',
    about: 'The palette with actions and places that match the letters se, under headings',
    presses: [
      [':', 'Actions here'],
      ['s', 'found'],
      ['e', 'shop-SESSIONS'],
    ],
    wanted: ['go to: se', 'Namespaces', 'Actions in other panes'],
    isAside: true,
  },
  {
    name: 'acting',
    about: 'Profiles, accounts and zones to switch to, found by a few letters',
    presses: [
      ['esc', 'the customer must act'],
      ['Z', 'Profiles'],
    ],
    wanted: ['Profiles', 'Accounts', 'Zones'],
    isAside: true,
  },
  {
    name: 'picker',
    about: 'The form of a new custom hostname, with a choice of validation methods',
    presses: [
      ['esc', 'the customer must act'],
      ['esc', '25 hostnames'],
      ['n', 'New custom hostname'],
      ['tab', '> Method'],
    ],
    wanted: ['New custom hostname', '‹ automatic: http'],
    isAside: true,
  },
];

/** The stops in the panes of guards. */
const guardTour: readonly Stop[] = [
  {
    name: 'held',
    about:
      'A request that a guard holds: the program, the rule, the items to delete, and whether undo can restore them',
    presses: [
      ['ctrl+g', '1 waiting'],
      ['enter', 'can restore'],
    ],
    wanted: ['can restore what the request deletes', 'dark'],
    isAside: true,
  },
  {
    name: 'audit',
    about: 'The audit log: writes and refused requests, with the program, the rule and the result',
    presses: [['ctrl+a', '2 records']],
    wanted: ['2 records', 'refused'],
    isAside: true,
  },
];

const flag = {
  account: '0123456789abcdef0123456789abcdef',
  namespace: 'fedcba9876543210fedcba9876543210',
};
const flagPath = `/accounts/${flag.account}/storage/kv/namespaces/${flag.namespace}/values/flag:beta`;

/** Creates a held request and an audit log, both with fixed names and times. */
async function prepareGuard(world: World): Promise<void> {
  const decide = (method: 'PUT' | 'DELETE') => {
    const facts = readRequestFacts({ method, path: flagPath }, { target: 'production', client: 'terraform' });
    return { facts, decided: decidePolicy({ deciding: [guardPolicy] }, facts) };
  };
  const sleep = (_: number, signal?: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const held = new HeldRequests({
    name: '417',
    place: 'profile acme',
    waitMs: 20_000,
    world: { now: () => testNow, sleep },
    lock: undefined,
  });
  held.hasTerminal = true;
  const question = {
    ...decide('DELETE'),
    path: flagPath,
    headers: {},
    digest: undefined,
    bytes: 0,
    start: new Uint8Array(),
  };
  void held.ask({ ...question, agent: 'terraform/1.14', undoable: true }, new AbortController().signal);
  const describe = async (number: string) => {
    const request = held.list().find((one) => one.number === number);
    const text = '{"theme":"dark"}';
    const present = { text, bytes: text.length, total: text.length };
    return request && { request, sent: 'none' as const, present };
  };
  onTestFinished(await serveApprovals(world, { held, name: '417', describe }));
  const log = openAuditLog(world);
  const actor = { user: 'ann', command: 'guard start', parent: 'sh', place: 'profile acme', url: undefined };
  for (const method of ['PUT', 'DELETE'] as const) {
    const { facts, decided } = decide(method);
    const of = await log.append(toAuditRecord(facts, decided, actor));
    if (method === 'PUT') await log.append({ kind: 'outcome', of, status: 200 });
  }
  await log.flush();
}

test('the pictures of the guard panes match the drawn screens', async () => {
  await drawTour(await openDemo(prepareGuard), guardTour);
});

test('the pictures of the console match the drawn screens', async () => {
  const shots = await drawTour(await openDemo(), tour);
  hold('docs/pictures/minute.svg', renderFilm(shots, size, 'A minute in the console'));
});

/** Draws the picture of each stop, and returns the pictures of the film. */
async function drawTour(app: OpenConsole, stops: readonly Stop[]): Promise<Shot[]> {
  const shots: Shot[] = [];
  for (const { name, about, presses, wanted, isAside } of stops) {
    for (const [press, shown] of presses) await app.go([press], shown);
    await app.screen.waitFor(
      (screen) => wanted.every((text) => screen.text().includes(text)) && !screen.text().includes('reading…'),
    );
    const shot = await readShot(app);
    if (isAside !== true) shots.push(shot);
    hold(`docs/pictures/${name}.svg`, renderPicture(shot, size, about));
  }
  return shots;
}

function hold(path: string, wanted: string): void {
  if (process.env['UPDATE_PICTURES'] === '1') writeFileSync(path, wanted);
  else
    expect(
      readFileSync(path, 'utf8') === wanted,
      `${path} shows another screen: UPDATE_PICTURES=1 npx vitest run test/pictures.test.tsx`,
    ).toBe(true);
}
