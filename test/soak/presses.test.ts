import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, expect, test } from 'vitest';
import { program, type ServedSandbox, startSandbox, userEnvironment } from '../support/program.ts';
import { closePtys, openPty, type Pty } from '../support/pty.ts';
import { newPerson } from '../support/run-command.ts';

/** Key presses, and the text that the screen must show before the next step. */
type Step = readonly [presses: readonly string[], wanted: string | RegExp];

/** The console of a task, the folder in which it was started, and the platform. */
interface Place {
  readonly pty: Pty;
  readonly cwd: string;
  /** Sends a GET request below the account, and returns the response. */
  askAccount(path: string): Promise<Response>;
  /** Returns the rows of a list below the account. */
  rows(path: string): Promise<readonly Row[]>;
  /** Returns the custom hostname with this name. */
  findHostname(name: string): Promise<Row | undefined>;
  /** Returns the path of a namespace below the account. */
  namespace(title: string): Promise<string>;
}
type Row = Readonly<Record<string, unknown>>;

interface Task {
  readonly name: string;
  /** The number of key presses that the console needed before its redesign (8a61c8e77), with the same typed text. */
  readonly before: number;
  /** Key presses that lead to the starting point of the task, and are not counted (default: Home). */
  readonly start?: readonly Step[];
  readonly steps: readonly Step[];
  /** Checks the result at the end of the task. */
  check?(place: Place): Promise<void>;
}

const namespaces: Step = [['1'], '5 namespaces'];
const catalogue: Step = [['enter'], /› shop-CATALOGUE\n.* 189 keys/];
const flags: Step = [['down', 'enter'], /› shop-FEATURE_FLAGS\n.* 16 keys/];
const oddities: Step = [['down', 'down', 'enter'], /› shop-ODDITIES\n.* keys/];
const buckets: Step = [['2'], '3 buckets'];
const assets: Step = [['enter'], /› shop-assets\n.* 7 entries/];
const hostnames: Step = [['3'], '· 25 hostnames'];
const workers: Step = [['4'], '1 worker'];
const worker: Step = [['enter'], /› shop-edge\n.*PREVIEW_KEY/s];
const slowPanel: readonly Step[] = [
  [[':', ...'slow-panel'], '1 found'],
  [['enter'], /› forms\.slow-panel\.demo\n.*Timeline/s],
];
const mapleworks: readonly Step[] = [
  [[':', ...'mapleworks'], '1 found'],
  [['enter'], /› pay\.mapleworks\.demo\n.*Timeline/s],
];

