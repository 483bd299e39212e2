import type { Progress } from '../../src/model/progress.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';

/** How far a piece of work is, for the header: `uploading 34%`, `deleting 2,000 objects`, `downloading 3.4 MB`. */
export function progressWords({ phase, unit, done, total }: Progress): string {
  if (total !== undefined && total > 0) return `${phase} ${Math.min(100, Math.floor((done / total) * 100))}%`;
  return `${phase} ${unit === 'bytes' ? formatSize(done) : `${groupDigits(done)} ${unit}`}`;
}

/** Tells progress only when its words change, and no more once the work is stopped. */
export function progressTeller(
  signal: AbortSignal,
  tell: (words: string) => void,
): (progress: Progress) => void {
  let told: string | undefined;
  return (progress) => {
    const words = progressWords(progress);
    if (words === told || signal.aborted) return;
    told = words;
    tell(words);
  };
}
