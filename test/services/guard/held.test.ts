import { once } from 'node:events';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { DeleteObjectCommand, DeleteObjectsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { HeldAnswer } from '../../../src/model/guard/held.ts';
import { describeHeldRefusal, formatHeldRequest, formatProgram } from '../../../src/model/guard/held.ts';
import type { HeldRequest } from '../../../src/model/guard/held-shape.ts';
import { decide, guardPolicy } from '../../../src/model/guard/policy.ts';
import { answerHeld, listHeld, readHeld } from '../../../src/services/guard/approvals.ts';
import { describeUnapproved } from '../../../src/services/guard/door.ts';
import { type HeldQuestion, HeldRequests } from '../../../src/services/guard/held.ts';
import { askOnTerminal } from '../../../src/services/guard/terminal-approver.ts';
import { readRequestFacts } from '../../../src/v4/request-facts.ts';
import { newPerson, type Person, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { sleepers } from '../../support/sleepers.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';
import { keyPath, questionAbout } from './question-about.ts';
import { heldByNobody, type StartedGuard, startGuard } from './start-guard.ts';

let served: Served;
let kv: string;
let person: Person;
let guard: StartedGuard;

beforeAll(async () => {
  served = await openServed();
  const namespace = await served.createNamespace();
  kv = `/accounts/${served.person.env['EDGECTL_ACCOUNT_ID']}/storage/kv/namespaces/${namespace}`;
});
afterAll(() => served.close());

/** Starts a guard for a new user, and stops the guard at the end of the test. */
async function start(...flags: string[]): Promise<void> {
  person = newPerson(served.person.env);
  guard = await startGuard(person, flags);
  onTestFinished(async () => void (await guard.stop()));
}

const list = () => listHeld({ folders: foldersIn(person.home) }, 'console');
const answer = (number: string, given: HeldAnswer) =>
  answerHeld({ folders: foldersIn(person.home) }, number, given, { user: 'ann', by: 'console' });
const put = (key: string) => guard.call('PUT', `${kv}/values/${key}`, { body: `value of ${key}` });
const remove = (key: string) => guard.call('DELETE', `${kv}/values/${key}`);
const read = async (key: string) => (await guard.call('GET', `${kv}/values/${key}`)).status;
const message = ({ text }: { text: string }) => JSON.parse(text).errors[0].message as string;

/** Waits until an open console can see a held request. */
async function nextWaiting(): Promise<HeldRequest> {
  for (;;) {
    const waiting = (await list()).find(({ state }) => state === 'waiting');
    if (waiting !== undefined) return waiting;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function audit(): Promise<Record<string, unknown>[]> {
  return JSON.parse((await runCommand(person, ['audit', 'list', '--json'])).out);
}

test('holds a request until a person in the console approves it, and records the approver', async () => {
  await start();
  await put('a');
  await list();
  const removed = remove('a');
  const waiting = await nextWaiting();
  expect(waiting).toMatchObject({
    client: 'guard',
    method: 'DELETE',
    effect: 'destroy',
    name: 'a',
    count: 1,
  });
  expect(await read('a')).toBe(200);
  await answer(waiting.number, 'approve');
  expect((await removed).status).toBe(200);
  expect(await read('a')).toBe(404);
  expect((await audit())[1]).toMatchObject({
    decision: 'ask',
    approver: 'ann',
    held: waiting.number,
    status: 200,
  });
  expect(await list()).toEqual([]);
  // An approval is valid for one request only.
  const again = remove('a');
  await answer((await nextWaiting()).number, 'refuse');
  const refused = await again;
  expect([refused.status, message(refused)]).toEqual([403, expect.stringContaining('was refused')]);
  expect((await audit())[2]).toMatchObject({ outcome: 'refused', refusal: 'refused' });
});

test('refuses a request if nobody can answer, and accepts a later approval of one repetition', async () => {
  await start();
  await put('b');
  const refused = await remove('b');
  expect(message(refused)).toMatch(
    /nobody can be asked: no console is open, .* edgectl guard approve \d{3}-1, then repeat/,
  );
  const [late] = await list();
  expect(late).toMatchObject({ state: 'refused', name: 'b' });
  await answer(late?.number ?? '', 'approve');
  // A request with another path, method or body needs its own approval.
  const other = remove('other');
  await answer((await nextWaiting()).number, 'refuse');
  expect((await other).status).toBe(403);
  expect((await remove('b')).status).toBe(200);
  const again = remove('b');
  await answer((await nextWaiting()).number, 'refuse');
  expect((await again).status).toBe(403);
});

test('applies an approval for the run only to other names in the same namespace', async () => {
  await start();
  await list();
  const first = remove('c');
  await answer((await nextWaiting()).number, 'approve-same');
  expect((await first).status).toBe(200);
  expect((await remove('d')).status).toBe(200);
  const other = kv.slice(0, -1) + (kv.endsWith('0') ? '1' : '0');
  const elsewhere = guard.call('DELETE', `${other}/values/e`);
  await answer((await nextWaiting()).number, 'refuse');
  expect((await elsewhere).status).toBe(403);
});

test('applies an approval for an object only in the jurisdiction of its bucket', async () => {
  await start();
  await list();
  const path = `/accounts/${served.person.env['EDGECTL_ACCOUNT_ID']}/r2/buckets/data/objects/k`;
  const removeIn = async (jurisdiction: string) =>
    (await guard.call('DELETE', path, { headers: { 'cf-r2-jurisdiction': jurisdiction } })).status;
  const first = removeIn('eu');
  const waiting = await nextWaiting();
  expect(waiting).toMatchObject({ jurisdiction: 'eu' });
  await answer(waiting.number, 'approve-same');
  // The sandbox has no such bucket.
  expect([await first, await removeIn('eu')]).toEqual([404, 404]);
  const other = removeIn('us');
  await answer((await nextWaiting()).number, 'refuse');
  expect(await other).toBe(403);
});

test('applies an approval for the run only to requests with the same query', async () => {
  await start();
  await list();
  const path = `/accounts/${served.person.env['EDGECTL_ACCOUNT_ID']}/workers/scripts/none`;
  const first = guard.call('DELETE', path);
  await answer((await nextWaiting()).number, 'approve-same');
  expect((await first).status).toBe(404);
  const forced = guard.call('DELETE', `${path}?force=true`);
  const waiting = await nextWaiting();
  expect(waiting).toMatchObject({ path, query: '?force=true' });
  await answer(waiting.number, 'refuse');
  expect((await forced).status).toBe(403);
  // Only values of keys expire. On this route, the platform could interpret the parameter differently.
  const expiring = guard.call('DELETE', `${path}?expiration_ttl=60`);
  await answer((await nextWaiting()).number, 'refuse');
  expect((await expiring).status).toBe(403);
});

test('applies an approval for the run to values that expire at other times', async () => {
  const policy = join(scratchFolder(), 'policy.toml');
  writeFileSync(policy, '[[rule]]\ndecision = "ask"\nnoun = "key"\n[[rule]]\ndecision = "allow"\n');
  await start('--policy', policy);
  await list();
  const put = (name: string, seconds: number) =>
    guard.call('PUT', `${kv}/values/${name}?expiration_ttl=${seconds}`, { body: 'x' });
  const first = put('k1', 60);
  await answer((await nextWaiting()).number, 'approve-same');
  expect((await first).status).toBe(200);
  expect((await put('k2', 120)).status).toBe(200);
});

/** Starts a guard whose policy asks about bulk deletes, with a separate rule for more than two keys. */
async function startWithBulkRules(): Promise<void> {
  const policy = join(scratchFolder(), 'policy.toml');
  const rule = (name: string, more: string) => `[[rule]]\nname = "${name}"\ndecision = "ask"\n${more}\n`;
  const route = 'route = "*/bulk/delete"';
  writeFileSync(policy, rule('many', `${route}\nover = 2`) + rule('bulk deletes', route));
  await start('--policy', policy);
  await list();
}

const removeAll = (...keys: string[]) => guard.call('POST', `${kv}/bulk/delete`, json(keys));
const json = (body: unknown) => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

test('applies an approval for the run only to the rule that matches the number of keys in the body', async () => {
  await startWithBulkRules();
  const many = removeAll('k1', 'k2', 'k3');
  const first = await nextWaiting();
  expect(first).toMatchObject({ rules: ['many'], count: 3 });
  await answer(first.number, 'approve-same');
  expect((await many).status).toBe(200);
  const few = removeAll('k1', 'k2');
  const second = await nextWaiting();
  expect(second).toMatchObject({ rules: ['bulk deletes'], count: 2 });
  await answer(second.number, 'refuse');
  expect((await few).status).toBe(403);
  expect((await removeAll('k4', 'k5', 'k6')).status).toBe(200);
  expect(await audit()).toMatchObject([
    { rule: 'many', approver: 'ann', status: 200 },
    { rule: 'bulk deletes', refusal: 'refused' },
    { rule: 'many', approver: 'ann', status: 200 },
  ]);
});

test('an approval for the run covers a request only if it covers each rule that asks about a name', async () => {
  const rule = (name: string) => `[[rule]]\nname = "mine"\ndecision = "ask"\nnames = "${name}*"\n`;
  const policy = join(scratchFolder(), 'policy.toml');
  writeFileSync(policy, rule('staging') + rule('prod'));
  await start('--policy', policy);
  await list();
  const staging = removeAll('staging1');
  const { number } = await nextWaiting();
  const early = removeAll('staging1', 'prod1');
  await expect.poll(async () => (await list()).length).toBe(2);
  await answer(number, 'approve-same');
  expect((await staging).status).toBe(200);
  const waiting = await nextWaiting();
  expect(waiting).toMatchObject({ count: 2, rules: ['mine', 'mine'] });
  await answer(waiting.number, 'refuse');
  expect((await early).status).toBe(403);
  expect((await removeAll('staging2')).status).toBe(200);
  const mixed = removeAll('prod1', 'staging1');
  await answer((await nextWaiting()).number, 'approve-same');
  expect((await mixed).status).toBe(200);
  expect((await removeAll('staging3', 'prod2,\u001b')).status).toBe(200);
  const last = (await audit()).at(-1);
  expect(last).toMatchObject({ rules: ['mine', 'mine'], names: ['staging3', 'prod2,\u001b'] });
  const shown = await runCommand(person, ['audit', 'show', String(last?.['number'])]);
  expect(shown.out).toContain('names      "staging3", "prod2,\\u001b"\n');
  expect((await runCommand(person, ['audit', 'list', '--limit', '1'])).out).toContain(
    '  200 approved by ann  ',
  );
});

test('applies a rule that denies many items after the items in the body have been counted', async () => {
  const policy = join(scratchFolder(), 'policy.toml');
  const rule = (fields: string) => `[[rule]]\n${fields}\n`;
  writeFileSync(
    policy,
    rule('decision = "deny"\nroute = "*/domains/records"\nover = 2') + rule('decision = "allow"'),
  );
  await start('--policy', policy);
  const path = `/accounts/${served.person.env['EDGECTL_ACCOUNT_ID']}/workers/scripts/x/domains/records`;
  const send = (body: string) => guard.call('PUT', path, { body });
  expect((await send('[{}, {}]')).status).not.toBe(403);
  for (const body of ['[{}, {}, {}]', '{'])
    expect(message(await send(body))).toContain('forbids this request');
});

test('applies an approval for the run even if only the body decides which rule matches', async () => {
  await startWithBulkRules();
  const few = removeAll('k1');
  await answer((await nextWaiting()).number, 'approve-same');
  expect((await few).status).toBe(200);
  expect((await removeAll('k2', 'k3')).status).toBe(200);
});

test('applies an approval for the run only to the same body if only the body shows the effect', async () => {
  await start();
  await list();
  const mutate = (name: string) => guard.call('POST', '/graphql', json({ query: `mutation { ${name} }` }));
  const first = mutate('one');
  await answer((await nextWaiting()).number, 'approve-same');
  const { status } = await first;
  expect(status).not.toBe(403);
  // The sandbox answers each request in the same way.
  expect((await mutate('one')).status).toBe(status);
  const other = mutate('two');
  await answer((await nextWaiting()).number, 'refuse');
  expect((await other).status).toBe(403);
  expect(await audit()).toMatchObject([
    { decision: 'ask', approver: 'ann', status },
    { decision: 'ask', approver: 'ann', status },
    { decision: 'ask', refusal: 'refused' },
  ]);
});

test('shows the GraphQL query of a GET, and covers no other query by an approval for the run', async () => {
  await start();
  await list();
  const mutate = (name: string) => guard.call('GET', `/graphql?query=mutation%7B${name}%7D`);
  const first = mutate('one');
  const waiting = await nextWaiting();
  expect(waiting).toMatchObject({ query: '?query=mutation%7Bone%7D' });
  await answer(waiting.number, 'approve-same');
  expect((await first).status).not.toBe(403);
  const other = mutate('two');
  await answer((await nextWaiting()).number, 'refuse');
  expect((await other).status).toBe(403);
});

test('approves nothing for the run if the approval would depend on an unknown body', async () => {
  const world = { ...testWorld(), sleep: () => new Promise<void>(() => undefined) };
  const held = heldByNobody(world, 20_000);
  held.hasTerminal = true;
  const facts = readRequestFacts(
    { api: 's3', method: 'PUT', path: '/b1/key?acl' },
    { target: 'production', client: 'test' },
  );
  const decided = decide({ deciding: [guardPolicy] }, facts);
  const question = { ...questionAbout('one'), facts, decided, digest: undefined };
  const waiting = held.ask(question, new AbortController().signal);
  expect(held.list()[0]?.same).toMatch(/^only this request/);
  const ann = { user: 'ann', by: 'console' } as const;
  expect(await held.answer('100-1', 'approve-same', ann)).toMatch(/can only be approved individually/);
  expect(await held.answer('100-1', 'approve', ann)).toBeUndefined();
  expect(await waiting).toEqual({ number: '100-1', approver: 'ann' });
});

test('applies an approval for the run only to a credential with the same permissions', async () => {
  await start();
  await list();
  const path = `/accounts/${served.person.env['EDGECTL_ACCOUNT_ID']}/r2/temp-access-credentials`;
  const create = (permission: string) => guard.call('POST', path, json({ bucket: 'data', permission }));
  const first = create('object-read-only');
  const waiting = await nextWaiting();
  expect(waiting.same).toMatch(/, with the same body$/);
  await answer(waiting.number, 'approve-same');
  const { status } = await first;
  expect(status).not.toBe(403);
  expect((await create('object-read-only')).status).toBe(status);
  const broader = create('admin-read-write');
  await answer((await nextWaiting()).number, 'refuse');
  expect((await broader).status).toBe(403);
});

test('refuses a request that nobody answers in time, with its number and the time', async () => {
  await start('--wait', '1');
  await list();
  expect(message(await remove('f'))).toMatch(/and nobody answered in 1 s\. To approve request \d{3}-1/);
  expect((await audit())[0]).toMatchObject({ refusal: 'unanswered' });
});

test('a repetition with another body is not approved, and the number of keys in the body is shown', async () => {
  await start();
  const bulk = (keys: string[]) =>
    guard.call('POST', `${kv}/bulk/delete`, {
      body: JSON.stringify(keys),
      headers: { 'content-type': 'application/json' },
    });
  await bulk(['g', 'h']);
  const [late] = await list();
  expect(late).toMatchObject({ count: 2, bytes: 9 });
  const detail = await readHeld({ folders: foldersIn(person.home) }, late?.number ?? '');
  expect(detail?.sent).toEqual({ text: '["g","h"]', bytes: 9, total: 9 });
  await answer(late?.number ?? '', 'approve');
  const other = bulk(['g', 'i']);
  await answer((await nextWaiting()).number, 'refuse');
  expect((await other).status).toBe(403);
  expect((await bulk(['g', 'h'])).status).toBe(200);
});

test('shows the current value of the key that a request deletes', async () => {
  await start();
  await put('shown');
  await remove('shown');
  const [late] = await list();
  const detail = await readHeld({ folders: foldersIn(person.home) }, late?.number ?? '');
  expect(detail).toMatchObject({ present: { text: 'value of shown' }, request: { name: 'shown' } });
});

test('drops and records a request whose client disconnects', async () => {
  await start();
  await list();
  const leaving = new AbortController();
  const removed = guard.call('DELETE', `${kv}/values/left`, { signal: leaving.signal });
  const { number } = await nextWaiting();
  leaving.abort();
  await expect(removed).rejects.toThrow();
  await guard.untilShown(/closed the connection/);
  expect(await list()).toMatchObject([{ number, state: 'disconnected' }]);
  await expect(answer(number, 'approve')).rejects.toThrow(
    `Request ${number} was dropped: its program has closed the connection.`,
  );
  expect((await audit())[0]).toMatchObject({ outcome: 'refused', refusal: 'disconnected', held: number });
});

test('holds a body over 1 MiB in a file without a name, and sends it unchanged', async () => {
  await start();
  await list();
  const body = Buffer.alloc(3_000_000, 'x');
  const sent = guard.call('PUT', '/zones/z1/unknown', { body });
  const { number, bytes } = await nextWaiting();
  expect(bytes).toBe(body.length);
  expect(readdirSync(join(person.home, 'state')).filter((name) => name.startsWith('spool'))).toEqual([]);
  await answer(number, 'approve');
  // The error comes from the sandbox, which does not know the route: the request has passed the guard.
  expect(message(await sent)).not.toContain('Guard');
});

test.each([
  ['UTF-8', Buffer.from('outil-émis').toString('latin1')],
  ['Latin-1', 'outil-émis'],
])('the program name in a %s header is shown as its author wrote it', async (_, agent) => {
  await start('--wait', '0');
  const headers = { authorization: `Bearer ${guard.apiToken}`, 'user-agent': agent };
  const sent = request(`${guard.apiBaseUrl}${kv}/values/a`, { method: 'DELETE', headers }).end();
  const [answered] = await once(sent, 'response');
  expect(answered.statusCode).toBe(403);
  answered.resume();
  expect((await list())[0]).toMatchObject({ agent: 'outil-émis' });
});

test('reports a number without a waiting request as not found', async () => {
  await start();
  const ran = await runCommand(person, ['guard', 'refuse', '999-1']);
  expect([ran.code, ran.err]).toEqual([3, expect.stringContaining('no longer held')]);
  expect((await runCommand(person, ['guard', 'refuse', '../x'])).code).toBe(2);
});

test('guard approve asks at a terminal, and a program cannot answer', async () => {
  await start();
  await put('j');
  await remove('j');
  const [{ number } = { number: '' }] = JSON.parse(
    (await runCommand(person, ['guard', 'held', '--json'])).out,
  );
  const program = await runCommand(person, ['guard', 'approve', number, '--yes']);
  expect([program.code, program.err]).toEqual([5, expect.stringContaining('Only a person at a terminal')]);
  expect((await remove('j')).status).toBe(403);
  const [{ number: next } = { number: '' }] = JSON.parse(
    (await runCommand(person, ['guard', 'held', '--json'])).out,
  );
  const ran = await runCommand(person, ['guard', 'approve', next], { answers: ['y'] });
  expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('can be repeated once')]);
  expect((await remove('j')).status).toBe(200);
});

test('guard held shows the only key of a bulk request, which the path does not contain', async () => {
  await startWithBulkRules();
  const bulk = removeAll('k9');
  const { number } = await nextWaiting();
  expect((await runCommand(person, ['guard', 'held'])).out).toContain('"k9"');
  await answer(number, 'refuse');
  expect((await bulk).status).toBe(403);
});

test('guard held and guard approve escape control characters in a name once', async () => {
  await startWithBulkRules();
  const bulk = removeAll('k\n9');
  const { number } = await nextWaiting();
  expect((await runCommand(person, ['guard', 'held'])).out).toContain('"k\\n9"');
  const ran = await runCommand(person, ['guard', 'approve', number], { answers: ['n'] });
  expect([ran.code, ran.err]).toEqual([5, expect.stringMatching(/"k\\n9".*\nApprove request /)]);
  await answer(number, 'refuse');
  expect((await bulk).status).toBe(403);
});

test('only this user can enter the folder of the sockets, and an open folder is not used', async () => {
  await start();
  const folder = join(person.home, 'state', 'guards');
  const [socket = ''] = readdirSync(folder);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, socket)).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  chmodSync(folder, 0o755);
  await expect(list()).rejects.toThrow('is open to other users');
});

