import type { Reporter } from '../../../model/progress.ts';
import type { Session } from '../../session/session.ts';
import { listKeys } from '../kv.ts';
import { type BulkInput, openSpooledInput } from './input.ts';

/**
 * Writes the keys of a namespace that start with `prefix` to a bulk input, so that the deletion affects exactly the keys that the user has
 * confirmed. Calls `onKey` for each key. The caller must close the input.
 */
export function collectKeys(
  session: Session,
  namespaceId: string,
  prefix: string,
  reporter: Reporter,
  onKey?: (key: string) => void,
): Promise<BulkInput> {
  const name = prefix === '' ? 'the namespace' : `the keys that start with "${prefix}"`;
  return openSpooledInput(session.world, name, listNames(session, namespaceId, prefix, reporter, onKey));
}

async function* listNames(
  session: Session,
  namespaceId: string,
  prefix: string,
  reporter: Reporter,
  onKey: ((key: string) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  yield Buffer.from('[');
  for await (const page of listKeys(session, namespaceId, { prefix, signal: session.world.interrupted })) {
    done += page.length;
    reporter.progress({ phase: 'listing', unit: 'keys', done, retries: 0, failed: 0 });
    if (page.length === 0) continue;
    for (const { name } of page) onKey?.(name);
    const names = page.map(({ name }) => JSON.stringify(name)).join(',\n');
    yield Buffer.from(done === page.length ? names : `,\n${names}`);
  }
  yield Buffer.from(']');
}
