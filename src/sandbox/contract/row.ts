/** A route of the provider as the sandbox keeps it: what it honours of a request, and what its answer lacks. */
export interface ContractRow {
  /** Supported query parameters; `name.*` means all with that prefix. */
  readonly query: readonly string[];
  /**
   * Supported or stored fields of a JSON body, or of each entry of a list; `ssl.method` is a field of an object or of the
   * entries of a list in it, `*` any name. Empty if a body is ignored; absent for calls without one, and for a form or raw
   * bytes.
   */
  readonly body?: readonly string[];
  /** Supported part names of a multipart form; absent if a form has none, or free names. */
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
