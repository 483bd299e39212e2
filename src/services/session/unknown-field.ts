import type { UnknownConfigField } from '../../model/config.ts';
import { nearest } from '../../text/nearest.ts';

/** A sentence about a field that nobody knows, with the one that it may mean. */
export function unknownFieldWords({ name, place, known }: UnknownConfigField): string {
  const near = nearest(name.toLowerCase().replaceAll('-', '_'), known);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return `${place}: the field "${name}" is not known, and has no effect.${meant}`;
}
