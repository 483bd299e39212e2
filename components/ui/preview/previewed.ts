import type { Surface } from '../../kit/surface.ts';
import type { Lines } from '../viewer/source.ts';

/** The content of a preview. */
export interface PreviewContent {
  /** Counts in the border, on the right. */
  readonly counts?: string;
  /** Returns the preview's lines. `hasDetails`: whether the details are shown next to the preview. */
  lines(surface: Surface, hasDetails: boolean): Lines;
  readonly details?: PreviewDetails | undefined;
}

/** Facts about the same row, next to its preview on a wide screen. */
export interface PreviewDetails {
  readonly title: string;
  readonly counts?: string;
  lines(surface: Surface): Lines;
}

/** The preview of a row: known content, or a function that reads the content. */
export type Previewed = {
  /** Identifies the content. The identifier stays the same as long as the row is unchanged. */
  readonly id: string;
  /** Data from outside. */
  readonly title: string;
} & (
  | {
      /** Content that is known without a request. */
      readonly content: PreviewContent;
    }
  | {
      /** Reads the beginning of the content. The content can have any length. */
      read(signal: AbortSignal): Promise<PreviewContent>;
    }
);
