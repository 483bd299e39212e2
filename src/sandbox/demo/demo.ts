import type { BulkEntry } from '../../model/kv/kv.ts';
import { Problem } from '../../model/problem.ts';
import { readBody } from '../../v4/send.ts';
import type { Sandbox } from '../http/app.ts';
import type { SeededNamespace } from './data.ts';

/**
 * Fills a sandbox with demo data: five namespaces with a few hundred keys, three buckets, a worker that uses them, and custom hostnames in
 * every state. A second run restores the keys (including expired keys), the buckets and the worker. Other data is kept. Refuses local data,
 * whose namespaces have no titles.
 */
export async function seedDemo(sandbox: Sandbox): Promise<SeededNamespace[]> {
  const { demoNamespaces } = await import('./data.ts');
  const known = await titles(sandbox);
  const seeded: SeededNamespace[] = [];
  for (const { title, entries } of demoNamespaces()) {
    const id = known.get(title) ?? (await create(sandbox, title));
    await request(sandbox, 'PUT', `/${id}/bulk`, entries);
    seeded.push({ id, title, keys: entries.length });
  }
  const { seedBuckets } = await import('./buckets.ts');
  await seedBuckets(sandbox);
  const { seedWorkers } = await import('./workers.ts');
  seedWorkers(sandbox, seeded);
  const { seedHostnames } = await import('../hostnames/demo.ts');
  await seedHostnames(sandbox.platform);
  return seeded;
}

async function titles(sandbox: Sandbox): Promise<Map<string, string>> {
  const list = (await request(sandbox, 'GET', '?per_page=1000')) as { id: string; title: string }[];
  return new Map(list.map(({ id, title }) => [title, id]));
}

async function create(sandbox: Sandbox, title: string): Promise<string> {
  const { id } = (await request(sandbox, 'POST', '', { title })) as { id: string };
  return id;
}

/** Sends a request to a path below the namespaces of the sandbox's account, with the account's own credentials. */
async function request(
  sandbox: Sandbox,
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  body?: readonly BulkEntry[] | { title: string },
): Promise<unknown> {
  const { accountId, apiToken } = sandbox.access();
  const answer = await sandbox.send({
    method,
    path: `/accounts/${accountId}/storage/kv/namespaces${path}`,
    headers: { authorization: `Bearer ${apiToken}` },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    repeatable: false,
  });
  const text = Buffer.from(await readBody(answer.body)).toString('utf8');
  if (answer.status !== 200) throw new Problem('bug', `The demo data was refused: ${text}`);
  return JSON.parse(text).result;
}
