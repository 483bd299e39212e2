import { createHash } from 'node:crypto';
import { appendFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { makePrivateFolder } from '../../../files/folders.ts';
import { findNewerVersion } from '../../../files/stored.ts';
import { withLock } from '../../../lock.ts';
import { isProblem, type Problem } from '../../../model/problem.ts';
import type { Session } from '../../session/session.ts';
import { onMissing, readStoredState, writeStoredState } from '../../session/state-file.ts';

/**
 * The saved progress of a transfer in parts: the state at the start of the transfer, and the completed parts. After the process is killed,
 * the transfer can be resumed.
 */
export interface PartsNote<Begun, Part> {
  /** Creates the folder of the note. Throws if the folder cannot be created. */
  prepare(): void;
  /** Runs `work` under a lock. If another process is running the same transfer, throws the result of `busy`. */
  alone<T>(busy: () => Problem, work: () => Promise<T>): Promise<T>;
  read(): Promise<(Begun & { readonly arrived: readonly Part[] }) | undefined>;
  begin(transfer: Begun): Promise<void>;
  /** Records a part. A power failure may lose the record, so that the part is transferred again. */
  add(part: Part): Promise<void>;
  remove(): Promise<void>;
}

type Shape<T> = v.GenericSchema<unknown, T>;

/** Maximum age of a note, in milliseconds. The platform aborts incomplete uploads after a week. */
const maxAgeMs = 8 * 24 * 60 * 60 * 1000;

/**
 * Opens the note of a transfer, in the state folder. `identity` identifies the transfer within the account. Calls `forget` with each
 * abandoned transfer whose old note is deleted.
 */
export async function openNote<Begun extends object, Part>(
  session: Session,
  kind: 'uploads' | 'downloads',
  identity: readonly (string | number)[],
  begunShape: Shape<Begun>,
  partShape: Shape<Part>,
  forget: (begun: Begun) => Promise<void> = async () => undefined,
): Promise<PartsNote<Begun, Part>> {
  const { world, where } = session;
  const place = where.kind === 'remote' ? where.baseUrl : where.folder;
  const name = JSON.stringify([place, await session.accountId(), ...identity]);
  const folder = join(world.folders.state, kind);
  const format = kind === 'uploads' ? 'upload' : 'download';
  const path = join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 40)}.json`);
  const readNote = (file: string) => {
    const text = readStoredState(format, file);
    return text === undefined ? undefined : parse(text, begunShape, partShape);
  };
  const remove = async (file: string) => {
    if (findNewerVersion(format, file) !== undefined) return;
    try {
      const begun = readNote(file);
      if (begun !== undefined) await forget(begun);
    } catch (error) {
      // Deletes an untrusted note, but not the file that it refers to.
      if (!isProblem(error)) throw error;
    }
    await rm(file, { force: true });
  };
  return {
    prepare: () => makePrivateFolder(folder),
    async alone(busy, work) {
      makePrivateFolder(folder);
      return withLock(`${path}.lock`, { world, timeoutMs: 0, toProblem: busy }, work);
    },
    async read() {
      return readNote(path);
    },
    async begin(transfer) {
      makePrivateFolder(folder);
      await removeOld(folder, world.now() - maxAgeMs, remove);
      await writeStoredState(world, format, path, transfer, { sync: true, rest: '\n' });
    },
    add: (part) => appendFile(path, `${JSON.stringify(part)}\n`),
    remove: () => rm(path, { force: true }),
  };
}

/** Parses a note. Ignores invalid lines, because a killed process may have written only part of the last line. */
function parse<Begun, Part>(
  text: string,
  begunShape: Shape<Begun>,
  partShape: Shape<Part>,
): (Begun & { readonly arrived: readonly Part[] }) | undefined {
  const [head, ...lines] = text.split('\n');
  const begun = v.safeParse(v.pipe(json, begunShape), head);
  if (!begun.success) return undefined;
  const arrived = lines.flatMap((line) => {
    const part = v.safeParse(v.pipe(json, partShape), line);
    return part.success ? [part.output] : [];
  });
  return { ...begun.output, arrived };
}

const json = v.pipe(v.string(), v.parseJson());

async function removeOld(
  folder: string,
  oldest: number,
  remove: (file: string) => Promise<void>,
): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const found = await stat(file).catch(onMissing(undefined));
    if (found !== undefined && found.mtimeMs < oldest) await remove(file);
  }
}
