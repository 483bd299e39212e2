import * as v from 'valibot';
import type { dnsEntry } from '../../model/sandbox/sandbox-shape.ts';
import type { ValueOf } from '../../model/shape.ts';
import { callResult } from '../../v4/client.ts';
import type { Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import { changing, reading } from '../hostnames/calls.ts';
import { openSandboxBackend } from '../session/backend.ts';
import { interruptibleSend } from '../session/guards.ts';
import type { Listener } from '../session/session.ts';
import { findSandboxToUse } from './sandbox.ts';

/**
 * An entry in the sandbox's DNS: the records with a name and type, or a simulated failure (SERVFAIL, REFUSED, TIMEOUT, NXDOMAIN, BOGUS).
 */
export type SandboxDnsEntry = ValueOf<typeof dnsEntry>;

const entry = v.object({
  name: v.string(),
  type: v.string(),
  ttl: v.number(),
  contents: v.array(v.string()),
});
const path = ['sandbox', 'dns'];

/**
 * Runs `work` with a sandbox: through the sandbox's server if one is running, otherwise in this process. Throws not-found if the user
 * chose a folder that contains no sandbox.
 */
export async function withSandbox<T>(
  world: World,
  dir: string | undefined,
  listener: Listener,
  work: (send: Send) => Promise<T>,
): Promise<T> {
  const backend = await openSandboxBackend(world, await findSandboxToUse(world, dir), {}, listener);
  try {
    return await work(interruptibleSend(backend.send, world.interrupted));
  } finally {
    await backend.close();
  }
}

/** Lists all entries, or the entries for one name, sorted by name and type. */
export async function listSandboxDns(send: Send, name?: string): Promise<SandboxDnsEntry[]> {
  const call = reading(path, name === undefined ? {} : { name });
  return (await callResult(send, call, (value) => v.parse(v.array(entry), value))).result;
}

/** Sets entries. Each entry replaces the existing entry with the same name and type. If an entry is invalid, sets no entries. */
export async function setSandboxDns(
  send: Send,
  entries: readonly SandboxDnsEntry[],
): Promise<SandboxDnsEntry[]> {
  const call = changing('PUT', path, entries);
  return (await callResult(send, call, (value) => v.parse(v.array(entry), value))).result;
}

/** Removes the entries for a name, with one type or (default) with any type. Returns the number of removed entries. */
export async function unsetSandboxDns(send: Send, name: string, type?: string): Promise<number> {
  const call = changing('DELETE', path, undefined, { name, ...(type !== undefined && { type }) });
  const shape = v.object({ removed: v.number() });
  return (await callResult(send, call, (value) => v.parse(shape, value))).result.removed;
}
