import type { CustomHostname } from '../../src/model/hostnames/hostname.ts';
import { type Form, formValues } from '../ui/forms/form-state.ts';
import { readEditMarked } from './edit-form.ts';
import { type FleetCommand, type FleetPurpose, marksOf, type PreviewEdit, readRemoval } from './marked.ts';

type Read =
  | { readonly command: FleetCommand | PreviewEdit }
  | { readonly errors: Readonly<Record<string, string>> };

/** Reads a filled form about many hostnames: a command, or the faults by the names of the fields. */
export function readMarkedForm(purpose: FleetPurpose, form: Form, records: readonly CustomHostname[]): Read {
  const values = formValues(form);
  const path = values['path'] ?? '';
  const unnamed = path.trim() === '' ? { errors: { path: 'Name a file.' } } : undefined;
  switch (purpose) {
    case 'remove-marked': {
      const fault = readRemoval(form, records);
      if (fault !== undefined) return { errors: { number: fault } };
      return { command: { does: purpose, marked: marksOf(records) } };
    }
    case 'edit-marked': {
      const read = readEditMarked(form);
      return 'errors' in read ? read : { command: { does: 'preview-edit', records, edit: read.edit } };
    }
    case 'export':
      return unnamed ?? { command: { does: purpose, marked: marksOf(records), path, replace: false } };
    case 'import':
      return unnamed ?? readPlanForm(path, values);
  }
}

function readPlanForm(path: string, values: Readonly<Record<string, string>>): Read {
  const typed = (values['limit'] ?? '').trim();
  if (!/^\d{0,9}$/.test(typed)) return { errors: { limit: 'A count from 0, or nothing.' } };
  const limit = typed === '' ? undefined : Number(typed);
  return { command: { does: 'import', path, prune: values['prune'] === 'delete', limit } };
}