test('a new guard waits until consoles have had time to find it', async () => {
  const clock = sleepers();
  const held = heldByNobody({ ...testWorld(), sleep: clock.sleep }, 20_000);
  const found = held.ask(questionAbout('one'), new AbortController().signal);
  const missed = held.ask(questionAbout('two'), new AbortController().signal);
  held.noticeConsole();
  clock.pass(1500);
  expect(held.list().map(({ state }) => state)).toEqual(['waiting', 'waiting']);
  await held.answer('100-1', 'approve', { user: 'ann', by: 'console' });
  expect(await found).toMatchObject({ approver: 'ann' });
  clock.pass(20_000);
  expect(await missed).toMatchObject({ refusal: 'unanswered' });

  const alone = heldByNobody({ ...testWorld(), sleep: clock.sleep }, 20_000);
  const refused = alone.ask(questionAbout('three'), new AbortController().signal);
  clock.pass(1500);
  expect(await refused).toMatchObject({ refusal: 'nobody' });
});

test('the message about a guard that ends with its program, or a body without a digest, promises no later approval', () => {
  const about = { number: '100-1', waitMs: 20_000 };
  const describe = (endsWithProgram: boolean, isRepeatable = true) =>
    describeHeldRefusal('unanswered', 'rule "deletes"', { ...about, endsWithProgram, isRepeatable });
  expect(describe(false)).toContain('within 10 minutes, use the console or edgectl guard approve 100-1');
  expect(describe(true)).toMatch(/while this program runs, .*--wait 120, or use edgectl guard start\.$/);
  for (const endsWithProgram of [true, false])
    expect(describe(endsWithProgram, false)).toMatch(/cannot be approved later(?!.*guard approve)/);
});

