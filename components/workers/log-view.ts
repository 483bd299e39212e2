import type { Problem } from '../../src/model/problem.ts';
import { jsonText } from '../../src/text/json.ts';
import { formatAdvice } from '../../src/text/problem.ts';
import { remedyWords } from '../kit/remedy-words.ts';
import { requireService } from '../kit/require-service.ts';
import type { Surface } from '../kit/surface.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { textView } from '../ui/viewer/bytes-view.ts';
import { cachedLongLines } from '../ui/viewer/long-lines.ts';
import { isSideways } from '../ui/viewer/sideways.ts';
import { type Anchor, atEnd, lastIndexAtMost, type Source } from '../ui/viewer/source.ts';
import { ViewController } from '../ui/viewer/view-controller.ts';
import type { ViewSurface } from '../ui/viewer/view-source.ts';
import { type Log, LogTail } from './log-tail.ts';

/** The live log of a worker, connected while the pane is open. The view follows the end of the log until the user scrolls away. */
export class LogView extends ViewController<Log> {
  readonly tail: LogTail;

  constructor(worker: string, parts: PaneParts & Pick<Surface, 'redact'>) {
    const workers = requireService(parts, 'workers');
    const tail = new LogTail({
      tail: (signal) => workers.tail(worker, signal),
      redact: parts.redact,
      failed: (problem) => parts.notify(describeFailure(problem), 'failed'),
    });
    super(parts, {
      content: tail.log,
      selects: true,
      fromEnd: true,
      createLines: logLines,
      watch: (became) => {
        // The log is paused only by the user: it runs even if the setting turns automatic refreshing off.
        const follow = () => tail.setPaused(parts.live.state === 'paused');
        const end = tail.start((log, gone) => {
          const place = anchorAfterDrop(this, gone);
          became(log);
          this.#go(place);
        });
        follow();
        const unsubscribe = parts.live.subscribe(follow);
        return () => {
          unsubscribe();
          end();
        };
      },
    });
    this.tail = tail;
  }

  /** Moves to the end of the log, and follows the end. */
  followEnd(): void {
    this.#go(atEnd);
  }

  #go(place: Anchor): void {
    this.dispatch({ type: 'placed', position: { top: place, line: place } });
  }
}

/** Describes why the log cannot be read, with advice. */
function describeFailure(problem: Problem): string {
  const advice = formatAdvice(problem, remedyWords);
  const lines = [problem.message, ...(advice === undefined ? [] : [advice])];
  return `${lines.join(' ')} Press r to reconnect.`;
}

/**
 * Returns the position after the first lines were dropped: the end if the user was at the end or if no line is left, otherwise the same
 * line.
 */
function anchorAfterDrop({ selection, content }: LogView, gone: number): Anchor {
  const { shown, line } = selection;
  if (shown === undefined || line === undefined || line.segment >= shown.segments - 1) return atEnd;
  const first = firstSegments(shown as Source)?.[gone] ?? gone;
  return content.lines.length <= gone ? atEnd : { ...line, segment: Math.max(0, line.segment - first) };
}

/** Returns the indexes of the segments that begin a line; undefined if every segment begins a line. */
function firstSegments(source: Source): Uint32Array | undefined {
  return isSideways(source) ? undefined : cachedLongLines(source.bytes).firsts;
}

/** Returns the lines of a log as one searchable document, each with its style; undefined for an empty log. */
function logLines({ lines }: Log, surface: ViewSurface): Source | undefined {
  if (lines.length === 0) return undefined;
  const bytes = Buffer.from(lines.map(({ drawn }) => drawn).join('\n'));
  const source = textView(bytes, surface);
  const firsts = firstSegments(source);
  const lineAt = (segment: number) =>
    lines[firsts === undefined ? segment : lastIndexAtMost(firsts, segment)];
  return {
    ...source,
    segmentRole: (segment) => lineAt(segment)?.role,
    isStop: (segment) => lineAt(segment)?.role === 'fault' && lineAt(segment)?.run !== undefined,
    segmentCopy(segment) {
      const line = lineAt(segment);
      if (line?.run !== undefined) return { text: jsonText(line.run), what: 'the run, as JSON' };
      return line && { text: line.text.trim(), what: 'the line' };
    },
  };
}

/** Returns the connection state and the numbers of runs and dropped lines, for the header. */
export function logCounts({ state, runs, dropped: gone, waiting }: Log): string {
  const states = {
    connecting: 'connecting…',
    live: 'live',
    lost: 'connection lost, retrying',
    ended: 'ended',
  };
  const paused = waiting === undefined ? [] : [`paused, ${waiting} more`];
  const dropped = gone === 0 ? [] : [`${gone.toLocaleString('en')} lines dropped`];
  return [
    states[state],
    ...paused,
    `${runs.toLocaleString('en')} ${runs === 1 ? 'run' : 'runs'}`,
    ...dropped,
  ].join(', ');
}

/** Returns the text for a log without lines. */
export function logEmpty({ state }: Log): string {
  return state === 'ended'
    ? 'Not connected. Press r to reconnect.'
    : 'No requests yet. Each request to the worker appears here.';
}
