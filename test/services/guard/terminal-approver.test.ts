import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { decide } from '../../../src/model/guard/policy.ts';
import { truncateMessage } from '../../../src/model/long-text.ts';
import { Problem } from '../../../src/model/problem.ts';
import { listHeld } from '../../../src/services/guard/approvals.ts';
import { type HeldQuestion, HeldRequests } from '../../../src/services/guard/held.ts';
import { askOnTerminal } from '../../../src/services/guard/terminal-approver.ts';
import { readRequestFacts } from '../../../src/v4/request-facts.ts';
import { program, userEnvironment } from '../../support/program.ts';
import { closePtys, openPty } from '../../support/pty.ts';
import { newPerson, runCommand } from '../../support/run-command.ts';
import { openServed } from '../../support/served.ts';
import { sleepers } from '../../support/sleepers.ts';
import { foldersIn, testWorld } from '../../support/world.ts';
import { keyPath, questionAbout } from './question-about.ts';

afterEach(closePtys);

const passphrase = 'correct horse';

/** Asks about the requests of a locked profile on a terminal whose clock and passphrase prompts the test controls. */
function openLocked() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const shown: string[] = [];
  const clock = sleepers();
  let passed = 0;
  const world = { ...testWorld(), stdin, sleep: clock.sleep, now: () => passed };
  const lock = {
    profile: 'acme',
    auth: () => ({ token: 't' }),
    check: async (typed: string) => typed === passphrase,
  };
  const held = new HeldRequests({ name: '100', place: 'a test', waitMs: 20_000, world, lock });
  const prompts: PromiseWithResolvers<string>[] = [];
  const stop = askOnTerminal(held, {
    world,
    user: 'ann',
    print: (line) => shown.push(line),
    askSecret() {
      const prompt = Promise.withResolvers<string>();
      prompts.push(prompt);
      return prompt.promise;
    },
  });
  onTestFinished(stop);
  return {
    held,
    stdin,
    shown,
    stop,
    ask: (question: HeldQuestion, gone = new AbortController()) => held.ask(question, gone.signal),
    pass(milliseconds: number) {
      passed += milliseconds;
      clock.pass(milliseconds);
    },
    /** Waits for the prompt with this index. */
    async prompt(index: number) {
      await expect.poll(() => prompts.length).toBe(index + 1);
      return prompts[index] as PromiseWithResolvers<string>;
    },
  };
}

test.each([
  ['interrupted', new Problem('interrupted', 'Interrupted; nothing was changed.')],
  ['refused because several lines were pasted', new Problem('invalid-input', 'Several lines were pasted.')],
])('asks a question again after its passphrase prompt was %s', async (_, problem) => {
  const { stdin, shown, ask, prompt } = openLocked();
  const asked = ask(questionAbout('one'));
  stdin.write('y1\n');
  (await prompt(0)).reject(problem);
  await expect.poll(() => shown.at(-1)).toContain('Approve 100-1?');
  expect(shown).toContain(problem.message);
  stdin.write('y1\n');
  (await prompt(1)).resolve(passphrase);
  expect(await asked).toEqual({ number: '100-1', approver: 'ann' });
});

test('does not ask again about a request that ends during its passphrase prompt, and asks the next question', async () => {
  const { stdin, shown, ask, prompt } = openLocked();
  const gone = new AbortController();
  const first = ask(questionAbout('one'), gone);
  stdin.write('y1\n');
  const typing = await prompt(0);
  ask(questionAbout('two'));
  gone.abort();
  expect(await first).toMatchObject({ refusal: 'disconnected' });
  const before = shown.length;
  typing.reject(new Problem('interrupted', 'Interrupted; nothing was changed.'));
  await expect.poll(() => shown.at(-1)).toContain('Approve 100-2?');
  expect(shown.slice(before, before + 3)).toEqual([
    'Interrupted; nothing was changed.',
    'Request 100-1: its program has closed the connection.',
    'Request 100-2 from test to a test:',
  ]);
});

test('shows no question while the user types a passphrase, and loses no line', async () => {
  const { stdin, shown, ask, prompt } = openLocked();
  const first = ask(questionAbout('one'));
  const second = ask(questionAbout('two'));
  const before = shown.length;
  // The second line arrives together with the first.
  stdin.write('y1\nn2\n');
  const typing = await prompt(0);
  ask(questionAbout('three'));
  expect(shown.slice(before)).toEqual([]);
  typing.resolve(passphrase);
  expect(await first).toEqual({ number: '100-1', approver: 'ann' });
  expect(await second).toMatchObject({ refusal: 'refused' });
  await expect.poll(() => shown.at(-1)).toContain('Approve 100-3?');
});