test.each([
  ['100 other requests are already waiting, so this request did not wait', ['one', 'two', 'three']],
  ['50 other requests from this program are already waiting, so this request did not wait', ['one', 'one']],
])('a request that cannot wait is refused with the reason: %s', async (reason, agents) => {
  const held = heldByNobody({ ...testWorld(), sleep: () => new Promise<void>(() => undefined) }, 60_000);
  held.hasTerminal = true;
  const stay = new AbortController().signal;
  const ask = (key: string, agent = '') => held.ask({ ...questionAbout(key), agent }, stay);
  for (const [turn, agent] of agents.slice(0, -1).entries())
    for (let index = 0; index < 50; index++) void ask(`key-${turn}-${index}`, agent);
  const verdict = await ask('last', agents.at(-1));
  if ('approver' in verdict) throw new Error('The request was approved.');
  expect(verdict).toMatchObject({ refusal: 'unanswered' });
  const { decided } = questionAbout('last');
  const message = describeUnapproved(held, { decided, verdict, lost: undefined });
  expect(message).toContain(reason);
  expect(message).toContain(`edgectl guard approve ${verdict.number}`);
  expect(message).not.toContain('60 s');
  expect(held.list().filter(({ state }) => state === 'waiting')).toHaveLength(50 * (agents.length - 1));
  held.close();
});

