import type { Progress, Reporter } from '../../model/progress.ts';
import { formatRemedy } from '../../model/remedy.ts';
import { escapeText } from '../../text/escape.ts';
import { type Pace, PaceMeter, progressLine } from '../../text/progress.ts';
import type { World } from '../../world.ts';
import { jsonText, type Output } from './output.ts';

/** Progress of one command on stderr. The code that opens a progress display must end it. */
export interface ProgressDisplay extends Reporter {
  /** Removes the live line. */
  end(): void;
}

/** Milliseconds between reports. */
const interval = { live: 100, plain: 3000, events: 1000 };

/**
 * Shows progress: one live line on a terminal, plain lines every few seconds without a terminal, and events with `--json`
 * (`{"type":"progress",…}`). Short work is shown only on a terminal. `--quiet` turns off progress, but not warnings.
 */
export function openProgress(world: World, output: Output, quiet: boolean): ProgressDisplay {
  const isLive = world.stderr.isTTY === true && !output.json;
  const every = isLive ? interval.live : output.json ? interval.events : interval.plain;
  const meter = new PaceMeter();
  let last = world.now();
  const show = (progress: Progress, pace: Pace): void => {
    const line = escapeText(progressLine(progress, pace));
    if (output.json) world.stderr.write(`${jsonText({ type: 'progress', ...progress, ...pace })}\n`);
    else if (isLive) output.live(line.slice(0, (world.stderr.columns ?? 80) - 1));
    else world.stderr.write(`${line}\n`);
  };
  return {
    progress(progress) {
      if (quiet || output.readerGone.aborted) return;
      const now = world.now();
      const pace = meter.add(progress, now);
      if (now - last < every) return;
      last = now;
      show(progress, pace);
    },
    warn: (message, fields) =>
      output.warn(typeof message === 'string' ? message : formatRemedy(output.words, message), fields),
    end: () => output.live(undefined),
  };
}
