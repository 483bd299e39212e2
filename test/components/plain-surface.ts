import type { Surface } from '../../components/kit/surface.ts';

/** Redacts nothing. */
export const redact = (text: string): string => text;

/** Returns a screen of this width on which no text is redacted. */
export function plainSurface(columns: number): Surface {
  return { columns, redact };
}
