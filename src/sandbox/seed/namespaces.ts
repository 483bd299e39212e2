import { kvLimits, type Namespace, utf8Length } from '../../model/kv/kv.ts';
import type { SeedKey, SeedNamespace } from '../../model/sandbox/seed.ts';
import type { StoredEntry } from '../../store/kv/kv.ts';
import type { FieldPath } from '../http/shape-faults.ts';
import { checkKeyName, checkMetadata } from '../kv/values.ts';
import { parseMoment } from './moment.ts';
import {
  decodeBytes,
  pauseBetweenChunks,
  reportDuplicates,
  reportSeedFault,
  type SeedContext,
  type SeedWrite,
  tryOrReport,
} from './plan.ts';

/** Checks namespaces and their keys. Existing namespaces keep their other keys. */
export function planNamespaces(context: SeedContext, all: readonly SeedNamespace[]): SeedWrite {
  reportDuplicates(context, ['namespaces'], all, ({ title }) => title, 'title');
  const known = context.replaces ? [] : context.platform.registry().namespaces.list();
  const planned = all.map((namespace, index) =>
    planNamespace(context, ['namespaces', index], namespace, known),
  );
  return async () => {
    for (const write of planned) await write();
  };
}

/** Number of keys to write in one transaction. */
const chunkSize = 1000;

function planNamespace(
  context: SeedContext,
  at: FieldPath,
  { title, id, jurisdiction, keys = [] }: SeedNamespace,
  known: readonly Namespace[],
): () => Promise<void> {
  const { platform } = context;
  if (utf8Length(title) > kvLimits.titleBytes)
    reportSeedFault(context, [...at, 'title'], `is longer than ${kvLimits.titleBytes} bytes`);
  const other = known.find((one) => (one.title === title) !== (one.id === id) && id !== undefined);
  if (other !== undefined)
    reportSeedFault(
      context,
      [...at, 'id'],
      `the sandbox has a namespace "${other.title}" with the id ${other.id}`,
    );
  reportDuplicates(context, [...at, 'keys'], keys, ({ key }) => key, 'key');
  const entries = keys.flatMap((key, index) => toStoredEntry(context, [...at, 'keys', index], key) ?? []);
  return async () => {
    const { namespace } = platform.registry().namespaces.create(title, id, jurisdiction);
    for (let at = 0; at === 0 || at < entries.length; at += chunkSize) {
      await pauseBetweenChunks(context);
      platform.kv().write(namespace.id, entries.slice(at, at + chunkSize), context.now);
    }
  };
}

/** Converts a key for the store; undefined if the key is invalid or has expired. */
function toStoredEntry(context: SeedContext, at: FieldPath, given: SeedKey): StoredEntry | undefined {
  const { key, value, base64, metadata } = given;
  tryOrReport(context, [...at, 'key'], () => checkKeyName(key));
  const checked = tryOrReport(context, [...at, 'metadata'], () => checkMetadata(metadata));
  const bytes = decodeBytes(context, [...at, 'value'], value, base64);
  if (bytes === undefined) return undefined;
  if (bytes.length > kvLimits.valueBytes)
    reportSeedFault(context, [...at, 'value'], `is longer than ${kvLimits.valueBytes} bytes`);
  const expiration = toExpiration(context, given);
  if (expiration !== undefined && expiration * 1000 <= context.now) return undefined;
  return {
    key,
    value: bytes,
    ...(checked !== undefined && { metadata: checked }),
    ...(expiration !== undefined && { expiration }),
  };
}

function toExpiration(
  { now }: SeedContext,
  { expiration, expiration_ttl: ttl }: SeedKey,
): number | undefined {
  if (ttl !== undefined) return Math.floor(now / 1000) + ttl;
  return typeof expiration === 'string' ? Math.floor(parseMoment(expiration, now) / 1000) : expiration;
}
