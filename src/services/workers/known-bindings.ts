import { hash } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { makePrivateFolder } from '../../files/folders.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import { isProblem } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';
import { readStateFile, replaceStateFile } from '../session/state-file.ts';

const shape = v.object({ bindings: v.array(v.string()) });

/**
 * The names of the bindings that this project's last deploy from this machine gave a worker; none where there was no such
 * deploy, or its record cannot be read.
 */
export async function readKnownBindings(session: Session, worker: string): Promise<ReadonlySet<string>> {
  try {
    const text = readStateFile(await pathFor(session, worker));
    return new Set(text === undefined ? [] : v.parse(shape, JSON.parse(text)).bindings);
  } catch (error) {
    if (!(isProblem(error) || error instanceof SyntaxError || v.isValiError(error))) throw error;
    return new Set();
  }
}

/** Remembers the bindings of a deploy. A home that cannot be written to costs a question at the next one, and no more. */
export async function keepKnownBindings(
  session: Session,
  worker: string,
  bindings: readonly string[],
): Promise<void> {
  const { world } = session;
  try {
    makePrivateFolder(join(world.folders.state, 'deploys'));
    await replaceStateFile(world, await pathFor(session, worker), JSON.stringify({ bindings }), false);
  } catch (error) {
    if (!isProblem(error) && !(error instanceof Error && 'syscall' in error)) throw error;
  }
}

async function pathFor(session: Session, worker: string): Promise<string> {
  const project = (await session.project())?.path ?? session.world.cwd;
  const key = { where: session.where, account: await session.accountId(), worker, project };
  return join(session.world.folders.state, 'deploys', `${hash('sha256', canonicalJson(key), 'hex')}.json`);
}