const tasks: readonly Task[] = [
  {
    name: 'create a namespace',
    before: 11,
    steps: [namespaces, [['n'], '> Title'], [[...'my-first', 'enter'], 'Created my-first.']],
    async check({ namespace }) {
      expect(await namespace('my-first')).toMatch(/[0-9a-f]{32}$/);
    },
  },
  {
    name: 'write a key that expires',
    before: 19,
    steps: [
      namespaces,
      catalogue,
      [['n'], '> Key'],
      [[...'user:1', 'enter'], '> Value'],
      [[...'hello', 'tab'], '> TTL'],
      [[...'1h', 'enter'], 'Stored user:1.'],
    ],
    async check({ namespace, rows, askAccount }) {
      const catalogue = await namespace('shop-CATALOGUE');
      expect(await (await askAccount(`${catalogue}/values/user:1`)).text()).toBe('hello');
      expectHour((await rows(`${catalogue}/keys?prefix=user`))[0]);
    },
  },
  {
    name: 'find the cause of a failing hostname, by its name',
    before: 13,
    steps: [...slowPanel, [['D'], 'edgectl hostname refresh forms.slow-panel.demo']],
  },
  {
    name: 'fix a failing hostname',
    before: 14,
    steps: [
      ...slowPanel,
      [['f'], 'Apply this step'],
      [['y'], 'Done: restart validation of forms.slow-panel.demo.'],
    ],
    async check({ findHostname }) {
      expect(await findHostname('forms.slow-panel.demo')).not.toMatchObject({
        ssl: { status: 'validation_timed_out' },
      });
    },
  },
  {
    name: 'download a folder from a bucket',
    before: 4,
    steps: [buckets, assets, [['w'], 'Download css/'], [['enter'], 'Downloaded 2 objects']],
    async check({ cwd, askAccount }) {
      const files = readdirSync(join(cwd, 'shop-assets', 'css'));
      expect(files).toHaveLength(2);
      for (const name of files) {
        const object = await askAccount(`/r2/buckets/shop-assets/objects/css/${name}`);
        expect(readFileSync(join(cwd, 'shop-assets', 'css', name), 'utf8')).toBe(await object.text());
      }
    },
  },
  {
    name: 'find a hostname by a part of its name',
    before: 11,
    steps: [hostnames, [['/', ...'lockwood', 'enter'], /filter: lockwood · 1 of 25.*shop\.lockwood\.demo/s]],
  },
  {
    name: 'copy the DNS records for a customer',
    before: 15,
    steps: [
      ...mapleworks,
      [['I'], /Instructions of pay\.mapleworks\.demo.*CNAME/s],
      [['I'], 'copy as text'],
      [['enter'], 'Copied the instructions for pay.mapleworks.demo'],
    ],
    async check({ pty }) {
      expect(copied(pty)).toContain('Value: origin.saas.sandbox');
    },
  },
  {
    name: 'restart the validation of a hostname',
    before: 14,
    steps: [
      ...mapleworks,
      [['R'], 'Restart the validation of pay.mapleworks.demo?'],
      [['y'], 'Restarted the validation of pay.mapleworks.demo.'],
    ],
  },
  {
    name: 'delete a hostname',
    before: 14,
    steps: [
      [[':', ...'paperplane'], '1 found'],
      [['enter'], /› landing\.paperplane\.demo\n.*Timeline/s],
      [['d'], 'Delete the custom hostname landing.paperplane.demo?'],
      [['y'], 'Deleted landing.paperplane.demo.'],
    ],
    async check({ findHostname }) {
      expect(await findHostname('landing.paperplane.demo')).toBeUndefined();
    },
  },
  {
    name: 'see which certificates renew next',
    before: 2,
    steps: [hostnames, [['V'], /› Renewals\n.*docs\.lantern\.demo/s]],
  },
  {
    name: 'open a key by its prefix',
    before: 10,
    steps: [
      namespaces,
      flags,
      [['p', ...'mail', 'enter'], 'prefix mail on the server · 1 key'],
      [['enter'], /› mail\.new-templates\n.*"percent": 100/s],
    ],
  },
  {
    name: 'edit the value of a key',
    before: 18,
    steps: [
      namespaces,
      oddities,
      [['/', ...'hello', 'enter'], 'filter: hello · 1 of'],
      [['e'], '> Value'],
      [['ctrl+u', ...'Bye', 'enter'], 'Store this in hello.txt of shop-ODDITIES?'],
      [['y'], 'Stored hello.txt.'],
    ],
    async check({ namespace, askAccount }) {
      const oddities = await namespace('shop-ODDITIES');
      expect(await (await askAccount(`${oddities}/values/hello.txt`)).text()).toBe('Bye');
    },
  },
  {
    name: 'set the expiry of a key',
    before: 6,
    steps: [
      namespaces,
      catalogue,
      [['ctrl+e'], '> TTL'],
      [[...'1h', 'enter'], 'Stored images/SKU-2AF054.png.'],
    ],
    async check({ namespace, rows }) {
      expectHour((await rows(`${await namespace('shop-CATALOGUE')}/keys?prefix=images/SKU-2AF054`))[0]);
    },
  },
  {
    name: 'copy a key to another namespace',
    before: 11,
    steps: [
      namespaces,
      catalogue,
      [['c'], /Copy 1 key from shop-CATALOGUE.*> To/s],
      [['down', 'enter'], 'Copied 1 key to shop-FEATURE_FLAGS.'],
    ],
    async check({ namespace, rows }) {
      const copies = await rows(`${await namespace('shop-FEATURE_FLAGS')}/keys?prefix=images/`);
      expect(copies.map(({ name }) => name)).toEqual(['images/SKU-2AF054.png']);
    },
  },
  {
    name: 'delete three keys',
    before: 7,
    steps: [
      namespaces,
      catalogue,
      [['space', 'space', 'space'], '3 marked'],
      [['d'], 'Delete 3 keys from shop-CATALOGUE?'],
      [['y'], 'Deleted 3 keys from shop-CATALOGUE.'],
    ],
    async check({ namespace, rows }) {
      expect(await rows(`${await namespace('shop-CATALOGUE')}/keys?prefix=images/`)).toHaveLength(5);
    },
  },
  {
    name: 'restore a key that was just deleted',
    before: 2,
    start: [namespaces, catalogue, [['d'], 'Yes'], [['y'], 'Press U to restore it.']],
    steps: [
      [['U'], 'Yes'],
      [['y'], 'Restored the value of images/SKU-2AF054.png.'],
    ],
    async check({ namespace, rows }) {
      expect(await rows(`${await namespace('shop-CATALOGUE')}/keys?prefix=images/`)).toHaveLength(8);
    },
  },
  {
    name: 'export a namespace',
    before: 5,
    steps: [namespaces, [['w'], '> File'], [['enter'], 'Wrote 189 keys from shop-CATALOGUE']],
    async check({ cwd }) {
      const lines = readFileSync(join(cwd, 'shop-CATALOGUE.ndjson'), 'utf8').trim().split('\n');
      expect(lines).toHaveLength(189);
    },
  },
  {
    name: 'search in a value',
    before: 18,
    steps: [
      namespaces,
      oddities,
      [['/', ...'large', 'enter'], 'filter: large · 1 of'],
      [['enter'], /› large-300k\.json\n.*"id": 0/s],
      [['/', ...'7000', 'enter'], /match 1 of 1.*"id": 7000/s],
    ],
  },
  {
    name: 'compare two namespaces',
    before: 4,
    steps: [
      namespaces,
      [['='], 'Compare the keys in shop-CATALOGUE'],
      [['down', 'enter'], /205 differences/],
    ],
  },
  {
    name: 'upload a file',
    before: 7,
    steps: [buckets, assets, [['u'], '> File'], [[...'up', 'tab', 'enter'], 'Uploaded 1 object']],
    async check({ askAccount }) {
      expect(await (await askAccount('/r2/buckets/shop-assets/objects/upload.txt')).text()).toBe('hello\n');
    },
  },
  {
    name: 'copy a link to an object',
    before: 13,
    steps: [
      buckets,
      assets,
      [['/', ...'robots', 'enter'], 'filter: robots · 1 of 7'],
      [['J'], 'A link to an object in shop-assets'],
      [['enter'], 'copy the link'],
      [['enter'], 'Copied'],
    ],
    async check({ pty }) {
      expect(await (await fetch(copied(pty))).text()).toContain('User-agent: *');
    },
  },
  {
    name: 'create a bucket',
    before: 12,
    steps: [buckets, [['n'], '> Name'], [[...'my-bucket', 'enter'], 'Created my-bucket.']],
    async check({ askAccount }) {
      expect((await askAccount('/r2/buckets/my-bucket')).status).toBe(200);
    },
  },
  {
    name: 'give a worker a secret',
    before: 18,
    steps: [
      workers,
      worker,
      [['n'], '> Name'],
      [[...'API_KEY', 'enter'], '> Value'],
      [[...'s3cret', 'enter'], 'Set the secret API_KEY.'],
    ],
    async check({ rows }) {
      const secrets = await rows('/workers/scripts/shop-edge/secrets');
      expect(secrets.map(({ name }) => name)).toContain('API_KEY');
    },
  },
  {
    name: 'roll a worker back',
    before: 4,
    steps: [
      workers,
      worker,
      [['B'], 'Roll the worker shop-edge back to version'],
      [['y'], 'Rolled back to version'],
    ],
  },
  {
    name: 'follow the logs of a worker',
    before: 2,
    steps: [workers, [['C'], /Logs of shop-edge ─+ live/]],
  },
  {
    name: 'show only the hostnames in one state',
    before: 9,
    steps: [
      hostnames,
      [['s'], 'timed out'],
      [[...'tim', 'enter'], /only timed out · 1 of 25.*forms\.slow-panel\.demo/s],
    ],
  },
  {
    name: 'sort the hostnames by expiry',
    before: 2,
    steps: [hostnames, [['o'], /sorted by expiry ↑.*promo\.last-season\.demo.*menu\.sushi-garden\.demo/s]],
  },
];

