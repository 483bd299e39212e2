import * as v from 'valibot';
import { moduleContentTypes, type WorkerBinding, type WorkerCode } from '../../model/workers/worker.ts';
import { callResult } from '../../v4/client.ts';
import { multipart } from '../../v4/multipart.ts';
import type { Call } from '../../v4/send.ts';
import { otherDone, refuseOther } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';
import { deployVersion, listDeployments } from './deployments.ts';
import { scriptCall, userAgent } from './workers.ts';

/** A new version of a worker. */
export interface WorkerUpload {
  readonly name: string;
  readonly code: WorkerCode;
  readonly bindings: readonly WorkerBinding[];
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
}

const uploadedShape = v.object({ id: v.nullish(v.string()), deployment_id: v.nullish(v.string()) });
const versionShape = v.object({ id: v.string() });

/**
 * Uploads a worker that does not exist yet, and runs it; returns the version's id. Secrets that the worker has are kept.
 */
export async function uploadNewWorker(session: Session, upload: WorkerUpload): Promise<string> {
  const query = { excludeScript: true, bindings_inherit: 'strict' };
  const form = formOf(session, upload);
  const call = { ...(await scriptCall(session, 'PUT', upload.name, [], query)), ...form };
  const check = (result: unknown) => v.parse(uploadedShape, result);
  const { id: name, deployment_id: id } = (await callResult(session.send, call, check)).result;
  const what = `Uploading the worker "${upload.name}"`;
  refuseOther(what, { id: upload.name }, { id: name });
  if (id) return hyphenated(id);
  const [latest] = await listDeployments(session, upload.name);
  const version = latest?.versions[0]?.id;
  if (version === undefined) throw otherDone(what, 'success, and none of its versions runs');
  return version;
}

/** A UUID in its usual form; some answers leave the hyphens out. */
function hyphenated(id: string): string {
  return id.replace(/^(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})$/, '$1-$2-$3-$4-$5');
}

/** Uploads a new version of a worker and runs it; returns the version's id. Secrets are kept. */
export async function uploadVersion(session: Session, upload: WorkerUpload): Promise<string> {
  const post = { bindings_inherit: 'strict' };
  const form = formOf(session, upload);
  const call = { ...(await scriptCall(session, 'POST', upload.name, ['versions'], post)), ...form };
  const version = (await callResult(session.send, call, (result) => v.parse(versionShape, result))).result;
  await deployVersion(session, upload.name, version.id);
  return version.id;
}

function formOf(session: Session, upload: WorkerUpload): Pick<Call, 'headers' | 'body'> {
  const { code, bindings, compatibilityDate, compatibilityFlags } = upload;
  const metadata = {
    [code.format === 'modules' ? 'main_module' : 'body_part']: code.entry,
    bindings,
    compatibility_date: compatibilityDate,
    compatibility_flags: compatibilityFlags,
    keep_bindings: ['secret_text', 'secret_key'],
  };
  const parts = code.modules.map(({ name, kind, content }) => ({
    name,
    fileName: name,
    contentType: moduleContentTypes[kind],
    content,
  }));
  const boundary = `edgectl-${Buffer.from(session.world.random(18)).toString('hex')}`;
  const form = multipart([{ name: 'metadata', content: JSON.stringify(metadata) }, ...parts], boundary);
  return { headers: { ...userAgent, 'content-type': form.contentType }, body: form.body };
}
