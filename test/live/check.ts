import { randomBytes } from 'node:crypto';
import type { TestSandbox } from '../../src/library/sandbox-types.ts';
import { answersOf, type LiveAnswer, type Place } from './answers.ts';
import { cases, namePrefix } from './cases.ts';
import { differencesBetween, type LiveDifference } from './compare.ts';

export interface LiveReport {
  readonly answers: readonly LiveAnswer[];
  readonly differences: readonly LiveDifference[];
  /** Resources that the check has created and could not delete. */
  readonly left: readonly string[];
}

/** Sends the same calls to a platform and to a new sandbox, and compares the answers. Deletes all created resources. */
export async function checkPlace(
  platform: Place,
  startSandbox: () => Promise<TestSandbox>,
): Promise<LiveReport> {
  const name = `${namePrefix}-${randomBytes(4).toString('hex')}`;
  const own = casesFor(platform);
  try {
    const answers = await answersOf(platform, own, name);
    const differences = await compareWithSandbox(answers, startSandbox);
    return { answers, differences, left: await removeLeftovers(platform) };
  } catch (error) {
    await removeLeftovers(platform);
    throw error;
  }
}

/** Compares a platform's recorded answers with the answers from a sandbox. */
export async function compareWithSandbox(
  answers: readonly LiveAnswer[],
  startSandbox: () => Promise<TestSandbox>,
): Promise<readonly LiveDifference[]> {
  await using sandbox = await startSandbox();
  const { apiBaseUrl, apiToken, accountId, zoneId } = sandbox;
  const own = [...cases.account, ...cases.zone].filter(({ does }) =>
    answers.some((one) => one.does === does),
  );
  const name = `${namePrefix}-${randomBytes(4).toString('hex')}`;
  return differencesBetween(await answersOf({ apiBaseUrl, apiToken, accountId, zoneId }, own, name), answers);
}

function casesFor({ zoneId }: Place) {
  return zoneId === undefined ? cases.account : [...cases.account, ...cases.zone];
}

/**
 * Deletes all resources whose name shows that a check created them, including resources of an earlier check that was killed. Returns the
 * paths of the resources that could not be deleted, each with the HTTP status.
 */
export async function removeLeftovers(place: Place): Promise<string[]> {
  const account = `/accounts/${place.accountId}`;
  const left: string[] = [];
  const remove = async (path: string) => {
    const { status } = await call(place, 'DELETE', path);
    if (status >= 400 && status !== 404) left.push(`${path}: HTTP ${status}`);
  };
  for (const { id, title } of await listed(
    place,
    `${account}/storage/kv/namespaces?per_page=100`,
    'result',
  )) {
    if (isOwn(title)) await remove(`${account}/storage/kv/namespaces/${id}`);
  }
  for (const { name } of await listed(
    place,
    `${account}/r2/buckets?name_contains=${namePrefix}`,
    'result.buckets',
  )) {
    if (!isOwn(name)) continue;
    for (const { key } of await listed(place, `${account}/r2/buckets/${name}/objects`, 'result')) {
      await remove(
        `${account}/r2/buckets/${name}/objects/${String(key).split('/').map(encodeURIComponent).join('/')}`,
      );
    }
    await remove(`${account}/r2/buckets/${name}`);
  }
  for (const { id } of await listed(place, `${account}/workers/scripts`, 'result')) {
    if (isOwn(id)) await remove(`${account}/workers/scripts/${id}?force=true`);
  }
  if (place.zoneId !== undefined) await removeFromZone(place, `/zones/${place.zoneId}`, remove);
  return left;
}

async function removeFromZone(
  place: Place,
  zone: string,
  remove: (path: string) => Promise<void>,
): Promise<void> {
  for (const { id, name } of await listed(
    place,
    `${zone}/dns_records?name.startswith=${namePrefix}&per_page=100`,
    'result',
  )) {
    if (isOwn(name)) await remove(`${zone}/dns_records/${id}`);
  }
  const own = `${zone}/custom_hostnames?hostname.contain=${namePrefix}&per_page=50`;
  for (const { id, hostname } of await listed(place, own, 'result')) {
    if (String(hostname).includes(namePrefix)) await remove(`${zone}/custom_hostnames/${id}`);
  }
}

const isOwn = (name: unknown) => String(name).startsWith(`${namePrefix}-`);

async function listed(place: Place, path: string, field: string): Promise<Record<string, unknown>[]> {
  const { body } = await call(place, 'GET', path);
  const list = field
    .split('.')
    .reduce<unknown>((inner, one) => (inner as Record<string, unknown> | null)?.[one], body);
  return Array.isArray(list) ? list : [];
}

async function call({ apiBaseUrl, apiToken }: Place, method: string, path: string) {
  const response = await fetch(apiBaseUrl + path, {
    method,
    headers: { authorization: `Bearer ${apiToken}` },
  });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) as unknown };
  } catch {
    return { status: response.status, body: text };
  }
}
