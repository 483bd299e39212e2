import { isObject } from '../model/json-object.ts';

/** One error in a response. `code` is the provider's number; 0 if the response has no number. */
export interface PlatformError {
  readonly code: number;
  readonly message: string;
}

/**
 * Paging information of a list: a cursor or totals, and the groups of a delimited list. Contains only fields that the response contains.
 */
export interface ResultInfo {
  /** The cursor of the next page; absent on the last page. */
  readonly cursor?: string;
  /** Whether there are more pages, if the response states this next to the cursor. */
  readonly truncated?: boolean;
  readonly perPage?: number;
  readonly totalPages?: number;
  readonly totalCount?: number;
  readonly delimited?: readonly string[];
}

export interface ParsedEnvelope {
  readonly success: boolean;
  readonly result: unknown;
  readonly errors: readonly PlatformError[];
  readonly resultInfo: ResultInfo;
  /** The reason why a successful response cannot be read, for example "it is nested more than 1,000 levels deep". */
  readonly fault?: string | undefined;
}

/**
 * Parses the provider's envelope from a response's bytes; undefined if there are no bytes, or they are not an envelope. Accepts the
 * variants of some endpoints: a bare `{id}` after a delete, and `{code, error}` instead of `errors`.
 */
export function parseEnvelope(bytes: Uint8Array): ParsedEnvelope | undefined {
  const json = parseObject(bytes);
  if (json === undefined) return undefined;
  const errors = readErrors(json);
  if (typeof json['success'] === 'boolean') {
    const info = json['result_info'];
    return {
      success: json['success'],
      result: json['result'],
      errors,
      resultInfo: readInfo(info),
      fault: depthFault(json) ?? infoFault(info),
    };
  }
  if (errors.length > 0) return { success: false, result: undefined, errors, resultInfo: {} };
  return typeof json['id'] === 'string'
    ? { success: true, result: json, errors: [], resultInfo: {}, fault: depthFault(json) }
    : undefined;
}

/** Maximum nesting depth, limited because writing JSON recurses to the same depth. Metadata of 1,024 bytes can have 512 levels. */
const maxDepth = 1000;

function depthFault(json: Json): string | undefined {
  return isWithin(json, maxDepth) ? undefined : 'it is nested more than 1,000 levels deep';
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((child) => isWithin(child, levels - 1));
}

/**
 * Explains why paging information cannot be read; undefined if it can be read. Without this check, an unreadable cursor would be mistaken
 * for the end of a list.
 */
function infoFault(info: unknown): string | undefined {
  if (info === undefined || info === null) return undefined;
  if (!isObject(info)) return 'its result_info is not an object';
  const cursor = info['cursor'] ?? '';
  return typeof cursor === 'string' ? undefined : 'its cursor is not a string';
}

type Json = Readonly<Record<string, unknown>>;

function parseObject(bytes: Uint8Array): Json | undefined {
  try {
    const value: unknown = JSON.parse(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'),
    );
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Maximum number of errors that are read from a response. */
const maxErrors = 20;

/** Returns up to `maxErrors` errors. Each error is followed by the causes in its `error_chain`, at any depth. */
function readErrors(json: Json): PlatformError[] {
  const errors: PlatformError[] = [];
  const waiting = toErrorList(json['errors']);
  for (let next = waiting.pop(); next !== undefined && errors.length < maxErrors; next = waiting.pop()) {
    const message = typeof next['message'] === 'string' ? next['message'] : 'no message';
    errors.push({ code: readNumber(next['code']) ?? 0, message });
    waiting.push(...toErrorList(next['error_chain']));
  }
  if (errors.length === 0 && typeof json['error'] === 'string') {
    return [{ code: readNumber(json['code']) ?? 0, message: json['error'] }];
  }
  return errors;
}

/** Reverses the errors, so that the first error is popped first. */
function toErrorList(value: unknown): Json[] {
  return Array.isArray(value) ? value.slice(0, maxErrors).filter(isObject).reverse() : [];
}

function readInfo(value: unknown): ResultInfo {
  if (!isObject(value)) return {};
  const cursor = value['cursor'];
  const perPage = readNumber(value['per_page']);
  const totalPages = readNumber(value['total_pages']);
  const totalCount = readNumber(value['total_count']);
  const delimited = value['delimited'];
  return {
    ...(typeof cursor === 'string' && cursor !== '' ? { cursor } : {}),
    ...(value['is_truncated'] === true ? { truncated: true } : {}),
    ...(perPage === undefined ? {} : { perPage }),
    ...(totalPages === undefined ? {} : { totalPages }),
    ...(totalCount === undefined ? {} : { totalCount }),
    ...(Array.isArray(delimited) ? { delimited: delimited.filter((text) => typeof text === 'string') } : {}),
  };
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
