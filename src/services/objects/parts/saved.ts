import * as v from 'valibot';
import { removeUnfinished } from '../../../files/replace.ts';
import type { ObjectAddress } from '../../../model/objects/object.ts';
import type { Session } from '../../session/session.ts';
import { openNote, type PartsNote } from './note.ts';

/** A resumable multipart upload. */
export interface SavedUpload {
  readonly uploadId: string;
  readonly partSize: number;
  /** SHA-256 of the metadata at the start of the upload. The object gets this metadata even if the upload is resumed. */
  readonly metadata: string;
}

/** A completed part: its number, the platform's etag, and the MD5 of its bytes in hex. */
export type ArrivedPart = readonly [number: number, etag: string, md5: string];

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const uploadShape = v.object({ uploadId: v.string(), partSize: count, metadata: v.optional(v.string(), '') });
const arrivedShape = v.tuple([count, v.string(), v.string()]);

/** The progress note of one upload, in `<state>/uploads/`. */
export type UploadNote = PartsNote<SavedUpload, ArrivedPart>;

/** Opens the note for uploading a file to an address. An outdated note is harmless, because recorded parts are compared with the file. */
export function openUploadNote(
  session: Session,
  { bucket, key }: ObjectAddress,
  { name, size }: { readonly name: string; readonly size: number },
): Promise<UploadNote> {
  return openNote(session, 'uploads', [bucket, key, name, size], uploadShape, arrivedShape);
}

/** A resumable download in parts. */
export interface SavedDownload {
  /** Name of the temporary file that contains the parts, in the folder of the final file. */
  readonly file: string;
  /** Folder of the temporary file. */
  readonly folder: string;
  readonly partSize: number;
  /** The object's etag when the download began. */
  readonly etag: string;
}

const downloadShape = v.object({
  file: v.string(),
  folder: v.string(),
  partSize: count,
  etag: v.string(),
});
const readShape = v.tuple([count, v.string()]);

/** The progress note of one download, in `<state>/downloads/`. Contains the number and the MD5 (in hex) of each part. */
export type DownloadNote = PartsNote<SavedDownload, readonly [number: number, md5: string]>;

/**
 * Opens the note for downloading an object to a file. When an old note expires, the temporary file of its abandoned download is deleted
 * too.
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
