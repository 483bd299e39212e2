import type { Surface } from '../../kit/surface.ts';
import type { Lines } from '../viewer/source.ts';

/** The content of a preview. */
export interface PreviewContent {
  /** For the border, on the right. Escaped. */
  readonly counts?: string;
  lines(surface: Surface): Lines;
}

/** A row of a list, in the form for its preview. */
export type Previewed = {
  /** What is the same, and unchanged, has the same. */
  readonly id: string;
  /** From outside, not escaped. */
  readonly title: string;
} & (
  | {
      /** Known without asking. */
      readonly content: PreviewContent;
    }
  | {
      /** Reads the beginning of it, however long the whole is. */
      read(signal: AbortSignal): Promise<PreviewContent>;
    }
);
