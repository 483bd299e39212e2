import type { ManyReport } from '../objects/many.ts';
import { fileBytes } from '../objects/source.ts';
import type { Upload } from '../objects/upload.ts';
import { md5Of, removeObjectKeeping, storeKeeping } from '../undo/objects.ts';
import type { TaskContext, TaskOutcome } from './context.ts';

/** Deletes a single object, and keeps it for undo first. */
export async function deleteKept(
  { session, work: { bucket }, confirmed, confirm }: TaskContext<'delete-objects'>,
  key: string,
): Promise<TaskOutcome> {
  const isDone = confirmed.count > 0;
  const kept = isDone ? undefined : await removeObjectKeeping(session, { bucket, key });
  if (!isDone) confirm([0, 1]);
  const way = kept === undefined ? '' : ' U puts it back.';
  return { words: `Deleted 1 object of ${bucket}.${way}`, failed: { count: 0, first: [] } };
}

/** Stores a single file by calling `store`, and keeps what it replaces for undo first. */
export async function storeKept(
  { session, work: { bucket } }: TaskContext<'upload'>,
  uploads: readonly Upload[],
  store: () => Promise<ManyReport>,
): Promise<ManyReport> {
  const [one] = uploads;
  if (one === undefined || uploads.length > 1) return store();
  const { file, key } = one;
  const { result } = await storeKeeping(
    session,
    { bucket, key },
    () => md5Of(fileBytes(file.path, file.size)),
    store,
  );
  return result;
}
