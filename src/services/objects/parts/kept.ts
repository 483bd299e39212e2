import * as v from 'valibot';
import { removeUnfinished } from '../../../files/replace.ts';
import type { ObjectAddress } from '../../../model/objects/object.ts';
import type { Session } from '../../session/session.ts';
import { openNote, type PartsNote } from './note.ts';

/** An upload in parts that can be gone on with. */
export interface KeptUpload {
  readonly uploadId: string;
  readonly partSize: number;
  /** A digest of the metadata that it was begun with: the object gets those, and no others. */
  readonly metadata: string;
}

/** A part that has arrived: its number, the platform's etag, and the MD5 of its bytes in hex. */
export type ArrivedPart = readonly [number: number, etag: string, md5: string];

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const uploadShape = v.object({ uploadId: v.string(), partSize: count, metadata: v.optional(v.string(), '') });
const arrivedShape = v.tuple([count, v.string(), v.string()]);

/** The note of one upload, in `<state>/uploads/`: what a killed process leaves, so that the next one goes on with it. */
export type UploadNote = PartsNote<KeptUpload, ArrivedPart>;

/** The note of an upload of these bytes to there. What has arrived is compared with them, so that a stale note does no harm. */
export function openUploadNote(
  session: Session,
  { bucket, key }: ObjectAddress,
  { name, size }: { readonly name: string; readonly size: number },
): Promise<UploadNote> {
  return openNote(session, 'uploads', [bucket, key, name, size], uploadShape, arrivedShape);
}

/** A download in parts that can be gone on with. */
export interface KeptDownload {
  /** Name of the file that holds the parts, beside the one that they become. */
  readonly file: string;
  /** The folder of that file. */
  readonly folder: string;
  readonly partSize: number;
  /** Of the object that it was begun with. */
  readonly etag: string;
}

const downloadShape = v.object({
  file: v.string(),
  folder: v.string(),
  partSize: count,
  etag: v.string(),
});
const readShape = v.tuple([count, v.string()]);

/** The note of one download, in `<state>/downloads/`. Of a part it has the number and the MD5 of its bytes in hex. */
export type DownloadNote = PartsNote<KeptDownload, readonly [number: number, md5: string]>;

/**
 * The note of a download of an object into a file. The file's parts are compared with it. The parts of downloads that nobody
 * has resumed are deleted with their old notes.
 */
export function openDownloadNote(
  session: Session,
  { bucket, key }: ObjectAddress,
  path: string,
): Promise<DownloadNote> {
  return openNote(session, 'downloads', [bucket, key, path], downloadShape, readShape, ({ folder, file }) =>
    removeUnfinished(folder, file),
  );
}