/** Returns a question about a request. One of the user's rules asks about all requests. */
function questionWith(input: Parameters<typeof readRequestFacts>[0]): HeldQuestion {
  const facts = readRequestFacts(input, { target: 'production', client: 'test' });
  const rule = { name: 'all', decision: 'ask' } as const;
  const decided = decide({ deciding: [{ source: 'user', path: '/policy.toml', rules: [rule] }] }, facts);
  return { ...questionAbout('any'), facts, decided, path: input.path };
}

test('shortens a long path as text, not as a pattern of a replacement', async () => {
  const { shown, ask, stdin } = openLocked();
  const path = `/zones/z1/${"$&$`$'".repeat(60)}`;
  const waiting = ask(questionWith({ method: 'POST', path }));
  const same = shown.find((line) => line.startsWith('  Matching requests: ')) ?? '';
  expect(same.length).toBeLessThan(500);
  expect(same.match(/zones/g)).toHaveLength(1);
  stdin.write('n1\n');
  await waiting;
});

test('shows the query, the source and the jurisdiction of a request with a long path', async () => {
  const { shown, ask, stdin } = openLocked();
  // Commands cut words of more than 1,000 characters in their output.
  const output = () => truncateMessage(shown.join('\n'));
  const key = encodeURIComponent('€'.repeat(170));
  const query = `?expiration_ttl=60&${'filler=1&'.repeat(150)}cascade=true`;
  const written = ask(questionWith({ method: 'PUT', path: `${keyPath(key)}${query}` }));
  const lines = output().split('\n');
  expect(lines[1]).toMatch(/^ {2}PUT \/accounts\/.*… \(\d+ more characters\)/);
  expect(output().replaceAll(/\n {4}/g, '')).toContain(`  Query: ${query}\n`);
  expect(output()).toMatch(
    / {2}Matching requests: .*: PUT \S+values\/\*key\?.* with any name.* until the guard stops\./,
  );
  stdin.write('n1\n');
  await written;
  shown.length = 0;
  const source = `/private/${encodeURIComponent('ä'.repeat(300))}/secret.txt`;
  const path = `/assets/${encodeURIComponent('€'.repeat(340))}`;
  const headers = { 'x-amz-copy-source': source };
  const question = questionWith({ method: 'PUT', path, headers, api: 's3' });
  const copied = ask({ ...question, facts: { ...question.facts, jurisdiction: 'eu' } });
  expect(output().replaceAll(/\n {4}/g, '')).toContain(`  Copied from "${source}"\n  Jurisdiction "eu"\n`);
  expect(output()).toMatch(
    / {2}Matching requests: .*copied from "\/private\/%C3%A4\S*…", until the guard stops\./,
  );
  stdin.write('n2\n');
  await copied;
});

test('shows that an approval of a write to an unknown route covers only the same body', async () => {
  const { shown, ask, stdin } = openLocked();
  const asked = ask(questionWith({ method: 'POST', path: '/accounts/a1/unknown' }));
  expect(shown).toContainEqual(
    expect.stringMatching(
      /^ {2}Matching requests: .*: POST \/accounts\/a1\/unknown, with the same body, until/,
    ),
  );
  stdin.write('n1\n');
  await asked;
});

test('pauses the wait of a request while the user types its passphrase, for up to two minutes', async () => {
  const { held, stdin, shown, ask, pass, prompt } = openLocked();
  const late = ask(questionAbout('one'));
  stdin.write('y1\n');
  pass(19_000);
  (await prompt(0)).resolve('wrong');
  await expect.poll(() => shown.join('\n')).toContain('Not approved');
  stdin.write('y1\n');
  const second = await prompt(1);
  const other = ask(questionAbout('two'));
  pass(60_000);
  expect(await other).toMatchObject({ refusal: 'unanswered' });
  expect(held.list()[0]).toMatchObject({ number: '100-1', state: 'waiting' });
  second.resolve(passphrase);
  expect(await late).toEqual({ number: '100-1', approver: 'ann' });
  const never = ask(questionAbout('three'));
  stdin.write('y3\n');
  const third = await prompt(2);
  pass(139_000);
  expect(held.list()[0]).toMatchObject({ number: '100-3', state: 'waiting' });
  pass(1000);
  expect(await never).toMatchObject({ refusal: 'unanswered' });
  third.resolve(passphrase);
  await expect
    .poll(() => shown.at(-1))
    .toBe('Approved request 100-3: it can be repeated once within 10 minutes.');
});

