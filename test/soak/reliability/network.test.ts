import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { readBody } from '../../../src/v4/send.ts';
import { type Fault, refusing } from '../../support/proxy.ts';
import { readFiles } from '../../support/reliability/processes.ts';
import { type Run, trial } from '../../support/reliability/trial.ts';
import { type Ran, runCommand } from '../../support/run-command.ts';
import { openServed } from '../../support/served.ts';
import { type Chance, chanceFrom } from '../../support/worlds/chance.ts';

const share = 0.15;

/** Selects a network or server fault for one request in seven. */
async function faultFrom(chance: Chance): Promise<Fault> {
  if (!chance.isLikely(share)) return undefined;
  switch (chance.below(7)) {
    case 0:
      return 'cut';
    case 1:
      return 'cut-after';
    case 2:
      return { cutBehind: chance.below(200) };
    case 3:
      return refusing(503);
    case 4:
      return {
        answer: { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Gateway</h1>' },
      };
    case 5:
      return refusing(429, { 'retry-after': '1' });
    default:
      await pause(chance.below(100));
      return undefined;
  }
}

/** A kind of resource, with the commands that change it and a way to read its actual state. */
interface Things {
  readonly what: string;
  /** Returns a value that differs from all earlier values. */
  value?(at: number): string;
  put(name: string, value: string): readonly string[];
  remove(name: string): readonly string[];
  /** Returns the command that prints the value; absent for resources without a value. */
  get?(name: string): readonly string[];
  list: readonly string[];
  /** Returns the names in the output of `list`. */
  listed(out: string): readonly string[];
  /** Returns all existing resources, read without faults. */
  truth(): Promise<ReadonlyMap<string, string>>;
}

trial('network', async (run) => {
  const served = await openServed(99_999);
  const { person, proxy, sandbox } = served;
  const { chance } = run;
  const faults = chanceFrom(String(chance.next()));
  const { accountId, apiToken } = sandbox.access();
  let isFaulty = false;
  let spoiled = 0;
  proxy.use(async () => {
    const fault = isFaulty ? await faultFrom(faults) : undefined;
    if (fault !== undefined) spoiled += 1;
    return fault;
  });
  const read = async (path: string): Promise<Buffer> => {
    const headers = { authorization: `Bearer ${apiToken}` };
    const answer = await sandbox.send({ method: 'GET', path, headers, repeatable: true });
    expect(answer.status, path).toBe(200);
    return Buffer.from(await readBody(answer.body));
  };
  const readResult = async (path: string) => JSON.parse((await read(path)).toString()).result;
  /** Runs a command through the failing network. */
  const attempt = async (argv: readonly string[]): Promise<Ran> => {
    isFaulty = true;
    const ran = await runCommand(person, argv);
    isFaulty = false;
    run.attempted();
    return ran;
  };
  const id = await served.createNamespace();
  await runCommand(person, ['objstore', 'bucket', 'create', 'data']);
  const [{ id: zoneId }] = await readResult('/zones');
  const zone = ['--zone-id', zoneId];
  const kv = `/accounts/${accountId}/storage/kv/namespaces/${id}`;
  const bucket = `/accounts/${accountId}/r2/buckets/data/objects`;
  const names = (out: string) =>
    (JSON.parse(out) as Record<string, string>[]).map((one) => one['name'] ?? '');
  const kinds: Things[] = [
    {
      what: 'key',
      put: (name, value) => ['kv', 'key', 'put', name, value, '--namespace-id', id],
      remove: (name) => ['kv', 'key', 'delete', name, '--no-undo', '--namespace-id', id],
      get: (name) => ['kv', 'key', 'get', name, '--namespace-id', id],
      list: ['kv', 'key', 'list', '--namespace-id', id],
      listed: names,
      async truth() {
        const found = new Map<string, string>();
        for (const { name } of await readResult(`${kv}/keys`))
          found.set(name, (await read(`${kv}/values/${name}`)).toString());
        return found;
      },
    },
    {
      what: 'object',
      put(name, value) {
        writeFileSync(join(person.cwd, 'value'), value);
        return ['objstore', 'object', 'put', `data/${name}`, '--path', 'value'];
      },
      remove: (name) => ['objstore', 'object', 'delete', `data/${name}`, '--no-undo'],
      get: (name) => ['objstore', 'object', 'get', `data/${name}`],
      list: ['objstore', 'object', 'list', 'data', '--json'],
      listed: (out) => JSON.parse(out).map(({ key }: { key: string }) => key),
      async truth() {
        const found = new Map<string, string>();
        for (const { key } of await readResult(`${bucket}?per_page=1000`))
          found.set(key, (await read(`${bucket}/${key}`)).toString());
        return found;
      },
    },
    {
      what: 'hostname',
      value: () => '',
      put: (name) => ['hostname', 'create', `${name}.acme.com`, '--if-not-exists', ...zone],
      remove: (name) => ['hostname', 'delete', `${name}.acme.com`, '--yes', '--no-undo', ...zone],
      list: ['hostname', 'list', '--json', ...zone],
      listed: (out) => JSON.parse(out).map(({ hostname }: { hostname: string }) => hostname.split('.')[0]),
      async truth() {
        const all = await readResult(`/zones/${zoneId}/custom_hostnames?per_page=50`);
        const found = all.map(({ hostname }: { hostname: string }) => hostname.split('.')[0]);
        if (new Set(found).size !== found.length) run.found('a hostname exists twice');
        return new Map(found.map((name: string) => [name, '']));
      },
    },
    {
      what: 'record',
      value: (at) => `198.51.100.${at % 250}`,
      put: (name, value) => ['zone', 'record', 'set', name, 'A', value, '--yes', ...zone],
      remove: (name) => ['zone', 'record', 'delete', name, 'A', '--yes', '--no-undo', ...zone],
      list: ['zone', 'record', 'list', '--type', 'A', '--json', ...zone],
      listed: (out) => JSON.parse(out).map(({ name }: { name: string }) => name.split('.')[0]),
      async truth() {
        const all: { name: string; content: string }[] = await readResult(
          `/zones/${zoneId}/dns_records?type=A&per_page=1000`,
        );
        const found = all.filter(({ name }) => /^n\d+\./.test(name));
        const first = ({ name }: { name: string }) => name.split('.')[0] ?? '';
        if (new Set(found.map(first)).size !== found.length) run.found('a DNS record exists twice');
        return new Map(found.map((one) => [first(one), one.content]));
      },
    },
  ];
  const tally = { done: 0, refused: 0, large: 0 };
  const note = ({ code }: Ran): boolean => {
    if (code === 0) tally.done += 1;
    else tally.refused += 1;
    return code === 0;
  };
  try {
    for (let at = 0; at < run.size; at += 1) {
      if (at % 25 === 24) {
        await manyAtOnce(run, at, { attempt, note, served });
        tally.large += 1;
      } else await oneChange(run, at, chance.pick(kinds), attempt, note);
    }
  } finally {
    await served.close();
  }
  run.remark(
    `${tally.done.toLocaleString('en')} commands succeeded, ${tally.refused} reported a failure; ` +
      `${spoiled.toLocaleString('en')} requests or answers were disturbed`,
  );
});

/** Runs one command, and compares its report with the actual state. */
async function oneChange(
  { chance, found }: Run,
  at: number,
  kind: Things,
  attempt: (argv: readonly string[]) => Promise<Ran>,
  note: (ran: Ran) => boolean,
): Promise<void> {
  const before = await kind.truth();
  const name = `n${chance.below(12)}`;
  const value = kind.value?.(at) ?? `value ${at}`;
  const complain = (words: string, ran: Ran) =>
    found(`${kind.what} ${name}: ${words}; exit ${ran.code}: ${ran.err.slice(0, 300)}`);
  const choice = chance.below(5);
  if (choice === 0) {
    const ran = await attempt(kind.list);
    const wanted = [...before.keys()].sort();
    if (
      note(ran) &&
      JSON.stringify([...kind.listed(ran.out)].filter((one) => /^n\d+$/.test(one)).sort()) !==
        JSON.stringify(wanted)
    )
      complain(`listed ${ran.out}`, ran);
    return;
  }
  if (choice === 1 && kind.get !== undefined) {
    const ran = await attempt(kind.get(name));
    if (note(ran) && ran.out !== before.get(name)) complain(`printed ${ran.out}`, ran);
    if (ran.code === 3 && before.has(name)) complain('called missing', ran);
    return;
  }
  const isPut = choice < 4;
  const ran = await attempt(isPut ? kind.put(name, value) : kind.remove(name));
  const after = await kind.truth();
  const wanted = new Map(before);
  if (isPut) wanted.set(name, value);
  else wanted.delete(name);
  const isAs = (state: ReadonlyMap<string, string>) =>
    JSON.stringify([...state].sort()) === JSON.stringify([...after].sort());
  if (note(ran)) {
    if (!isAs(wanted)) complain(`${isPut ? 'put' : 'remove'} reported success, but changed nothing`, ran);
  } else if (ran.code === 3 && !isPut && !before.has(name)) return;
  else if (!isAs(before) && !isAs(wanted)) complain('other data was changed', ran);
}

/** Transfers 1,000 entries and 40 files with commands that can be repeated until the transfer is complete. */
async function manyAtOnce(
  { found }: Run,
  at: number,
  {
    attempt,
    note,
    served,
  }: {
    readonly attempt: (argv: readonly string[]) => Promise<Ran>;
    readonly note: (ran: Ran) => boolean;
    readonly served: Awaited<ReturnType<typeof openServed>>;
  },
): Promise<void> {
  const { person } = served;
  const untilDone = async (argv: readonly string[]): Promise<Ran> => {
    for (let round = 0; ; round += 1) {
      const ran = await attempt(argv);
      if (note(ran)) return ran;
      if (round === 20) expect.fail(`${argv.join(' ')} did not succeed in 20 attempts: ${ran.err}`);
    }
  };
  const [from, to] = [await served.createNamespace(), await served.createNamespace()];
  const entries = Array.from({ length: 1000 }, (_, index) => ({ key: `k${index}`, value: `${at} ${index}` }));
  writeFileSync(join(person.cwd, 'entries.json'), JSON.stringify(entries));
  const put = [
    'kv',
    'bulk',
    'put',
    'entries.json',
    '--namespace-id',
    from,
    '--batch-size',
    '100',
    '--resume',
  ];
  await untilDone(put);
  await untilDone(['kv', 'copy', '--namespace-id', from, '--to-namespace-id', to, '--resume']);
  const { out } = await untilDone(['kv', 'export', '--namespace-id', to]);
  const exported = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const byKey = (one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1);
  if (JSON.stringify(exported.sort(byKey)) !== JSON.stringify(entries.toSorted(byKey)))
    found('put, copy and export changed some of 1,000 entries');
  const keys = entries.filter((_, index) => index % 2 === 0).map(({ key }) => key);
  writeFileSync(join(person.cwd, 'keys.json'), JSON.stringify(keys));
  await untilDone(['kv', 'bulk', 'delete', 'keys.json', '--namespace-id', to, '--yes', '--resume']);
  const left = await untilDone(['kv', 'key', 'list', '--namespace-id', to]);
  if (JSON.parse(left.out).length !== 500)
    found('the keys that bulk delete left differ from those that the file does not name');
  for (const folder of ['up', 'down']) rmSync(join(person.cwd, folder), { recursive: true, force: true });
  mkdirSync(join(person.cwd, 'up'));
  for (let file = 0; file < 40; file += 1)
    writeFileSync(join(person.cwd, 'up', `${file}.txt`), `${at} ${file} `.repeat(file * 10));
  const sync = (folder: string) => [
    'objstore',
    'object',
    'sync',
    folder,
    'data/many',
    '--delete',
    '--limit',
    '99',
    '--yes',
  ];
  await untilDone(sync('up'));
  await untilDone([...sync('down'), '--download']);
  const [up, down] = [readFiles(join(person.cwd, 'up')), readFiles(join(person.cwd, 'down'))];
  if (JSON.stringify([...up].sort()) !== JSON.stringify([...down].sort()))
    found('the download changed some of 40 files');
  await untilDone(['objstore', 'object', 'delete', 'data/many', '--recursive', '--yes']);
}
