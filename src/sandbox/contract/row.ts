/** A route of the provider as the sandbox keeps it: what it honours of a request, and what its answer lacks. */
export interface ContractRow {
  /** Query parameters that are honoured; `name.*` stands for all with that beginning. */
  readonly query: readonly string[];
  /** Fields of a JSON body that are honoured or kept, or of each entry of a list; `ssl.method` is one of an object. */
  readonly body?: readonly string[];
  /** All that is not as on the platform, in words; nothing where no difference is known. */
  readonly lacks?: string;
  /** The route that takes its place, where the platform is about to remove it. */
  readonly deprecated?: string;
}

/** Rows by method and pattern: `GET /zones/:zone`. */
export type Contract = Readonly<Record<string, ContractRow>>;

export const paged = ['page', 'per_page'] as const;

/** Nothing but the path. */
export const plain: ContractRow = { query: [] };
