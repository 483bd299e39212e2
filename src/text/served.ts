import type { ServedCount } from '../model/hostnames/served.ts';
import { groupDigits } from './size.ts';

const bounds = { exactly: '', 'at most': 'up to ', 'at least': 'at least ' } as const;

/** A count in words: "12 custom hostnames", "up to 1,200 custom hostnames". */
export function servedWords({ hostnames, bound }: ServedCount): string {
  return `${bounds[bound]}${groupDigits(hostnames)} custom hostname${hostnames === 1 ? '' : 's'}`;
}
