import { contract, strangeFields, strangeParameters } from '../contract/contract.ts';

/** One request as its notes need it. */
export interface Asked {
  readonly method: string;
  /** Pattern of the route that took it. */
  readonly route: string | null;
  /** Without the question mark. */
  readonly query: string;
  /** The body as text, where it is one. */
  readonly body?: string | undefined;
  /** Names of the parts of a multipart form. */
  readonly parts?: readonly string[] | undefined;
}

/** All of a request that the sandbox passes over, in words for its log. */
export function notesOn({ method, route, query, body, parts = [] }: Asked): string[] {
  const row = route === null ? undefined : contract[`${method} ${route}`];
  if (row === undefined) return [];
  const parameters = strangeParameters(row.query, query).map(
    (name) => `the query parameter ${name} is not honoured`,
  );
  const fields = row.body === undefined ? [] : strangeFields(row.body, parsed(body));
  const { form } = row;
  const strange = form === undefined ? [] : parts.filter((name) => !form.includes(name));
  return [
    ...parameters,
    ...strange.map((name) => `the part ${name} of the form is not known`),
    ...fields.map((name) => `the field ${name} is not known`),
  ];
}

function parsed(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}
