import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import type { Exchange, Route } from '../http/exchange.ts';
import { pageInfo, readWholeNumber } from '../http/paging.ts';

const account = '/accounts/:account';

/** Routes for products that the sandbox does not support. Lists of these products are empty. */
export const emptyProductRoutes: readonly Route[] = [
  { method: 'GET', pattern: `${account}/d1/database`, handle: listNoProducts },
  { method: 'GET', pattern: `${account}/queues`, handle: listNoProducts },
  { method: 'GET', pattern: `${account}/pages/projects`, handle: listNoProducts },
  { method: 'GET', pattern: `${account}/workflows`, handle: listNoProducts },
];

function listNoProducts({ query }: Exchange): Answer {
  const page = readWholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  return ok([], pageInfo(page, readWholeNumber(query, 'per_page', 1, 10_000, 20), 0, 0));
}
