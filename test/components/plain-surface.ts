import type { Surface } from '../../components/kit/surface.ts';

/** Takes nothing out of a text. */
export const redact = (text: string): string => text;

/** A screen of this width, on which nothing is kept back. */
export function plainSurface(columns: number): Surface {
  return { columns, redact };
}
