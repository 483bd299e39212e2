import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RegularFile } from '../../../files/output-file.ts';
import type { AssembledFile } from '../../../files/replace.ts';
import { isMd5, type ObjectAddress } from '../../../model/objects/object.ts';
import { isProblem, Problem, type ProblemCode } from '../../../model/problem.ts';
import { groupDigits } from '../../../text/size.ts';
import type { Session } from '../../session/session.ts';
import { repeatCut } from '../cut.ts';
import { wrongBytes } from '../save.ts';
import type { Transfer } from '../transfer.ts';
import { readRange } from './calls.ts';
import { type ObjectPart, partSizeFor, planParts } from './multipart.ts';
import { type DownloadNote, openDownloadNote, type SavedDownload } from './saved.ts';
import { eachPart } from './upload.ts';

const leastPart = 16 * 1024 * 1024;

/** An object, with its size and etag at the start of the download. */
export interface LargeObject {
  readonly address: ObjectAddress;
  readonly size: number;
  readonly etag: string;
}

/**
 * Returns whether an object can be downloaded in parts: the S3 API can be reached and has the same object, and progress can be saved. Any
 * other object is downloaded in one piece.
 */
export async function comesInParts(
  session: Session,
  { address, etag }: LargeObject,
  path: string,
): Promise<boolean> {
  const note = await openDownloadNote(session, address, path);
  try {
    note.prepare();
    for await (const _ of await readRange(session, address, { start: 0, end: 0 }, etag));
    return true;
  } catch {
    session.world.interrupted.throwIfAborted();
    return false;
  }
}

/**
 * Downloads an object to a file in parts, four in parallel. Resumes the download of a killed process: recorded parts whose bytes still
 * match are not downloaded again. If the etag is an MD5, verifies the whole file against it. The file gets its final name when it is
 * complete. Throws if the object is replaced during the download.
 */
export async function readInParts(
  session: Session,
  object: LargeObject,
  file: RegularFile,
  transfer: Transfer,
  least = leastPart,
): Promise<void> {
  const note = await openDownloadNote(session, object.address, file.destination.path);
  await note.alone(
    () => busy(object),
    async () => {
      const counted = counting(note);
      const saved = await counted.read();
      const fits = saved?.etag === object.etag;
      let isKept = false;
      const keepsAfter = (error: unknown) => {
        isKept = counted.arrived() > 0 && isOfUse(error);
        return isKept;
      };
      try {
        await file.assemble({ left: saved?.file, fits, keepsAfter }, async (assembled) => {
          const goesOn = assembled.isLeft ? saved : undefined;
          const folder = dirname(file.destination.path);
          const going = await begin(object, counted, { ...assembled, folder }, goesOn, least);
          await readParts(session, object, going, transfer);
          // Truncates the file, because an earlier process may have left additional bytes at the end.
          await assembled.file.truncate(object.size);
          await checkWhole(session, object, assembled.file);
        });
      } catch (error) {
        if (isKept) session.note(findSavedParts(object, counted.arrived()));
        else await note.remove();
        throw error;
      }
      await note.remove();
    },
  );
}

/** A progress note that also counts the completed parts. */
type CountedNote = DownloadNote & { arrived(): number };

function counting(note: DownloadNote): CountedNote {
  let count = 0;
  return {
    ...note,
    async begin(transfer) {
      count = 0;
      await note.begin(transfer);
    },
    async add(part) {
      await note.add(part);
      count += 1;
    },
    async read() {
      const found = await note.read();
      count = found?.arrived.length ?? 0;
      return found;
    },
    arrived: () => count,
  };
}

/** A new or resumed download. `arrived` contains the MD5 of each recorded part, by part number. */
interface Going {
  readonly file: FileHandle;
  readonly partSize: number;
  readonly arrived: ReadonlyMap<number, string>;
  readonly note: DownloadNote;
}