async function take(pty: Pty, [presses, wanted]: Step): Promise<void> {
  pty.press(...presses);
  await pty.screen.waitFor(typeof wanted === 'string' ? wanted : (screen) => wanted.test(screen.text()));
}

function placeOf({ ready }: ServedSandbox, pty: Pty, cwd: string): Place {
  const ask = (path: string) =>
    fetch(`${ready.apiBaseUrl}${path}`, { headers: { authorization: `Bearer ${ready.apiToken}` } });
  const askAccount = (path: string) => ask(`/accounts/${ready.accountId}${path}`);
  const readRows = async (response: Promise<Response>) =>
    ((await (await response).json()) as { readonly result: readonly Row[] }).result;
  return {
    pty,
    cwd,
    askAccount,
    rows: (path) => readRows(askAccount(path)),
    async findHostname(name) {
      const [found] = await readRows(ask(`/zones/${ready.zoneId}/custom_hostnames?hostname=${name}`));
      return found;
    },
    async namespace(title) {
      const all = await readRows(askAccount('/storage/kv/namespaces?per_page=100'));
      return `/storage/kv/namespaces/${all.find((namespace) => namespace['title'] === title)?.['id']}`;
    },
  };
}

/** Expects a key that expires in an hour. */
function expectHour(key: Row | undefined): void {
  expect(Math.abs(Number(key?.['expiration']) - 3600 - Date.now() / 1000)).toBeLessThan(60);
}

