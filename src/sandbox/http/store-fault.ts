import type { Problem, ProblemCode } from '../../model/problem.ts';

/** The answer to a failure of the data on disk. */
export interface StoreFault {
  readonly status: 500 | 503 | 507;
  readonly message: string;
}

const statuses: Partial<Record<ProblemCode, StoreFault['status']>> = {
  'store-busy': 503,
  'store-invalid': 507,
};

/**
 * Clients ask again after 500 and 503, as they should while another process writes. After 507 they do not: data that
 * cannot be used, and a disk that is full, stay so until somebody acts.
 */
export function storeFault({ code, message, hint }: Problem): StoreFault {
  return { status: statuses[code] ?? 500, message: hint === undefined ? message : `${message} ${hint}` };
}