async function begin(
  { etag, size }: LargeObject,
  note: DownloadNote,
  { file, name, folder }: AssembledFile & { readonly folder: string },
  saved: (SavedDownload & { readonly arrived: readonly (readonly [number, string])[] }) | undefined,
  least: number,
): Promise<Going> {
  const { partSize } = saved ?? { partSize: partSizeFor(size, least) };
  if (saved === undefined) await note.begin({ file: name, folder, etag, partSize });
  return { file, partSize, arrived: new Map(saved?.arrived), note };
}

function findSavedParts({ address: { key } }: LargeObject, count: number): string {
  const parts = count === 1 ? '1 part' : `${groupDigits(count)} parts`;
  return `Kept ${parts} of "${key}" next to the file: the next download to this file resumes with these parts.`;
}

function busy({ address: { key } }: LargeObject): Problem {
  return new Problem('refused', `Another edgectl process is downloading "${key}" to the same file.`, {
    hint: 'Wait until that process has finished.',
  });
}

/** Error codes after which the downloaded parts are useless. */
const useless: readonly ProblemCode[] = ['refused', 'not-found', 'invalid-input'];

/**
 * Returns whether the downloaded parts are still useful after an error. Returns false for a disk error: the parts are then deleted, because
 * the disk may be full.
 */
function isOfUse(error: unknown): boolean {
  if (isProblem(error)) return !useless.includes(error.code);
  return !(error instanceof Error && 'syscall' in error);
}

async function readParts(
  session: Session,
  object: LargeObject,
  { file, partSize, arrived, note }: Going,
  transfer: Transfer,
): Promise<void> {
  const parts = planParts(object.size, partSize);
  if (arrived.size > 0) session.note(goingOn(object, arrived.size, parts.length));
  await eachPart(parts, async (part) => {
    const md5 = arrived.get(part.number);
    if (md5 !== undefined && md5 === (await hashPart(session, file, part))) {
      transfer.skip(part.end - part.start + 1, undefined);
      return;
    }
    await note.add([part.number, await readPart(session, object, part, file, transfer)]);
  });
}

function goingOn({ address: { key } }: LargeObject, there: number, all: number): string {
  const parts = `${groupDigits(there)} of ${groupDigits(all)} parts done`;
  return `Resuming the interrupted download of "${key}": ${parts}.`;
}

/** Writes a part at its position in the file. Returns the MD5 of the part's bytes. */
async function readPart(
  session: Session,
  { address, etag }: LargeObject,
  { start, end }: ObjectPart,
  file: FileHandle,
  transfer: Transfer,
): Promise<string> {
  const { over, restart } = transfer.track();
  return repeatCut(session.world, { restart }, async () => {
    const hash = createHash('md5');
    let at = start;
    for await (const chunk of over(await readRange(session, address, { start, end }, etag))) {
      session.world.interrupted.throwIfAborted();
      if (at + chunk.length > end + 1) throw otherLength(address, 'more');
      hash.update(chunk);
      await writeAt(file, chunk, at);
      at += chunk.length;
    }
    if (at <= end) throw otherLength(address, 'fewer');
    return hash.digest('hex');
  });
}

async function writeAt(file: FileHandle, chunk: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, at + done);
    done += bytesWritten;
  }
}

function otherLength({ key }: ObjectAddress, which: 'more' | 'fewer'): Problem {
  const words = `${which} bytes were received than requested`;
  return new Problem('unreachable', `The download of "${key}" was interrupted: ${words}.`, {
    hint: 'Try again.',
  });
}

/** Returns the MD5 of a file, or of a range of the file. */
async function hashPart(
  { world }: Session,
  file: FileHandle,
  { start, end }: Pick<ObjectPart, 'start' | 'end'> = { start: 0, end: Number.POSITIVE_INFINITY },
): Promise<string> {
  const hash = createHash('md5');
  const buffer = Buffer.allocUnsafe(256 * 1024);
  for (let at = start; at <= end; ) {
    world.interrupted.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end + 1 - at), at);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest('hex');
}

async function checkWhole(session: Session, { address, etag }: LargeObject, file: FileHandle): Promise<void> {
  if (!isMd5(etag) || (await hashPart(session, file)) === etag) return;
  throw wrongBytes(address.key, etag);
}
