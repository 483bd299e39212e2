import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { makePrivateFolder } from '../../../files/folders.ts';
import type { ObjectAddress } from '../../../model/objects/object.ts';
import type { Session } from '../../session/session.ts';
import { ifMissing, replaceStateFile } from '../../session/state-file.ts';

/** An upload in parts that can be gone on with. */
export interface KeptUpload {
  readonly uploadId: string;
  readonly partSize: number;
  /** A digest of the metadata that it was begun with: the object gets those, and no others. */
  readonly metadata: string;
}

/** A part that has arrived: its number, the platform's etag, and the MD5 of its bytes in hex. */
export type ArrivedPart = readonly [number: number, etag: string, md5: string];

/** The note of one upload, in `<state>/uploads/`: what a killed process leaves, so that the next one goes on with it. */
export interface UploadNote {
  read(): Promise<(KeptUpload & { readonly arrived: readonly ArrivedPart[] }) | undefined>;
  begin(upload: KeptUpload): Promise<void>;
  /** Notes a part. A power cut may lose it, which is sent again then. */
  add(part: ArrivedPart): Promise<void>;
  remove(): Promise<void>;
}

/** Uploads that nobody completes are ended by the platform after a week. */
const keptFor = 8 * 24 * 60 * 60 * 1000;

/** The note of an upload of these bytes to there. What has arrived is compared with them, so that a stale note does no harm. */
export async function openUploadNote(
  session: Session,
  { bucket, key }: ObjectAddress,
  { name, size }: { readonly name: string; readonly size: number },
): Promise<UploadNote> {
  const { world, where } = session;
  const place = where.kind === 'remote' ? where.baseUrl : where.folder;
  const identity = JSON.stringify([place, await session.accountId(), bucket, key, name, size]);
  const folder = join(world.folders.state, 'uploads');
  const path = join(folder, `${createHash('sha256').update(identity).digest('hex').slice(0, 40)}.json`);
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch(ifMissing(undefined));
      return text === undefined ? undefined : parse(text);
    },
    async begin(upload) {
      makePrivateFolder(folder);
      await removeOld(folder, world.now() - keptFor);
      await replaceStateFile(world, path, `${JSON.stringify(upload)}\n`, true);
    },
    add: (part) => appendFile(path, `${JSON.stringify(part)}\n`),
    remove: () => rm(path, { force: true }),
  };
}

/** A killed process may leave half of the last line. */
function parse(text: string): (KeptUpload & { readonly arrived: readonly ArrivedPart[] }) | undefined {
  const [head, ...lines] = text.split('\n').map(jsonOf);
  const kept = v.safeParse(uploadShape, head);
  if (!kept.success) return undefined;
  const arrived = lines.map((line) => v.safeParse(partShape, line)).filter(({ success }) => success);
  return { ...kept.output, arrived: arrived.map(({ output }) => output as ArrivedPart) };
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const uploadShape = v.object({ uploadId: v.string(), partSize: count, metadata: v.optional(v.string(), '') });
const partShape = v.tuple([count, v.string(), v.string()]);

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function removeOld(folder: string, oldest: number): Promise<void> {
  for (const name of await readdir(folder).catch(ifMissing([]))) {
    const file = join(folder, name);
    const found = await stat(file).catch(ifMissing(undefined));
    if (found !== undefined && found.mtimeMs < oldest) await rm(file, { force: true });
  }
}
