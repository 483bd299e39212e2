import * as v from 'valibot';
import type { WorkerVersion } from '../../model/workers/changes.ts';
import { callResult } from '../../v4/client.ts';
import type { Session } from '../session/session.ts';
import { namingWorker, scriptCall } from './workers.ts';

const versionShape = v.object({
  resources: v.object({
    bindings: v.nullish(v.array(v.looseObject({ name: v.string(), type: v.string() })), []),
    script: v.nullish(v.object({ etag: v.nullish(v.string()) })),
    script_runtime: v.nullish(
      v.object({
        compatibility_date: v.nullish(v.string()),
        compatibility_flags: v.nullish(v.array(v.string()), []),
      }),
    ),
  }),
});

/** Reads a version of a worker: its bindings, and of secrets their names. Refuses with not-found. */
export async function readVersion(session: Session, name: string, id: string): Promise<WorkerVersion> {
  const call = await scriptCall(session, 'GET', name, ['versions', id]);
  const check = (result: unknown) => v.parse(versionShape, result).resources;
  const { result } = await namingWorker(session, name, () => callResult(session.send, call, check));
  const { bindings, script, script_runtime: runtime } = result;
  const { compatibility_date: date, compatibility_flags: flags } = runtime ?? {};
  return {
    bindings: bindings ?? [],
    compatibilityFlags: flags ?? [],
    ...(date && { compatibilityDate: date }),
    ...(script?.etag && { codeId: script.etag }),
  };
}

const listShape = v.object({ items: v.array(v.object({ id: v.string() })) });

/** The id of the version that was uploaded last, whether it runs or not. */
export async function newestVersionId(session: Session, name: string): Promise<string | undefined> {
  const call = await scriptCall(session, 'GET', name, ['versions']);
  const check = (result: unknown) => v.parse(listShape, result).items;
  return (await namingWorker(session, name, () => callResult(session.send, call, check))).result[0]?.id;
}