/** Returns the text that was last copied to the terminal's clipboard. */
function copied(pty: Pty): string {
  return Buffer.from(pty.screen.clipboards.at(-1)?.split(';')[1] ?? '', 'base64').toString();
}

let served: ServedSandbox | undefined;
afterEach(async () => {
  closePtys();
  await served?.stop();
});

test.each(tasks)('$name', { timeout: 60_000 }, async ({ before, start = [], steps, check }) => {
  served = await startSandbox(['--demo']);
  const { cwd } = newPerson();
  writeFileSync(join(cwd, 'upload.txt'), 'hello\n');
  const { apiBaseUrl, apiToken, accountId } = served.ready;
  const env = {
    ...userEnvironment(cwd),
    EDGECTL_API_BASE_URL: apiBaseUrl,
    EDGECTL_API_TOKEN: apiToken,
    EDGECTL_ACCOUNT_ID: accountId,
  };
  const pty = openPty(process.execPath, [program], { columns: 120, rows: 40, cwd, env });
  // The palette finds the hostnames that Home has loaded.
  await pty.screen.waitFor((screen) => /25 hostnames of .*\n(.*\n)+.*Hostnames +25/.test(screen.text()));
  for (const step of [...start, ...steps]) await take(pty, step);
  await check?.(placeOf(served, pty, cwd));
  expect(steps.flatMap(([presses]) => presses).length).toBeLessThanOrEqual(before);
});
