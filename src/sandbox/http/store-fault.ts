import type { Problem, ProblemCode } from '../../model/problem.ts';

/** The answer to a failure of the data store. */
export interface StoreFault {
  readonly status: 500 | 503 | 507;
  readonly message: string;
}

const statuses: Partial<Record<ProblemCode, StoreFault['status']>> = {
  'store-busy': 503,
  'store-invalid': 507,
};

/**
 * Converts a Problem of the data store to an answer. Clients retry after 500 and 503, as they should while another
 * process writes. Clients do not retry after 507, because unusable data and a full disk persist until someone acts.
 */
export function toStoreFault({ code, message, hint }: Problem): StoreFault {
  return { status: statuses[code] ?? 500, message: hint === undefined ? message : `${message} ${hint}` };
}
