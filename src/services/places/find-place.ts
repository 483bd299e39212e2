import { refuseUnsupported } from '../../model/capability.ts';
import type { KeyEntry, Namespace } from '../../model/kv/kv.ts';
import type { Bucket } from '../../model/objects/bucket.ts';
import type { ObjectEntry } from '../../model/objects/object.ts';
import type { AreaLink, PlaceLink } from '../../model/places/link.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import type { Target } from '../../model/target.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { findHostname } from '../hostnames/hostnames.ts';
import { type HostnameRow, toHostnameRow } from '../hostnames/rows.ts';
import { listKeys } from '../kv/kv.ts';
import { listNamespaces, listTargetNamespaces } from '../kv/namespaces.ts';
import { listBuckets, readBucket } from '../objects/buckets.ts';
import { readObjectEntry } from '../objects/objects.ts';
import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { listWorkers } from '../workers/workers.ts';
import { findChosenZone } from '../zones/choice.ts';

/** The pane and the resource that a link points to. */
export type FoundPlace =
  | { readonly kind: AreaLink }
  | { readonly kind: 'keys'; readonly namespace: Namespace; readonly prefix: string }
  | { readonly kind: 'key'; readonly namespace: Namespace; readonly entry: KeyEntry }
  | { readonly kind: 'objects'; readonly bucket: Bucket; readonly folder: string }
  | { readonly kind: 'object'; readonly bucket: Bucket; readonly entry: ObjectEntry }
  | ({ readonly kind: 'differences'; readonly namespace: Namespace } & FoundOther)
  | ({ readonly kind: 'comparison'; readonly namespace: Namespace; readonly key: string } & FoundOther)
  | {
      readonly kind: 'hostname' | 'diagnosis' | 'instructions';
      readonly zone: Zone;
      readonly row: HostnameRow;
      /** Milliseconds by which the platform's clock is ahead of the local clock. */
      readonly ahead: number;
    }
  | { readonly kind: 'forecast' | 'records'; readonly zone: Zone }
  | { readonly kind: 'worker' | 'logs'; readonly name: string }
  | { readonly kind: 'task'; readonly id: string };

/** The second side of a comparison. `target` is the target in the link, if any. */
interface FoundOther {
  readonly other: Namespace;
  readonly target?: Target;
}

/**
 * Resolves a link to a pane. If the resource does not exist, throws not-found with a list of existing names. If the session does not support
 * the link, throws before any request.
 */
export async function findPlace(session: Session, link: PlaceLink): Promise<FoundPlace> {
  switch (link.kind) {
    case 'keys':
      return { kind: 'keys', namespace: await findNamespace(session, link.namespace), prefix: link.prefix };
    case 'key':
      return findKey(session, await findNamespace(session, link.namespace), link.key);
    case 'differences':
    case 'comparison':
      return findComparison(session, link);
    case 'objects':
      return { ...link, bucket: await findBucket(session, link.bucket) };
    case 'object':
      return findObject(session, await findBucket(session, link.bucket), link.key);
    case 'hostname':
    case 'diagnosis':
    case 'instructions':
      return findHostnamePlace(session, link);
    case 'forecast':
      return { kind: 'forecast', zone: await findOnlyZone(session, 'The renewals') };
    case 'records':
      return { kind: 'records', zone: await findOnlyZone(session, 'The DNS records') };
    case 'worker':
    case 'logs':
      return { ...link, name: await findWorker(session, link.name) };
    case 'hostnames':
      refuseUnsupported(session, 'holdHostnames');
      return link;
    case 'workers':
      refuseUnsupported(session, 'holdWorkers');
      return link;
    default:
      return link;
  }
}

/** Finds a namespace by binding or title, or else by id. Throws if several namespaces match. */
async function findNamespace(session: Session, text: string): Promise<Namespace> {
  const bindings = (await session.project())?.kvNamespaces ?? [];
  const binding = bindings.find((one) => one.binding === text);
  const bound = session.target === 'preview' ? binding?.previewId : binding?.id;
  const all = await collectPages(listTargetNamespaces(session));
  const byBinding = all.find(({ id }) => id === bound);
  const titled = all.filter(({ title }) => title === text);
  const found = new Set([...(byBinding ? [byBinding] : []), ...titled]);
  if (found.size > 1) {
    throw new Problem('invalid-input', `"${text}" matches ${found.size} namespaces.`, {
      hint: `Choose a namespace by its id: ${[...found].map(({ id }) => id).join(', ')}.`,
    });
  }
  const [only = all.find(({ id }) => id === text)] = found;
  if (only !== undefined) return only;
  if (!session.can.listNamespaces) return { id: bound ?? text, title: text };
  throw notFoundProblem(`Namespace "${text}" not found`, [
    ...bindings.map((one) => one.binding),
    ...all.map(({ title }) => title),
  ]);
}

