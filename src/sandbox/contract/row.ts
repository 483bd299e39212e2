/**
 * A route of the provider in the sandbox: the parts of a request that the sandbox supports, and how the sandbox differs from the provider.
 */
export interface ContractRow {
  /** Supported query parameters; `name.*` means all parameters with this prefix. */
  readonly query: readonly string[];
  /**
   * Supported or stored fields of a JSON body, or of each entry of a list. In `ssl.method`, `ssl` is an object or a list of objects; `*`
   * matches any name. The list is empty if the body is ignored; it is absent for calls without a body, with a form or with raw bytes.
   */
  readonly body?: readonly string[];
  /** Supported part names of a multipart form; absent if the route has no form, or allows any name. */
  readonly form?: readonly string[];
  /** Supported or stored fields of form parts that are JSON objects, by part name, as in `body`. */
  readonly formFields?: Readonly<Record<string, readonly string[]>>;
  /** Differences from the platform, as text; absent if no difference is known. */
  readonly differences?: string;
  /** The route that replaces this route, if the platform has announced its removal. */
  readonly deprecated?: string;
}

/** Rows by method and pattern: `GET /zones/:zone`. */
export type Contract = Readonly<Record<string, ContractRow>>;

export const pageParameters = ['page', 'per_page'] as const;

/** A call without supported parameters or body. */
export const pathOnly: ContractRow = { query: [] };

/** A call without supported parameters that may have a body, which is ignored. */
export const ignoredBody: ContractRow = { query: [], body: [] };

/** Returns a field and its supported subfields: `versions`, `versions.percentage`. */
export function withSubfields(field: string, names: readonly string[]): string[] {
  return [field, ...names.map((name) => `${field}.${name}`)];
}
