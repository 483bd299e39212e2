import type { ServedCount } from '../model/hostnames/served.ts';
import { groupDigits } from './size.ts';

const bounds = { exactly: '', 'at most': 'up to ', 'at least': 'at least ' } as const;

/** The hostnames that a record serves as their origin, and what it means for them if `barely`: the record becomes DNS only. */
export function originWords(served: ServedCount, barely: boolean): string {
  const line = `It is the origin of ${servedWords(served)}.`;
  return barely ? `${line} As DNS only it takes no requests from them: an origin must be proxied.` : line;
}

/** A count in words: "12 custom hostnames", "up to 1,200 custom hostnames"; "some custom hostnames" of which none was counted. */
export function servedWords({ hostnames, bound }: ServedCount): string {
  if (hostnames === 0) return 'some custom hostnames';
  return `${bounds[bound]}${groupDigits(hostnames)} custom hostname${hostnames === 1 ? '' : 's'}`;
}
