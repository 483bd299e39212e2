import { moduleContentTypes } from '../../../model/workers/worker.ts';
import type { StoredVersion } from '../../../store/workers/workers.ts';
import { multipart } from '../../../v4/multipart.ts';
import type { Answer } from '../../../v4/send.ts';
import { type Exchange, type Platform, refusal } from '../../http/exchange.ts';
import { workerCodes } from './codes.ts';
import { readWorkers, requireVersion, requireWorker, runningVersion } from './find.ts';

/**
 * `GET .../scripts/{name}` and `.../content/v2`: return the running code, as a multipart form if it consists of modules, or as plain text
 * if it is a service-worker script. With `?version=ID`, return the code of this version.
 */
export function getContent(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  const id = exchange.query.get('version');
  const version = id === null ? runningVersion(exchange.platform, name) : requireVersion(exchange, name, id);
  if (version === undefined)
    throw refusal(404, workerCodes.workerNotFound, 'This Worker has no version yet.');
  return formatCode(exchange.platform, version);
}

function formatCode(platform: Platform, version: StoredVersion): Answer {
  const { format, entry, modules } = readWorkers(platform).code(version.codeId);
  const etag = { etag: version.codeId };
  const [only] = modules;
  if (format === 'script' && modules.length === 1 && only !== undefined) {
    return {
      status: 200,
      headers: { ...etag, 'content-type': moduleContentTypes.script },
      body: only.content,
    };
  }
  const parts = modules.map(({ name, kind, content }) => ({
    name,
    fileName: name,
    contentType: moduleContentTypes[kind],
    content,
  }));
  // The hash of the code is a safe boundary, because the code cannot contain its own hash.
  const form = multipart(parts, `edgectl-${version.codeId}`);
  const headers = { ...etag, 'content-type': form.contentType, 'cf-entrypoint': entry };
  return { status: 200, headers, body: form.body };
}
