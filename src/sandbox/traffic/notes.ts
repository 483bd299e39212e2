import { objectIn } from '../../v4/form-object.ts';
import { contract, strangeFields, strangeParameters } from '../contract/contract.ts';
import type { NotedPart } from './form-parts.ts';

/** One request as its notes need it. */
export interface Asked {
  readonly method: string;
  /** Pattern of the route that took it. */
  readonly route: string | null;
  /** Without the question mark. */
  readonly query: string;
  /** The body as text, where it is one. */
  readonly body?: string | undefined;
  /** Of a multipart form. */
  readonly parts?: readonly NotedPart[] | undefined;
}

/** All of a request that the sandbox passes over, in words for its log. */
export function notesOn({ method, route, query, body, parts = [] }: Asked): string[] {
  const row = route === null ? undefined : contract[`${method} ${route}`];
  if (row === undefined) return [];
  const parameters = strangeParameters(row.query, query).map(
    (name) => `the query parameter ${name} is not honoured`,
  );
  const fields = row.body === undefined ? [] : strangeFields(row.body, parsed(body));
  const { form, formFields = {} } = row;
  const names = parts.map(({ name }) => name);
  const strange = form === undefined ? [] : names.filter((name) => !form.includes(name));
  const inParts = Object.entries(formFields).flatMap(([name, known]) =>
    strangeFields(known, objectOrNothing(parts, name)).map((field) => `${name}.${field}`),
  );
  return [
    ...parameters,
    ...strange.map((name) => `the part ${name} of the form is not known`),
    ...[...inParts, ...fields].map((name) => `the field ${name} is not known`),
  ];
}

/** Undefined where the part is no JSON object: its route refuses that. */
function objectOrNothing(parts: readonly NotedPart[], name: string): unknown {
  try {
    return objectIn(parts, name);
  } catch {
    return undefined;
  }
}

function parsed(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}