test('the terminal of a guard answers requests one at a time', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const shown: string[] = [];
  const world = {
    ...testWorld(),
    stdin,
    sleep: () => new Promise<void>(() => undefined),
  };
  const held = heldByNobody(world, 20_000);
  const stop = askOnTerminal(held, {
    world,
    user: 'ann',
    print: (line) => shown.push(line),
    askSecret: async () => undefined,
  });
  const ask = (key: string, gone = new AbortController()) => held.ask(questionAbout(key), gone.signal);
  const leaving = new AbortController();
  const first = ask('one', leaving);
  const second = ask('two');
  leaving.abort();
  expect(await first).toMatchObject({ refusal: 'disconnected' });
  expect(shown.join('\n')).toContain('Request 100-1: its program has closed the connection.');
  await expect.poll(() => shown.at(-1)).toContain('Approve 100-2? Type y2 (yes)');
  // Input that answers no request: without a number, with the number of the first request, which no longer waits, or with more than one
  // answer.
  for (const typed of ['y', 'y1', 's1', 'y1y2', '', 'maybe']) {
    const before = shown.length;
    stdin.write(`${typed}\n`);
    await expect.poll(() => shown.length).toBe(before + 1);
    expect(shown.at(-1)).toMatch(/^Request 100-2 is not answered\. Type y2/);
  }
  stdin.write('y2\n');
  expect(await second).toEqual({ number: '100-2', approver: 'ann' });
  await expect.poll(() => shown.at(-1)).toBe('Approved request 100-2.');
  expect(shown.join('\n')).toContain(`DELETE ${keyPath('two')}`);
  expect(shown).toContain('  Affects "two".');
  stdin.write('y2\n');
  await expect.poll(() => shown.at(-1)).toBe('Request 100-2 is not waiting for an answer.');
  const bulk = questionAbout('bulk');
  const names = Array.from({ length: 7 }, (_, index) => `key ${index}`);
  const facts = { ...bulk.facts, name: undefined, listed: { name: names }, count: 7 };
  held.ask({ ...bulk, facts }, new AbortController().signal);
  await expect
    .poll(() => shown)
    .toContain('  Affects "key 0", "key 1", "key 2", "key 3", "key 4" and 2 more.');
  stop();
});

