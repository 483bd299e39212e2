import type { Surface } from '../../kit/surface.ts';
import type { Lines } from '../viewer/source.ts';

/** The content of a preview. */
export interface PreviewContent {
  /** Counts at the right of the border. */
  readonly counts?: string;
  /**
   * Returns the lines of the preview, including the details unless `hasDetails` is true. In that case, the details are drawn next to the
   * preview.
   */
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
  /** Identifies the content: the same id as long as the row is unchanged. */
  readonly id: string;
  /** The title, which can be untrusted data. */
  readonly title: string;
} & (
  | {
      /** Content that is known without a request. */
      readonly content: PreviewContent;
    }
  | {
      /** Reads the beginning of the content, which can have any length. */
      read(signal: AbortSignal): Promise<PreviewContent>;
    }
);
