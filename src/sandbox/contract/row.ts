/** A route of the provider as the sandbox keeps it: what it honours of a request, and what its answer lacks. */
export interface ContractRow {
  /** Query parameters that are honoured; `name.*` stands for all with that beginning. */
  readonly query: readonly string[];
  /**
   * Fields of a JSON body that are honoured or kept, or of each entry of a list; `ssl.method` is one of an object or of the
   * entries of a list in it, `*` any name. None, where a body says nothing; left out of calls without one, and where the body
   * is no JSON but a form or the bytes themselves.
   */
  readonly body?: readonly string[];
  /** Names of the parts of a multipart form that are honoured; left out where a form has none, or names of its own. */
  readonly form?: readonly string[];
  /** By name of a form's part that is a JSON object: its fields that are honoured or kept, as in `body`. */
  readonly formFields?: Readonly<Record<string, readonly string[]>>;
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

/** The same of a call that may have a body, in which nothing is honoured. */
export const bare: ContractRow = { query: [], body: [] };

/** A field with what is honoured in it: `versions`, `versions.percentage`. */
export function below(field: string, names: readonly string[]): string[] {
  return [field, ...names.map((name) => `${field}.${name}`)];
}
