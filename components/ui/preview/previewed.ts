import type { Surface } from '../../kit/surface.ts';
import type { Lines } from '../viewer/source.ts';

/** The content of a preview. */
export interface PreviewContent {
  /** Counts in the border, on the right. */
  readonly counts?: string;
  /** Returns its lines; `hasDetails` if the details are shown next to them. */
  lines(surface: Surface, hasDetails: boolean): Lines;
  readonly details?: PreviewDetails | undefined;
}

/** Facts about the same row, next to its preview on a wide screen. */
export interface PreviewDetails {
  /** */
  readonly title: string;
  readonly counts?: string;
  lines(surface: Surface): Lines;
}

/** What to preview for a row of a list. */
export type Previewed = {
  /** Identifies the content: the identifier is equal as long as the row is unchanged. */
  readonly id: string;
  /** Data from outside. */
  readonly title: string;
} & (
  | {
      /** Content that is known without a request. */
      readonly content: PreviewContent;
    }
  | {
      /** Reads the beginning of the content, however long it is. */
      read(signal: AbortSignal): Promise<PreviewContent>;
    }
);
