import type { Surface } from '../../components/console/surface.ts';

/** A screen of this width, on which nothing is kept back. */
export function plainSurface(columns: number): Surface {
  return { columns, redact: (text) => text };
}
