import { kvLimits } from '../../model/kv/kv.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, refusal } from '../http/exchange.ts';
import { readWholeNumber } from '../http/paging.ts';
import { requireNamespaceNow } from './namespaces.ts';

/** The provider's minimum page size. Local data has no minimum. */
const minLimit = 10;

/**
 * `GET .../keys?prefix&limit&cursor`: lists names in UTF-8 byte order, with the expiration (UNIX seconds) and the metadata, if any.
 * `result_info.cursor` is "" on the last page.
 */
export function listKeys(exchange: Exchange): Answer {
  const { id, now } = requireNamespaceNow(exchange, 'list keys');
  const { platform, query } = exchange;
  const least = platform.kind === 'local' ? 1 : minLimit;
  const limit = readWholeNumber(query, 'limit', least, kvLimits.listLimit, kvLimits.listLimit);
  const cursor = parseCursor(query.get('cursor') ?? '');
  if (platform.emptyPages && !cursor.emptyPageSent) {
    return ok([], { count: 0, cursor: formatCursor({ ...cursor, emptyPageSent: true }) });
  }
  const page = {
    prefix: query.get('prefix') || undefined,
    after: cursor.after || undefined,
    limit: limit + 1,
  };
  const entries = platform.kv().list(id, page, now);
  const keys = entries.slice(0, limit);
  const last = entries.length > limit ? keys.at(-1) : undefined;
  const next = last === undefined ? '' : formatCursor({ after: last.name, emptyPageSent: false });
  return ok(keys, { count: keys.length, cursor: next });
}

/** The last key of the previous page, or "" for the first page. */
interface Cursor {
  readonly after: string;
  readonly emptyPageSent: boolean;
}

function formatCursor({ after, emptyPageSent }: Cursor): string {
  return Buffer.from(`${emptyPageSent ? 'e' : 'k'}${after}`).toString('base64url');
}

function parseCursor(text: string): Cursor {
  if (text === '') return { after: '', emptyPageSent: false };
  const decoded = Buffer.from(text, 'base64url').toString('utf8');
  const kind = decoded[0];
  const cursor = { after: decoded.slice(1), emptyPageSent: kind === 'e' };
  if ((kind === 'k' || kind === 'e') && formatCursor(cursor) === text) return cursor;
  throw refusal(400, codes.requestInvalid, "list keys: 'invalid cursor'");
}
