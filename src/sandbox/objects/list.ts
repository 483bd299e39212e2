import { objectLimits } from '../../model/objects/object.ts';
import type { ListPosition } from '../../store/objects/listing.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { type Exchange, refusal } from '../http/exchange.ts';
import { requireBucket } from './buckets.ts';
import { objectCodes } from './codes.ts';
import { formatObject } from './headers.ts';

const defaultPerPage = 20;

/**
 * `GET .../objects?prefix&delimiter&start_after&cursor&per_page`: lists objects in UTF-8 byte order, 20 per page by default. `result_info`
 * contains `delimited` (the common prefixes up to the delimiter) if the query contains a delimiter, and a cursor if there are more pages.
 */
export function listObjects(exchange: Exchange): Answer {
  const { name, storageClass } = requireBucket(exchange);
  const { platform, query } = exchange;
  const cursor = query.get('cursor');
  const perPage = readPerPage(query);
  const { objects, prefixes, next } = platform.objects().list(name, {
    prefix: query.get('prefix') ?? undefined,
    delimiter: query.get('delimiter') ?? undefined,
    limit: perPage,
    ...(cursor ? parseCursor(cursor) : { after: query.get('start_after') || undefined }),
  });
  const info = {
    per_page: perPage,
    is_truncated: next !== undefined,
    ...(next === undefined ? {} : { cursor: formatCursor(next) }),
    ...(query.get('delimiter') ? { delimited: prefixes } : {}),
  };
  return ok(
    objects.map((object) => formatObject(object, storageClass)),
    info,
  );
}

function readPerPage(query: URLSearchParams): number {
  const text = query.get('per_page') || String(defaultPerPage);
  const perPage = Number(text);
  if (/^\d+$/.test(text) && perPage >= 1 && perPage <= objectLimits.listLimit) return perPage;
  const message = 'MaxKeys params must be positive integer <= 1000.';
  throw refusal(400, objectCodes.limitInvalid, message);
}

/** Formats a cursor for the client: the position from which the next page continues the listing. */
export function formatCursor({ after, afterGroup }: ListPosition): string {
  const text = afterGroup === undefined ? `k${after ?? ''}` : `g${afterGroup}`;
  return Buffer.from(text).toString('base64url');
}

/** Parses a cursor, and refuses a cursor that `formatCursor` did not create. */
export function parseCursor(text: string): ListPosition {
  const decoded = Buffer.from(text, 'base64url').toString('utf8');
  const rest = decoded.slice(1);
  const position = decoded.startsWith('g') ? { afterGroup: rest } : { after: rest };
  if (formatCursor(position) === text) return position;
  throw refusal(400, objectCodes.argumentInvalid, 'The cursor is not valid.');
}
