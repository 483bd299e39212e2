import type { AnnouncedLimit, RequestBudget } from '../model/budget.ts';

/** Maximum accepted length of a period, in seconds. */
const maxSeconds = 600;

/** One item of a list: its name, and its numbers by parameter. */
type Item = readonly [name: string, numbers: ReadonlyMap<string, number>];

/**
 * Parses the limit that an answer announces: `Ratelimit-Policy: "default";q=1200;w=300` and `Ratelimit: "default";r=50;t=30` (RFC draft
 * "RateLimit header fields for HTTP"). If there are several policies, uses the policy with the lowest rate. If each header has one item,
 * the items belong together regardless of their names: the platform's published examples pair "default" with "burst".
 */
export function readRateHeaders(headers: Readonly<Record<string, string | undefined>>): AnnouncedLimit {
  const policies = readItems(headers['ratelimit-policy']).flatMap(([name, numbers]) => {
    const [requests = 0, seconds = 0] = [numbers.get('q'), numbers.get('w')];
    return requests >= 1 && seconds >= 1 && seconds <= maxSeconds ? [{ name, requests, seconds }] : [];
  });
  const rate = ({ requests, seconds }: RequestBudget) => requests / seconds;
  const [policy] = policies.sort((one, other) => rate(one) - rate(other));
  if (policy === undefined) return {};
  const { name, requests, seconds } = policy;
  const isPair = [headers['ratelimit'], headers['ratelimit-policy']].every((value) => !value?.includes(','));
  const numbers = readItems(headers['ratelimit']).find(([named]) => isPair || named === name)?.[1];
  const left = numbers?.get('r');
  const reset = Math.min(numbers?.get('t') ?? seconds, seconds);
  return {
    budget: { requests, seconds },
    left: left === undefined ? undefined : { requests: left, seconds: reset },
  };
}

/**
 * Parses a list of items with parameters (RFC 9651). Only parameters that are whole numbers are used. Limits in other units are skipped.
 */
function readItems(value: string | undefined): readonly Item[] {
  if (value === undefined || value.length > 1000) return [];
  return value.split(',').flatMap((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    if (parameters.some((one) => /^qu=/.test(one) && one !== 'qu="requests"')) return [];
    const numbers = parameters.flatMap((one) => {
      const [, key = '', digits = ''] = /^([a-z]+)=(\d{1,9})$/.exec(one) ?? [];
      return key === '' ? [] : [[key, Number(digits)] as const];
    });
    return [[name, new Map(numbers)] as const];
  });
}
