/** The parts of a valibot issue that this module uses. */
interface Issue {
  readonly message: string;
  readonly expected?: string | null;
  readonly received?: string;
  readonly path?: readonly { readonly key: unknown }[] | undefined;
}

const expectations: Readonly<Record<string, string>> = {
  Array: 'a list',
  Object: 'an object',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
};

/**
 * Explains why a value does not match the expected shape, without a full stop: `"buckets.0.name" is missing`, `"size" is not a number`. For
 * any other error, returns its message.
 */
export function explainShapeFault(error: unknown): string {
  const [issue] = readIssues(error);
  if (issue === undefined) return error instanceof Error ? error.message : String(error);
  const way = (issue.path ?? []).map(({ key }) => String(key)).join('.');
  const what = way === '' ? 'the result' : `"${way}"`;
  if (issue.received === 'undefined') return `${what} is missing`;
  const expected = expectations[issue.expected ?? ''];
  return expected === undefined ? `${what} is invalid` : `${what} is not ${expected}`;
}

function readIssues(error: unknown): readonly Issue[] {
  const holds = typeof error === 'object' && error !== null && 'issues' in error;
  return holds && Array.isArray(error.issues) ? error.issues : [];
}
