/** One error of an answer. `code` is the provider's number, 0 where the answer has none. */
export interface PlatformError {
  readonly code: number;
  readonly message: string;
}

/** Paging facts of a list: a cursor, or totals, and the groups of a delimited list. Only what the answer says. */
export interface ResultInfo {
  readonly cursor?: string;
  readonly totalPages?: number;
  readonly totalCount?: number;
  readonly delimited?: readonly string[];
}

export interface ParsedEnvelope {
  readonly success: boolean;
  readonly result: unknown;
  readonly errors: readonly PlatformError[];
  readonly resultInfo: ResultInfo;
}

/**
 * The provider's envelope out of an answer's bytes, or undefined when they are none. Tolerates what its endpoints do
 * differently: a bare `{id}` after a delete, `{code, error}` instead of `errors`, an empty body after 204.
 */
export function parseEnvelope(bytes: Uint8Array): ParsedEnvelope | undefined {
  if (bytes.length === 0) return { success: true, result: {}, errors: [], resultInfo: {} };
  const json = parseObject(bytes);
  if (json === undefined) return undefined;
  const errors = errorsOf(json);
  if (typeof json['success'] === 'boolean') {
    return {
      success: json['success'],
      result: json['result'],
      errors,
      resultInfo: infoOf(json['result_info']),
    };
  }
  if (errors.length > 0) return { success: false, result: undefined, errors, resultInfo: {} };
  return typeof json['id'] === 'string'
    ? { success: true, result: json, errors: [], resultInfo: {} }
    : undefined;
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

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function errorsOf(json: Json): PlatformError[] {
  const list = Array.isArray(json['errors']) ? json['errors'] : [];
  const errors = list.filter(isObject).flatMap(chainOf);
  if (errors.length === 0 && typeof json['error'] === 'string') {
    return [{ code: numberOf(json['code']) ?? 0, message: json['error'] }];
  }
  return errors;
}

/** An error and the causes nested in its `error_chain`. */
function chainOf(error: Json): PlatformError[] {
  const chain = Array.isArray(error['error_chain']) ? error['error_chain'] : [];
  const message = typeof error['message'] === 'string' ? error['message'] : 'no message';
  return [{ code: numberOf(error['code']) ?? 0, message }, ...chain.filter(isObject).flatMap(chainOf)];
}

function infoOf(value: unknown): ResultInfo {
  if (!isObject(value)) return {};
  const cursor = value['cursor'];
  const totalPages = numberOf(value['total_pages']);
  const totalCount = numberOf(value['total_count']);
  const delimited = value['delimited'];
  return {
    ...(typeof cursor === 'string' && cursor !== '' ? { cursor } : {}),
    ...(totalPages === undefined ? {} : { totalPages }),
    ...(totalCount === undefined ? {} : { totalCount }),
    ...(Array.isArray(delimited) ? { delimited: delimited.filter((text) => typeof text === 'string') } : {}),
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
