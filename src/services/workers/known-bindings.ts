import { hash } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { makePrivateFolder } from '../../files/folders.ts';
import { canonicalJson } from '../../model/json-object.ts';
import { isProblem } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';
import { isLeftAlone, readStoredState, writeStoredState } from '../session/state-file.ts';

const shape = v.object({ bindings: v.array(v.string()) });

/**
 * Returns the names of the bindings in this project's last deployment of a worker from this machine. Returns an empty set if there is no
 * such deployment, or if its file cannot be read.
 */
export async function readKnownBindings(session: Session, worker: string): Promise<ReadonlySet<string>> {
  try {
    const path = await knownBindingsPath(session, worker);
    if (isLeftAlone(session, 'deployment', path)) return new Set();
    const text = readStoredState('deployment', path);
    return new Set(text === undefined ? [] : v.parse(shape, JSON.parse(text)).bindings);
  } catch (error) {
    if (!(isProblem(error) || error instanceof SyntaxError || v.isValiError(error))) throw error;
    return new Set();
  }
}

/** Saves the names of a deployment's bindings. Ignores a failed write: the next deployment then only asks one more question. */
export async function saveKnownBindings(
  session: Session,
  worker: string,
  bindings: readonly string[],
): Promise<void> {
  const { world } = session;
  try {
    makePrivateFolder(join(world.folders.state, 'deploys'));
    const path = await knownBindingsPath(session, worker);
    await writeStoredState(world, 'deployment', path, { bindings }, { sync: false });
  } catch (error) {
    if (!isProblem(error) && !(error instanceof Error && 'syscall' in error)) throw error;
  }
}

async function knownBindingsPath(session: Session, worker: string): Promise<string> {
  const project = (await session.project())?.path ?? session.world.cwd;
  const key = { where: session.where, account: await session.accountId(), worker, project };
  return join(session.world.folders.state, 'deploys', `${hash('sha256', canonicalJson(key), 'hex')}.json`);
}
