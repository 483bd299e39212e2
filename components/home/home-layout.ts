import type { Region, ScreenSize } from '../kit/surface.ts';
import { framedRegion, minColumnsFor, wholeRegion } from '../ui/layout/layout.ts';

/** The regions of Home: its lines, the preview of the selected line, and the overview. */
export interface HomeLayout {
  readonly main: Region;
  readonly preview?: Region | undefined;
  readonly overview?: Region | undefined;
}

/**
 * Shares of the width, and limits in columns. No region gets narrower on a wider screen, except at the width at which the third region
 * appears.
 */
const shares = { two: 0.58, three: 0.42, overview: 0.26 } as const;
const limits = { main: { min: 56, max: 84 }, overview: { min: 42, max: 64 } } as const;

/** Columns that the lines need to show who must act. The lines get these columns only if enough columns remain for the preview. */
const wanted = { main: 78, preview: 40 } as const;

/** Divides the width of a screen. */
export function divideHome(screen: ScreenSize, hasPreview: boolean): HomeLayout {
  const main = wholeRegion(screen);
  const { columns } = screen;
  if (!main.isFramed || !hasPreview) return { main };
  const hasOverview = columns >= minColumnsFor.details;
  const overview = hasOverview ? clamp(columns * shares.overview, limits.overview) : 0;
  const share = clamp(columns * (hasOverview ? shares.three : shares.two), limits.main);
  const list = Math.max(share, Math.min(wanted.main, columns - overview - wanted.preview));
  const preview = columns - list - overview;
  return {
    main: framedRegion(0, list),
    preview: framedRegion(list, preview),
    ...(hasOverview && { overview: framedRegion(list + preview, overview) }),
  };
}

function clamp(width: number, { min, max }: { readonly min: number; readonly max: number }): number {
  return Math.max(min, Math.min(max, Math.floor(width)));
}
