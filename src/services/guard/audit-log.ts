import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { makePrivateFolder } from '../../files/folders.ts';
import { findDoubt } from '../../files/found.ts';
import { checkReplaceable } from '../../files/stored.ts';
import { systemReason } from '../../files/system-reason.ts';
import { untrustedProblem } from '../../files/trust-problems.ts';
import { readParentName } from '../../liveness.ts';
import { withBriefLock, withLock } from '../../lock.ts';
import {
  type AuditActor,
  type AuditRecord,
  type ChainEnd,
  chainStart,
  formatAuditLine,
  hashLine,
  parseAuditLine,
} from '../../model/guard/audit.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import { jsonText } from '../../text/json.ts';
import type { World } from '../../world.ts';
import { onMissing } from '../session/state-file.ts';

/** Limits of the log: full files are renamed, and the oldest files are deleted. */
export const auditLimits = { fileBytes: 4 * 1024 * 1024, files: 16 };

type AuditWorld = Pick<World, 'folders' | 'pid' | 'now' | 'random' | 'sleep' | 'interrupted'>;

/**
 * The audit log of this user: one JSON record per line, in `<state>/audit/audit.ndjson`, which only the owner can read. Each record
 * contains the SHA-256 of the preceding line. Several processes can write to the log: a lock protects each write.
 */
export interface AuditLog {
  /** Appends a record. Resolves with the record's number after the record is written. Fails with 'system' if writing fails. */
  append(record: AuditRecord): Promise<number>;
  /** Waits until all records are written. */
  flush(): Promise<void>;
}

export function auditFolder({ folders }: Pick<World, 'folders'>): string {
  return join(folders.state, 'audit');
}

/** The name of the file that receives new records. */
export const currentFile = 'audit.ndjson';

interface Waiting {
  readonly record: AuditRecord;
  readonly at: number;
  resolve(number: number): void;
  reject(error: unknown): void;
}

/**
 * Maximum number of records in one batch. A file is renamed only after a complete batch, so large batches would make files much longer than
 * their limit.
 */
const maxBatch = 256;

/** Opens the log; creates nothing until the first record is written. */
export function openAuditLog(world: AuditWorld): AuditLog {
  const writer = new Writer(world);
  const waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch);
      try {
        const numbers = await writer.write(batch);
        for (const [index, { resolve }] of batch.entries()) resolve(numbers[index] ?? 0);
      } catch (error) {
        for (const { reject } of batch) reject(toWriteProblem(world, error));
      }
    }
    writing = undefined;
  };
  return {
    append: (record) =>
      new Promise((resolve, reject) => {
        waiting.push({ record, at: world.now(), resolve, reject });
        writing ??= drain();
      }),
    flush: async () => writing,
  };
}

function toWriteProblem(world: AuditWorld, error: unknown): Problem {
  if (isProblem(error)) return error;
  const path = join(auditFolder(world), currentFile);
  return new Problem('system', `Cannot write to the audit log ${path}: ${systemReason(error)}.`, {
    cause: error,
  });
}

/** The writer of record batches. Remembers the end of the file while no other process writes to the file. */
class Writer {
  readonly #world: AuditWorld;
  readonly #folder: string;
  #known: (FileEnd & { readonly inode: number; readonly size: number }) | undefined;

  constructor(world: AuditWorld) {
    this.#world = world;
    this.#folder = auditFolder(world);
  }

