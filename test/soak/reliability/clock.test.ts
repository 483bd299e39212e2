import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startSandbox } from '../../support/program.ts';
import {
  createNamespace,
  killIn,
  mustRun,
  personAt,
  runProcess,
  startProcess,
} from '../../support/reliability/processes.ts';
import { trial } from '../../support/reliability/trial.ts';

const day = 86_400;

/**
 * A module that shifts the clock of a Node process by CLOCK_SHIFT seconds, and after 50 ms by CLOCK_JUMP seconds. The program reads the
 * time only from `Date`.
 */
const shifter = `
const Real = Date;
let shift = Number(process.env.CLOCK_SHIFT) * 1000;
setTimeout(() => { shift += Number(process.env.CLOCK_JUMP) * 1000; }, 50).unref();
globalThis.Date = class extends Real {
  constructor(...given) { given.length === 0 ? super(Real.now() + shift) : super(...given); }
  static now() { return Real.now() + shift; }
};
`;

trial('clock', async ({ chance, size, attempted, found, remark }) => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.stop());
  const person = personAt(sandbox);
  const id = await createNamespace(person, 'CLOCK');
  const at = ['--namespace-id', id];
  const local = ['--local', '--persist-to', 'data', '--namespace-id', 'local'];
  writeFileSync(join(person.cwd, 'shift.cjs'), shifter);
  const nodeFlags = ['--require', join(person.cwd, 'shift.cjs')];
  const shifts = [0, -3600, 3600, -day, day, -400 * day, 400 * day, -20 * 365 * day];
  /** Returns the same user with a wrong clock, which jumps while the command runs. */
  const atAnotherTime = () => {
    const jump = chance.pick([0, 0, -3600, 3600, -90 * day, 90 * day]);
    const env = { ...person.env, CLOCK_SHIFT: String(chance.pick(shifts)), CLOCK_JUMP: String(jump) };
    return { ...person, env };
  };
  const run = (...argv: string[]) => runProcess(atAnotherTime(), argv, { nodeFlags });
  for (let round = 0; round < size; round += 1) {
    const [key, value] = [`key ${round}`, `value ${round}`];
    for (const place of [at, local]) {
      const put = await run('kv', 'key', 'put', key, value, '--any-key', ...place);
      const got = await run('kv', 'key', 'get', key, ...place);
      if (put.code !== 0 || got.out !== value) found(`${key}: ${put.err} ${got.err}`);
      attempted(2);
    }
    // A deletion saved for undo under one clock is restored under another clock, unless the entry is older than 14 days.
    const removed = await run('kv', 'key', 'delete', key, '--undo', ...at);
    const listed = JSON.parse(await mustRun(person, ['undo', 'list', '--json'])) as {
      thing: { key?: string };
    }[];
    if (removed.code !== 0) found(`delete: ${removed.err}`);
    if (listed.some(({ thing }) => thing.key === key)) {
      const restored = await runProcess(person, ['undo', 'restore', '--json']);
      if (restored.code !== 0) found(`undo: ${restored.err}`);
      const got = await run('kv', 'key', 'get', key, ...at);
      if (got.out !== value) found(`${key} was restored as ${got.out}`);
    }
    attempted(3);
    // A put that is killed under one clock is resumed under another clock; the lock of the first process does not block the second.
    const entries = Array.from({ length: 300 }, (_, index) => ({ key: `many:${index}`, value: `${round}` }));
    writeFileSync(join(person.cwd, 'entries.json'), JSON.stringify(entries));
    for (const place of [at, local]) {
      const many = ['kv', 'bulk', 'put', 'entries.json', '--batch-size', '20', '--resume', ...place];
      await killIn(startProcess(atAnotherTime(), many, { nodeFlags }), 100 + chance.next() * 300);
      const resumed = await run(...many);
      const got = JSON.parse(
        await mustRun(person, ['kv', 'export', '--format', 'json', '--prefix', 'many:', ...place]),
      );
      const right = got.filter((entry: { value: string }) => entry.value === `${round}`).length;
      if (resumed.code !== 0 || right !== 300) found(`bulk put: ${right} of 300 (${resumed.err})`);
      attempted(2);
    }
  }
  remark(
    "the program's clock was wrong by up to 20 years, and jumped by up to 90 days while the program ran",
  );
});

trial('sandbox clock', async ({ chance, size, attempted, found, remark }) => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.stop());
  const person = personAt(sandbox);
  const id = await createNamespace(person, 'CLOCK');
  const { apiBaseUrl, apiToken, accountId } = sandbox.ready;
  const authorization = `Bearer ${apiToken}`;
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${apiBaseUrl}${path}`, { method, headers, ...init });
    expect(answer.status, path).toBe(200);
    return JSON.parse(await answer.text());
  };
  const kv = `/accounts/${accountId}/storage/kv/namespaces/${id}`;
  await mustRun(person, ['objstore', 'bucket', 'create', 'data']);
  let passed = 0;
  /** The expiry of each key, as the number of seconds by which the clock must move; undefined for never. */
  const expiries = new Map<string, number | undefined>();
  for (let round = 0; round < size; round += 1) {
    const entries = Array.from({ length: 20 }, (_, at) => {
      const ttl = chance.isLikely(0.3) ? undefined : 3600 * (1 + chance.below(24 * 200)) + 1800;
      const key = `${round}:${at}`;
      expiries.set(key, ttl === undefined ? undefined : passed + ttl);
      return { key, value: 'x', ...(ttl !== undefined && { expiration_ttl: ttl }) };
    });
    await call('PUT', `${kv}/bulk`, entries);
    // Keys expire half an hour after a full hour, because the test itself takes time.
    const hours = chance.pick([1, 24, 24 * 30, 24 * 100]) * (1 + chance.below(3));
    const step = hours * 3600;
    await call('POST', '/sandbox/clock', { seconds: step });
    passed += step;
    const there = new Set<string>();
    for (let cursor = ''; ; ) {
      const page = await call('GET', `${kv}/keys?limit=1000&cursor=${cursor}`);
      for (const { name } of page.result) there.add(name);
      cursor = page.result_info.cursor;
      if (cursor === '') break;
    }
    for (const [key, expiry] of expiries) {
      const isAlive = expiry === undefined || expiry > passed;
      if (isAlive !== there.has(key))
        found(`${key} expires at ${expiry}, is there at ${passed}: ${there.has(key)}`);
    }
    attempted();
  }
  remark(
    `${expiries.size.toLocaleString('en')} keys over ${Math.round(passed / day / 365)} years; each expired at its time`,
  );
});