test('an approval for the run also approves equal waiting requests, and no others', async () => {
  const held = heldByNobody({ ...testWorld(), sleep: () => new Promise<void>(() => undefined) }, 20_000);
  held.hasTerminal = true;
  const stay = new AbortController().signal;
  const others = [
    questionAbout('a', { within: '0'.repeat(32) }),
    questionAbout('a', { target: 'preview' }),
    questionAbout('a', { place: 'the other profile' }),
  ];
  const same = [questionAbout('a'), questionAbout('b')].map((one) => held.ask(one, stay));
  const waiting = others.map((one) => held.ask(one, stay));
  expect(await held.answer('100-1', 'approve-same', { user: 'ann', by: 'terminal' })).toBeUndefined();
  expect(await Promise.all(same)).toEqual([
    { number: '100-1', approver: 'ann' },
    { number: '100-2', approver: 'ann' },
  ]);
  expect(held.list().map(({ number, state }) => [number, state])).toEqual([
    ['100-3', 'waiting'],
    ['100-4', 'waiting'],
    ['100-5', 'waiting'],
  ]);
  const find = (question: HeldQuestion) => held.findSameApproval(question)?.approver;
  expect([questionAbout('c'), ...others].map(find)).toEqual(['ann', undefined, undefined, undefined]);
  held.close();
  expect(await Promise.all(waiting)).toMatchObject(others.map(() => ({ refusal: 'ended' })));
});

