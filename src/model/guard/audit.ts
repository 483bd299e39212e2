import { hash } from 'node:crypto';
import { isObject } from '../json-object.ts';
import { truncateBytes } from '../long-text.ts';
import type { ValueOf } from '../shape.ts';
import type { auditEntry } from './audit-shape.ts';
import type { HeldRefusal } from './held.ts';
import { type Decided, namedFacts, type RequestFacts } from './policy.ts';

/** A request in the audit log, with its outcome. */
export type AuditEntry = ValueOf<typeof auditEntry>;

/** The author of a record: the user, the command and its parent process, and the backend that receives the requests. */
export interface AuditActor {
  readonly user: string;
  /** Words of the command; undefined for a guard. */
  readonly command: string | undefined;
  /** Name of the process that started edgectl. */
  readonly parent: string | undefined;
  readonly place: string;
  readonly url: string | undefined;
}

/** The record of a request. */
export type RequestRecord = { readonly kind: 'request' } & Omit<
  AuditEntry,
  'number' | 'at' | 'outcome' | 'status' | 'requestId'
>;

/** A record before it is written. The log adds the version, the number, the time, and the hash of the previous record. */
export type AuditRecord =
  | RequestRecord
  | {
      readonly kind: 'outcome';
      /** Number of the request's record. */
      readonly of: number;
      readonly status?: number;
      readonly requestId?: string;
    }
  /** Written after an incomplete line, which a killed process or a full disk leaves. */
  | { readonly kind: 'torn'; readonly bytes: number };

/** The user's answer to an approval request. */
export interface AuditVerdict {
  /** The number of the held request. */
  readonly number?: string | undefined;
  readonly approver?: string;
  readonly refusal?: HeldRefusal;
}

/** Maximum length of a name in a record, in bytes of UTF-8. Names of keys and objects are not longer. */
const maxNameBytes = 1024;

/**
 * Maximum number of names in a list, and their maximum total length in bytes of UTF-8. Without this limit, a few requests from a program
 * could fill the log and cause older records to be deleted.
 */
const maxListed = { names: 100, bytes: 4096 };

/**
 * Creates the record of a decided request. The record contains names and numbers, and never a value, a query or a
 * header.
 */
export function toAuditRecord(
  request: RequestFacts,
  { decision, rule, policy, asking }: Decided,
  actor: AuditActor,
  verdict?: AuditVerdict,
): RequestRecord {
  const { command, parent, url, user, place } = actor;
  const { route, path, noun, count } = request;
  const listed = request.listed?.name ?? [];
  const names = Object.fromEntries(
    namedFacts.flatMap((fact) => {
      const value = request[fact];
      return value === undefined ? [] : [[fact, truncateName(value)]];
    }),
  );
  return {
    kind: 'request',
    user,
    client: request.client,
    ...(command !== undefined && { command }),
    ...(parent !== undefined && { parent }),
    place,
    ...(url !== undefined && { url }),
    target: request.target,
    effect: request.effect,
    method: request.method,
    ...(route === undefined ? { path: truncateName(path) } : { route }),
    ...(noun !== undefined && { noun }),
    ...names,
    ...(listed.length > 1 && { names: limitNames(listed) }),
    ...(count !== undefined && { count }),
    decision,
    rule: truncateName(rule.name),
    ...(asking.length > 1 && { rules: limitNames(asking.map((one) => one.rule.name)) }),
    policy: policy.path ?? policy.source,
    ...(policy.digest !== undefined && { digest: policy.digest }),
    ...(verdict?.number !== undefined && { held: verdict.number }),
    ...(verdict?.approver !== undefined && { approver: verdict.approver }),
    ...(verdict?.refusal !== undefined && { refusal: verdict.refusal }),
  };
}

function truncateName(name: string): string {
  return truncateBytes(name, maxNameBytes);
}

/** Returns the first names of a list that fit in a record. */
function limitNames(names: readonly string[]): string[] {
  let left = maxListed.bytes;
  const limited: string[] = [];
  for (const name of names.slice(0, maxListed.names)) {
    left -= Math.min(Buffer.byteLength(name), maxNameBytes);
    if (left < 0) break;
    limited.push(truncateName(name));
  }
  return limited;
}

/** The end of a log: the number and the hash of its last line. */
export interface ChainEnd {
  readonly number: number;
  /** SHA-256 of the last line, without its line break. */
  readonly hash: string;
}

/** The end of an empty log. */
export const chainStart: ChainEnd = { number: 0, hash: '0'.repeat(64) };

/** Formats the next line of a log, and returns its new end. `format` returns JSON on one line, without control characters. */
export function formatAuditLine(
  record: AuditRecord,
  at: number,
  end: ChainEnd,
  format: (value: unknown) => string,
): { line: string; end: ChainEnd } {
  const number = end.number + 1;
  const { kind, ...fields } = record;
  const line = format({
    version: 1,
    number,
    at: new Date(at).toISOString(),
    kind,
    ...fields,
    prev: end.hash,
  });
  return { line, end: { number, hash: hashLine(line) } };
}

