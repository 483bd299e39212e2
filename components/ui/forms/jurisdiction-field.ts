import type { Field } from './form-state.ts';

/** Returns the jurisdiction field for the form for a new bucket or namespace. */
export function jurisdictionField(known: readonly string[]): Field {
  return {
    name: 'jurisdiction',
    label: 'Jurisdiction',
    value: '',
    choices: [{ value: '', label: 'none' }, ...known.map((value) => ({ value, label: value }))],
  };
}

/** Returns why a string is not a known jurisdiction; undefined if it is, or if it is empty. */
export function jurisdictionFault(value: string, known: readonly string[]): string | undefined {
  return value === '' || known.includes(value) ? undefined : `Must be one of ${known.join(', ')}.`;
}