test('continues the rest of the wait after a passphrase prompt', async () => {
  const { shown, stdin, ask, pass, prompt } = openLocked();
  const asked = ask(questionAbout('one'));
  pass(5000);
  stdin.write('y1\n');
  const typing = await prompt(0);
  pass(100_000);
  typing.resolve('');
  await expect.poll(() => shown.at(-1)).toContain('Approve 100-1?');
  pass(14_999);
  expect(shown.at(-1)).toContain('Approve 100-1?');
  pass(1);
  expect(await asked).toMatchObject({ refusal: 'unanswered' });
});

/** Starts the built program's guard of a locked profile on a real terminal. */
async function startLocked() {
  const served = await openServed();
  onTestFinished(() => served.close());
  const namespace = await served.createNamespace();
  const { accountId, apiToken } = served.sandbox.access();
  const person = newPerson();
  const place = ['--api-base-url', served.proxy.apiBaseUrl, '--account-id', accountId];
  await runCommand(person, ['profile', 'add', 'acme', '--use', ...place], { stdin: apiToken });
  await runCommand(person, ['profile', 'lock', 'acme'], { answers: [passphrase, passphrase] });
  const config = join(person.home, '.config');
  mkdirSync(config);
  renameSync(join(person.home, 'config'), join(config, 'edgectl'));
  const pty = openPty(process.execPath, [program, 'guard', 'start', '--wait', '60'], {
    cwd: person.cwd,
    env: userEnvironment(person.home),
    columns: 160,
    rows: 60,
  });
  await pty.screen.waitFor('Passphrase of profile acme');
  pty.send(`${passphrase}\r`);
  await pty.screen.waitFor('export RCLONE_CONFIG_GUARD_NO_CHECK_BUCKET');
  const variable = (name: string) => new RegExp(`^export ${name}=(.*?)\\r?$`, 'm').exec(pty.screen.raw)?.[1];
  const key = (name: string) =>
    `${variable('CLOUDFLARE_BASE_URL')}/accounts/${accountId}/storage/kv/namespaces/${namespace}/values/${name}`;
  const headers = { authorization: `Bearer ${variable('CLOUDFLARE_API_TOKEN')}` };
  const folders = { ...foldersIn(person.home), state: join(person.home, '.local', 'state', 'edgectl') };
  return {
    pty,
    async countWaiting() {
      const held = await listHeld({ folders }, 'command');
      return held.filter(({ state }) => state === 'waiting').length;
    },
    async remove(name: string) {
      const { status } = await fetch(key(name), { method: 'DELETE', headers });
      return status;
    },
    async put(name: string) {
      const { status } = await fetch(key(name), { method: 'PUT', headers, body: 'x' });
      return status;
    },
  };
}

test('asks a question again on a terminal after each failed passphrase prompt, and does not interrupt a prompt', async () => {
  const { pty, put, remove, countWaiting } = await startLocked();
  const { screen } = pty;
  expect([await put('a'), await put('b')]).toEqual([200, 200]);
  const first = remove('a');
  const shows = (text: string, count: number) =>
    screen.waitFor(() => screen.raw.split(text).length === count + 1);
  await shows('Type y1', 1);
  const failures = [
    ['wrong\r', 'Not approved', 1],
    ['\u0003', 'Interrupted', 1],
    ['\u0004', 'Not approved', 2],
  ] as const;
  for (const [index, [typed, shown, count]] of failures.entries()) {
    pty.send('y1\r');
    await shows('to approve request', index + 1);
    pty.send(typed);
    await shows(shown, count);
    await shows('Type y1', index + 2);
  }
  pty.send('y1\r');
  await shows('to approve request', 4);
  const before = screen.raw.length;
  const second = remove('b');
  await expect.poll(countWaiting).toBe(2);
  expect(screen.raw.slice(before)).toBe('');
  pty.send(`${passphrase}\r`);
  expect(await first).toBe(200);
  await shows('Type y2', 1);
  pty.send('n2\r');
  expect(await second).toBe(403);
  expect(screen.raw).not.toContain(passphrase);
  pty.press('ctrl+c');
  expect((await pty.ended).code).toBe(0);
});