export function hashLine(line: string | Uint8Array): string {
  return hash('sha256', line, 'hex');
}

/** A parsed line of a log. */
export interface AuditLine {
  readonly number: number;
  readonly at: string;
  readonly kind: string;
  readonly prev: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Parses a line; undefined if it is not a record. */
export function parseAuditLine(line: string): AuditLine | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(fields)) return undefined;
  const { number, at, kind, prev } = fields;
  if (
    typeof number !== 'number' ||
    typeof at !== 'string' ||
    typeof kind !== 'string' ||
    typeof prev !== 'string'
  )
    return undefined;
  return { number, at, kind, prev, fields };
}

/** Collects the lines of a log into entries. Each entry is a request with its outcome. */
export class AuditEntries {
  readonly #entries: AuditEntry[] = [];
  /** The position of the newest entry for each record number, because a number can occur twice in a damaged log. */
  readonly #positions = new Map<number, number>();

  /** Adds a line. Returns the entry that the line starts or completes; undefined for other lines. */
  add({ kind, number, fields }: AuditLine): AuditEntry | undefined {
    if (kind === 'request') {
      this.#positions.set(number, this.#entries.length);
      return this.#set(this.#entries.length, startEntry(fields));
    }
    const of = kind === 'outcome' && typeof fields['of'] === 'number' ? fields['of'] : undefined;
    const at = of === undefined ? undefined : this.#positions.get(of);
    const request = at === undefined ? undefined : this.#entries[at];
    if (at === undefined || request === undefined) return undefined;
    const { status, requestId } = fields;
    return this.#set(at, {
      ...request,
      ...(typeof status === 'number' && { outcome: 'answered' as const, status }),
      ...(typeof requestId === 'string' && { requestId }),
    });
  }

  /** Returns all entries, oldest first. */
  list(): AuditEntry[] {
    return [...this.#entries];
  }

  #set(at: number, entry: AuditEntry): AuditEntry {
    this.#entries[at] = entry;
    return entry;
  }
}

/** Returns a new entry. Does not check the fields, because the hash chain proves that edgectl wrote them. */
function startEntry(fields: AuditLine['fields']): AuditEntry {
  const { version: _, kind: _kind, prev: _prev, ...request } = fields;
  const isAllowed = request['decision'] === 'allow' || request['approver'] !== undefined;
  const outcome = isAllowed ? 'unknown' : 'refused';
  return { ...(request as Omit<AuditEntry, 'outcome'>), outcome };
}

/** A fault in a log, such as a changed, missing or inserted record. */
export interface AuditFault {
  readonly file: string;
  /** Line number, starting at 1. */
  readonly line: number;
  readonly why: string;
}

/** A line of a log, with its position. */
export interface PlacedLine {
  readonly file: string;
  /** Line number in the file, starting at 1. */
  readonly at: number;
  /** The line without its line break. If an incomplete line ends within a character, `text` can lack the bytes of that character. */
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Checks lines of a log, in order. */
export class AuditCheck {
  readonly faults: AuditFault[] = [];
  /** Number of incomplete lines, left by killed processes and full disks. */
  torn = 0;
  records = 0;
  first: number | undefined;
  /** The last record. An incomplete line after the last record does not change it. */
  last: ChainEnd | undefined;
  /** The last line, which the next record must continue. */
  #end: ChainEnd | undefined;
  #isTornBefore = false;

  add({ file, at, bytes, text }: PlacedLine): void {
    const line = parseAuditLine(text);
    const hash = hashLine(bytes);
    if (line === undefined) {
      // A killed process, or a full disk, leaves the start of a record, which is not JSON.
      if (isJson(text)) this.faults.push({ file, line: at, why: 'not a record' });
      this.#isTornBefore = true;
      this.#end = { number: this.#end?.number ?? 0, hash };
      return;
    }
    const fault = this.#findFault(line);
    if (fault !== undefined) this.faults.push({ file, line: at, why: fault });
    if (this.#isTornBefore && line.kind === 'torn') this.torn += 1;
    this.#isTornBefore = false;
    this.records += 1;
    this.first ??= line.number;
    this.last = { number: line.number, hash };
    this.#end = this.last;
  }

  /** Finishes the check: counts a last line that is not a record as incomplete, because no writer has marked it yet. */
  finish(): void {
    if (this.#isTornBefore) this.torn += 1;
  }

  #findFault({ number, kind, prev }: AuditLine): string | undefined {
    if (this.#end === undefined) return undefined;
    if (this.#isTornBefore && kind !== 'torn') return 'the previous line is not a record';
    const skipped = number - this.#end.number - 1;
    if (prev !== this.#end.hash && skipped > 0)
      return skipped === 1
        ? `record ${number - 1} is missing before this record`
        : `records ${this.#end.number + 1} to ${number - 1} are missing before this record`;
    if (prev !== this.#end.hash) return 'the previous line was changed, removed or inserted';
    if (number !== this.#end.number + 1) return `its number is ${number} instead of ${this.#end.number + 1}`;
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