/** Returns the key, if it exists; otherwise the list of the keys that start with it. */
async function findKey(session: Session, namespace: Namespace, key: string): Promise<FoundPlace> {
  for await (const [first] of listKeys(session, namespace.id, { prefix: key, limit: 10 })) {
    if (first?.name === key) return { kind: 'key', namespace, entry: first };
    break;
  }
  return { kind: 'keys', namespace, prefix: key };
}

/** Resolves a comparison. A namespace has the same id in local data as in the account, so either can be compared with the other. */
async function findComparison(
  session: Session,
  link: Extract<PlaceLink, { kind: 'differences' | 'comparison' }>,
): Promise<FoundPlace> {
  const { other: name, target, ...rest } = link;
  const namespace = await findNamespace(session, link.namespace);
  const other =
    name === ''
      ? namespace
      : target === 'production' && session.can.listNamespaces
        ? findByName(await collectPages(listNamespaces(session)), name)
        : await findNamespace(session, name);
  if (other.id === namespace.id && (target ?? session.target) === session.target) {
    throw new Problem('invalid-input', `The namespace ${namespace.title} cannot be compared with itself.`, {
      hint: 'Choose another namespace, or add a target: @local, @production.',
    });
  }
  return { ...rest, namespace, other, ...(target && { target }) };
}

function findByName(all: readonly Namespace[], name: string): Namespace {
  const found = all.find(({ title }) => title === name) ?? all.find(({ id }) => id === name);
  if (found !== undefined) return found;
  throw notFoundProblem(
    `Namespace "${name}" not found`,
    all.map(({ title }) => title),
  );
}

async function collectPages<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

async function findBucket(session: Session, name: string): Promise<Bucket> {
  try {
    return await readBucket(session, name);
  } catch (error) {
    if (!isProblem(error) || error.code !== 'not-found') throw error;
    const buckets = await collectPages(listBuckets(session));
    throw notFoundProblem(
      `Bucket "${name}" not found`,
      buckets.map((bucket) => bucket.name),
    );
  }
}

async function findObject(session: Session, bucket: Bucket, key: string): Promise<FoundPlace> {
  const entry = await readObjectEntry(session, { bucket: bucket.name, key });
  if (entry !== undefined) return { kind: 'object', bucket, entry };
  throw new Problem('not-found', `Object "${key}" not found in bucket ${bucket.name}.`, {
    hint: 'Folder names end with a slash.',
  });
}

async function findHostnamePlace(
  session: Session,
  { kind, hostname }: Extract<PlaceLink, { kind: 'hostname' | 'diagnosis' | 'instructions' }>,
): Promise<FoundPlace> {
  const zone = await findOnlyZone(session, hostname);
  const record = await findHostname(session, zone.id, hostname);
  if (record === undefined) {
    throw new Problem('not-found', `Custom hostname "${hostname}" not found in zone ${zone.name}.`, {
      remedy: { kind: 'explain-missing', hostname },
    });
  }
  const clock = await platformClock(session);
  const row = await toHostnameRow(session, zone.id, record);
  return { kind, zone, row, ahead: clock() - session.world.now() };
}

/** Returns the zone to act on. Throws if there are several zones, because any of them may contain `what`. */
async function findOnlyZone(session: Session, what: string): Promise<Zone> {
  refuseUnsupported(session, 'holdHostnames');
  const found = await findChosenZone(session);
  if ('zone' in found) return found.zone;
  const zones = found.zones.map(({ name }) => name);
  throw new Problem('invalid-input', `${what} may be in any of the zones ${formatNames(zones)}.`, {
    remedy: { kind: 'find-id', of: 'zone' },
  });
}

async function findWorker(session: Session, name: string): Promise<string> {
  refuseUnsupported(session, 'holdWorkers');
  const workers = await listWorkers(session);
  if (workers.some((worker) => worker.name === name)) return name;
  throw notFoundProblem(
    `Worker "${name}" not found`,
    workers.map((worker) => worker.name),
  );
}

function notFoundProblem(message: string, names: readonly string[]): Problem {
  const hint = names.length === 0 ? 'The list is empty.' : `Existing names: ${formatNames(names)}.`;
  return new Problem('not-found', `${message}.`, { hint });
}

/** Maximum number of names that a hint lists. */
const maxListedNames = 20;

function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, maxListedNames).join(', ');
  return names.length > maxListedNames ? `${shown} and ${names.length - maxListedNames} more` : shown;
}