test('accepts only the first of two answers that are given together', async () => {
  const world = { ...testWorld(), sleep: () => new Promise<void>(() => undefined) };
  const held = heldByNobody(world, 20_000);
  held.hasTerminal = true;
  const waiting = held.ask(questionAbout('one'), new AbortController().signal);
  const ann = { user: 'ann', by: 'console' } as const;
  const answers = [held.answer('100-1', 'approve', ann), held.answer('100-1', 'refuse', ann)];
  expect(await Promise.all(answers)).toEqual([undefined, 'Request 100-1 is no longer held.']);
  expect(await waiting).toEqual({ number: '100-1', approver: 'ann' });
});

test.each([
  ['that disconnect', true],
  ['that nobody answers', false],
])('requests %s do not evict any approval', async (_, hasTerminal) => {
  const clock = { now: 1_000_000 };
  const world = { ...testWorld(), now: () => clock.now, sleep: () => new Promise<void>(() => undefined) };
  const held = heldByNobody(world, 20_000);
  clock.now += 1500;
  const stay = new AbortController().signal;
  expect(await held.ask(questionAbout('approved'), stay)).toMatchObject({ refusal: 'nobody' });
  await held.answer('100-1', 'approve', { user: 'ann', by: 'command' });
  held.hasTerminal = hasTerminal;
  for (let count = 0; count < 320; count += 1) {
    const leaving = new AbortController();
    const asked = held.ask(questionAbout(`key ${count}`), leaving.signal);
    leaving.abort();
    expect(await asked).toMatchObject({ refusal: hasTerminal ? 'disconnected' : 'nobody' });
  }
  const listed = held.list();
  expect(listed.length).toBeLessThanOrEqual(hasTerminal ? 21 : 300);
  expect(listed.at(-1)).toMatchObject({ name: 'key 319' });
  expect(await held.ask(questionAbout('approved'), stay)).toEqual({ number: '100-1', approver: 'ann' });
});