  async write(batch: readonly Waiting[]): Promise<number[]> {
    makePrivateFolder(this.#folder);
    const world = this.#world;
    const path = join(this.#folder, 'held');
    const free = withBriefLock(path, { world, timeoutMs: 0 }, () => this.#append(batch));
    if (free !== undefined) return free.result;
    // The lock ignores interruptions, because an interrupted command still records its outcome.
    const lock = {
      world: { ...world, interrupted: new AbortController().signal },
      timeoutMs: 10_000,
      toProblem: busyProblem,
    };
    return withLock(path, lock, async () => this.#append(batch));
  }

  /** Synchronous: if this function returned to the event loop, a write that waits for its record would also wait for other requests. */
  #append(batch: readonly Waiting[]): number[] {
    const path = join(this.#folder, currentFile);
    const doubt = findDoubt('audit', path);
    if (doubt !== undefined) throw untrustedProblem('store-invalid', path, doubt, 'nothing is written to it');
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    const file = openSync(path, flags, 0o600);
    try {
      const { size, ino } = fstatSync(file);
      const known = this.#known?.inode === ino && this.#known.size === size ? this.#known : undefined;
      if (known === undefined) checkReplaceable('audit-log', path);
      const { torn, isUnbroken, ...last } = known ?? this.#readEnd(file, size);
      let { end } = last;
      const lines: string[] = isUnbroken ? [''] : [];
      const numbers: number[] = [];
      const add = (record: AuditRecord, at: number) => {
        const next = formatAuditLine(record, at, end, jsonText);
        lines.push(next.line);
        end = next.end;
      };
      if (torn > 0) add({ kind: 'torn', bytes: torn }, this.#world.now());
      for (const { record, at } of batch) {
        add(record, at);
        numbers.push(end.number);
      }
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      appendFileSync(file, bytes);
      this.#known = { inode: ino, size: size + bytes.length, end, torn: 0, isUnbroken: false };
      if (size + bytes.length >= auditLimits.fileBytes) this.#rotate(path, end);
      return numbers;
    } catch (error) {
      this.#known = undefined;
      throw error;
    } finally {
      closeSync(file);
    }
  }

  #readEnd(file: number, size: number): FileEnd {
    if (size === 0) return { end: this.#readRotatedEnd(), torn: 0, isUnbroken: false };
    return readFileEnd(file, size, findRotatedNumber(this.#folder));
  }

  /**
   * Reads the end of the newest full file. If the current file is empty, its first record continues the numbers and hashes of the full
   * file.
   */
  #readRotatedEnd(): ChainEnd {
    const [newest] = listRotated(this.#folder).reverse();
    if (newest === undefined) return chainStart;
    const named = findRotatedNumber(this.#folder);
    const file = openSync(join(this.#folder, newest), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const { size } = fstatSync(file);
      if (size === 0) return { ...chainStart, number: named };
      const { number, hash } = readFileEnd(file, size, named).end;
      return { number: Math.max(number, named), hash };
    } finally {
      closeSync(file);
    }
  }

  /**
   * Renames a full file to include the number of its last record, and deletes the oldest files. In a damaged log, the name of an older file
   * can already contain a higher number. The new name then contains the number after it, so that no file is overwritten and the names stay
   * in order.
   */
  #rotate(path: string, { number }: ChainEnd): void {
    const named = Math.max(number, findRotatedNumber(this.#folder) + 1);
    renameSync(path, join(this.#folder, `audit-${String(named).padStart(12, '0')}.ndjson`));
    const rotated = listRotated(this.#folder);
    for (const name of rotated.slice(0, Math.max(0, rotated.length - auditLimits.files + 1)))
      rmSync(join(this.#folder, name), { force: true });
  }
}

/** Returns the number in the name of the newest full file; 0 if there is no full file. */
function findRotatedNumber(folder: string): number {
  const newest = listRotated(folder).at(-1) ?? '';
  return Number(/\d+/.exec(newest)?.[0] ?? 0);
}

/** Returns the names of the full files, oldest first. */
export function listRotated(folder: string): string[] {
  return readNames(folder)
    .filter((name) => /^audit-\d{12}\.ndjson$/.test(name))
    .sort();
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    return onMissing<string[]>([])(error);
  }
}

/** Number of bytes at the end of a file that are read first. */
const endBytes = 64 * 1024;

/** The end of one log file. */
interface FileEnd {
  readonly end: ChainEnd;
  /** Number of bytes at the end of the file that belong to an incomplete record, which a killed process left; 0 if there is none. */
  readonly torn: number;
  /** Whether the last line has no trailing line break. */
  readonly isUnbroken: boolean;
}

/**
 * Reads the end of a file that is not empty. `earlier` is the number of the last record before this file, and is used if the file contains
 * no valid record. Reads backward until the start of the last valid record, even if the record is long, because a guessed number could be
 * assigned twice.
 */
function readFileEnd(file: number, size: number, earlier: number): FileEnd {
  for (let length = Math.min(size, endBytes); ; length = Math.min(size, 4 * length)) {
    const buffer = Buffer.alloc(length);
    const bytesRead = readSync(file, buffer, 0, length, size - length);
    const found = parseFileEnd(buffer.toString('latin1', 0, bytesRead), length === size, earlier);
    if (found !== undefined) return found;
  }
}

/**
 * Parses the end of a file, read as Latin-1. Returns undefined if more of the file is needed. `isWhole` means that the text is the entire
 * file.
 */
function parseFileEnd(text: string, isWhole: boolean, earlier: number): FileEnd | undefined {
  const lines = text.split('\n');
  const isUnbroken = lines.at(-1) !== '';
  if (!isUnbroken) lines.pop();
  const last = lines.at(-1);
  // The first line may lack its start.
  if (!isWhole) lines.shift();
  // A damaged line has no number: the next line continues after the last valid number.
  const numbered = lines.findLast((line) => parseAuditLine(line) !== undefined);
  if (last === undefined || (numbered === undefined && !isWhole)) return undefined;
  const bytes = Buffer.from(last, 'latin1');
  return {
    end: {
      number: numbered === undefined ? earlier : (parseAuditLine(numbered)?.number ?? earlier),
      hash: hashLine(bytes),
    },
    torn: isUnbroken && parseAuditLine(bytes.toString('utf8')) === undefined ? bytes.length : 0,
    isUnbroken,
  };
}

function busyProblem({ pid, path }: { readonly pid: number | undefined; readonly path: string }): Problem {
  return new Problem(
    'system',
    `The audit log is locked by ${pid === undefined ? 'another program' : `process ${pid}`}.`,
    {
      hint: `Delete ${path} if that process does not run edgectl.`,
    },
  );
}

/** Describes the actor in the records of one session: command, place, user and parent process. */
export function describeActor(
  world: Pick<World, 'pid'>,
  session: Pick<AuditActor, 'command' | 'place' | 'url'>,
): AuditActor {
  return { ...session, user: userName(), parent: readParentName(world.pid) };
}

/** Returns the name of the user that runs this process. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
