import { Problem } from '../../model/problem.ts';

/** Checks the port in a flag; 0 means any free port. */
export function checkPort(flag: string, port: number): number {
  if (port >= 0 && port <= 65535) return port;
  throw new Problem('usage', `${flag} must be a number from 0 to 65535, not ${port}.`);
}