test('requires the passphrase in each interface to approve a request of a locked guard', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const shown: string[] = [];
  const world = { ...testWorld(), stdin, sleep: () => new Promise<void>(() => undefined) };
  const auth = () => ({ token: 't' });
  const lock = { profile: 'acme', auth, check: async (typed: string) => typed === 'correct horse' };
  const held = new HeldRequests({ name: '100', place: 'a test', waitMs: 20_000, world, lock });
  const typed = ['wrong', 'correct horse'];
  const questions: string[] = [];
  const stop = askOnTerminal(held, {
    world,
    user: 'ann',
    print: (line) => shown.push(line),
    askSecret: async (question) => {
      questions.push(question);
      return typed.shift();
    },
  });
  const asked = held.ask(questionAbout('one'), new AbortController().signal);
  expect(held.list()).toMatchObject([{ number: '100-1', locked: 'acme' }]);
  for (const passphrase of [undefined, '', 'guess'])
    expect(await held.answer('100-1', 'approve-same', { user: 'ann', by: 'console', passphrase })).toBe(
      'Not approved: the approver must type the passphrase of profile "acme".',
    );
  stdin.write('y1\n');
  await expect.poll(() => shown.join('\n')).toContain('Not approved');
  await expect.poll(() => shown.filter((line) => line.startsWith('Approve 100-1?')).length).toBe(2);
  expect(held.list()).toMatchObject([{ state: 'waiting' }]);
  stdin.write('y1\n');
  expect(await asked).toEqual({ number: '100-1', approver: 'ann' });
  expect(questions[0]).toBe('Passphrase of profile acme, to approve request 100-1: ');
  // A refusal needs no passphrase.
  const refused = held.ask(questionAbout('two'), new AbortController().signal);
  expect(await held.answer('100-2', 'refuse', { user: 'ann', by: 'command' })).toBeUndefined();
  expect(await refused).toMatchObject({ refusal: 'refused' });
  stop();
});

