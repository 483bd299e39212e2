import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitForExit } from '../../support/kills.ts';
import { startSandbox } from '../../support/program.ts';
import { createNamespace, mustRun, personAt, startProcess } from '../../support/reliability/processes.ts';

const writes = 10_000;
const clients = 20;
const kills = 10;
/** Returns true if the guard denies the write with this number: it denies every tenth write. */
const isDenied = (index: number) => index % 10 === 0;
const keyOf = (index: number) => (isDenied(index) ? `denied-${index}` : `key-${index}`);

const policy = `
[[rule]]
name = "never"
decision = "deny"
effect = "change"
names = "denied-*"

[[rule]]
name = "writes"
decision = "allow"
effect = ["read", "change"]
`;

test('after kill -9 of the guard during 10,000 writes, log and platform agree, and the platform received no refused write', async () => {
  const sandbox = await startSandbox();
  const person = personAt(sandbox);
  const namespace = await createNamespace(person, 'guarded');
  writeFileSync(join(person.cwd, 'policy.toml'), policy);
  const path = `/accounts/${sandbox.ready.accountId}/storage/kv/namespaces/${namespace}/values`;
  let guard = startGuard();
  let sent = 0;
  let killed = 0;
  const answered = new Map<string, number>();
  const write = async () => {
    for (let index = sent++; index < writes; index = sent++) {
      // A client that got no answer cannot know whether the write was executed, so the test does not repeat the write.
      const { base, token } = await guard;
      const status = await fetch(`${base}${path}/${keyOf(index)}`, {
        method: 'PUT',
        body: 'x',
        headers: { authorization: `Bearer ${token}` },
      }).then(
        (answer) => answer.status,
        () => undefined,
      );
      if (status !== undefined) answered.set(keyOf(index), status);
      if (index >= ((killed + 1) * writes) / (kills + 1)) await restart();
    }
  };
  const restart = async () => {
    killed += 1;
    const { child } = await guard;
    child.kill('SIGKILL');
    guard = waitForExit(child).then(startGuard);
    await guard;
  };
  await Promise.all(Array.from({ length: clients }, write));
  const { child: last } = await guard;
  last.kill('SIGTERM');
  await waitForExit(last);
  expect(killed).toBe(kills);

  await mustRun(person, ['audit', 'verify']);
  const records: AuditRow[] = JSON.parse(await mustRun(person, ['audit', 'list', '--json', '--limit', '0']));
  const listed = await mustRun(person, ['kv', 'key', 'list', '--namespace-id', namespace, '--json']);
  const stored = new Set(JSON.parse(listed).map(({ name }: { name: string }) => name));
  const recorded = new Map(
    records.filter(({ namespace: one }) => one === namespace).map((record) => [record.name, record]),
  );
  // The log contains all writes that were executed.
  expect([...stored].filter((name) => !recorded.has(name as string))).toEqual([]);
  // The log's records of answers are correct.
  const succeeded = [...recorded.values()].filter(({ status }) => status === 200).map(({ name }) => name);
  expect(succeeded.filter((name) => !stored.has(name))).toEqual([]);
  const promised = [...answered].filter(([, status]) => status === 200).map(([name]) => name);
  expect(promised.filter((name) => !stored.has(name))).toEqual([]);
  // No refused write was executed.
  expect([...stored].filter((name) => (name as string).startsWith('denied'))).toEqual([]);
  const refused = [...answered].filter(([, status]) => status === 403).map(([name]) => name);
  expect(refused.filter((name) => recorded.get(name)?.outcome !== 'refused')).toEqual([]);
  expect(promised.length).toBeGreaterThan(writes * 0.8);
  await sandbox.stop();

  async function startGuard(): Promise<{ child: ChildProcess; base: string; token: string }> {
    const argv = ['guard', 'start', '--json', '--policy', 'policy.toml'];
    const child = startProcess(person, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    for await (const chunk of child.stdout ?? []) {
      text += chunk;
      if (text.trimEnd().endsWith('}')) break;
    }
    const { apiBaseUrl, apiToken } = JSON.parse(text);
    return { child, base: apiBaseUrl, token: apiToken };
  }
});

interface AuditRow {
  readonly name: string;
  readonly namespace: string;
  readonly outcome: string;
  readonly status?: number;
}