/** Starts a guard, creates a bucket, and returns an S3 client for the guard. */
async function startS3(bucket: string): Promise<S3Client> {
  await start();
  await list();
  const buckets = `${kv.slice(0, kv.indexOf('/storage'))}/r2/buckets`;
  expect((await guard.call('POST', buckets, { body: JSON.stringify({ name: bucket }) })).status).toBe(200);
  const client = new S3Client({ ...guard.s3, region: 'auto', maxAttempts: 1, forcePathStyle: true });
  onTestFinished(() => client.destroy());
  return client;
}

test('a held request over the S3 API shows the current state of its object', async () => {
  const client = await startS3('shown');
  await client.send(new PutObjectCommand({ Bucket: 'shown', Key: 'a b', Body: 'the content' }));
  await list();
  const removed = client.send(new DeleteObjectCommand({ Bucket: 'shown', Key: 'a b' }));
  const { number } = await nextWaiting();
  expect(await readHeld({ folders: foldersIn(person.home) }, number)).toMatchObject({
    sent: 'none',
    present: { text: 'the content', bytes: 11, total: 11 },
  });
  await answer(number, 'approve');
  await removed;
});

test('shows the name in a list of one name, and says that equal requests include lists of any length', async () => {
  const client = await startS3('lists');
  const listed = async (sent: Promise<unknown>) => {
    const waiting = await nextWaiting();
    const held = await runCommand(person, ['guard', 'held']);
    await answer(waiting.number, 'refuse');
    await sent.catch(() => undefined);
    return { waiting, held: held.out };
  };
  const bulk = await listed(removeAll('values'));
  expect(bulk.waiting).toMatchObject({ names: ['values'], effect: 'destroy', count: 1 });
  expect(bulk.waiting.same).toMatch(
    /rule "deletes": POST .*\/bulk\/delete, with any names and any number of items, in the same namespace$/,
  );
  expect(bulk.held).toMatch(/ {2}destroy {2}POST .*\/bulk\/delete {2}"values" {2}rule "deletes"/);
  // The key is a part of the path.
  await list();
  const Delete = { Objects: [{ Key: 'lists' }] };
  const objects = await listed(client.send(new DeleteObjectsCommand({ Bucket: 'lists', Delete })));
  expect(objects.waiting).toMatchObject({ names: ['lists'], path: 's3:/lists/', count: 1 });
  expect(objects.held).toMatch(/POST s3:\/lists\/ {2}"lists" {2}rule "deletes"/);
  await list();
  const one = await listed(remove('a'));
  expect(one.waiting.same).toMatch(/, with any name, in the same namespace$/);
});

test('quotes text that a program chooses', async () => {
  await start();
  await list();
  const path = `/accounts/${served.person.env['EDGECTL_ACCOUNT_ID']}/r2/buckets/data/objects/k`;
  const removed = guard.call('DELETE', path, {
    headers: { 'cf-r2-jurisdiction': 'eu', 'user-agent': 'x) to profile "staging' },
  });
  const waiting = await nextWaiting();
  expect(formatProgram(waiting)).toBe('guard (calls itself "x) to profile \\"staging")');
  expect(formatHeldRequest(waiting)).toBe(`DELETE ${path}, jurisdiction "eu"`);
  await answer(waiting.number, 'refuse');
  expect((await removed).status).toBe(403);
  for (const jurisdiction of ['x) rule "nothing', 'EU', 'default, eu', '']) {
    const refused = await guard.call('DELETE', path, { headers: { 'cf-r2-jurisdiction': jurisdiction } });
    expect([refused.status, message(refused)]).toEqual([
      400,
      expect.stringContaining('The header cf-r2-jurisdiction must be sent only once'),
    ]);
  }
});

test('guard approve --same shows which requests it approves, and says that it approved them', async () => {
  await start();
  await put('a');
  await put('b');
  const [, number = ''] = /guard approve (\d+-\d+)/.exec((await remove('a')).text) ?? [];
  const ran = await runCommand(person, ['guard', 'approve', number, '--same'], { answers: ['y'] });
  expect(ran.err).toMatch(
    /\nMatching requests: waiting and later requests under rule "deletes": DELETE \/accounts\//,
  );
  expect(ran.err).toContain(`.\nApprove request ${number} and matching requests until the guard stops?`);
  expect(ran.err).not.toContain('\\n');
  expect(ran.out).toBe(`Approved request ${number}, and matching requests until the guard stops.\n`);
  expect((await remove('b')).status).toBe(200);
});
