import { asProblem, type Problem } from '../../src/model/problem.ts';
import type { TraceEvent } from '../../src/model/workers/trace.ts';
import type { TailNews } from '../../src/services/workers/tail.ts';
import { traceLines } from '../../src/services/workers/trace-lines.ts';
import type { Redact } from '../../src/text/redact.ts';
import { formatWait } from '../../src/v4/retry-after.ts';
import type { Role } from '../kit/theme.ts';

/** A line of the live log, which is untrusted data. */
export interface LogLine {
  readonly text: string;
  /** The displayed text, redacted once, when the line arrives. */
  readonly drawn: string;
  readonly role: Role;
  /** The run, if the line is the run's first line. */
  readonly run?: TraceEvent;
}

/** The visible part of a worker's log: its last lines, and the state of the connection. */
export interface Log {
  readonly lines: readonly LogLine[];
  readonly state: 'connecting' | 'live' | 'lost' | 'ended';
  /** Number of runs so far, not including runs that arrived while the log is paused. */
  readonly runs: number;
  /** Number of lines dropped because more lines arrived than are kept. */
  readonly dropped: number;
  /** Number of runs that arrived while the log is paused. */
  readonly waiting: number | undefined;
}

interface LogTailOptions {
  tail(signal: AbortSignal): AsyncIterable<TailNews>;
  failed(problem: Problem): void;
  /** Redacts edgectl's own credentials in a line. */
  readonly redact: Redact;
  /** Maximum number of lines to keep. */
  readonly maxLines?: number;
}

/** Milliseconds during which events are collected before an update: nobody can read faster. */
const gatherMs = 50;

/** Follows a worker's log from `start` to `stop`, in bounded memory. */
export class LogTail {
  readonly #options: LogTailOptions;
  readonly #maxLines: number;
  #log: Log = { lines: [], state: 'connecting', runs: 0, dropped: 0, waiting: undefined };
  /** Lines that are not yet shown, oldest first. */
  #pendingLines: LogLine[] = [];
  #comingRuns = 0;
  #isPaused = false;
  #onChange: ((log: Log, gone: number) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #connection: AbortController | undefined;

  constructor(options: LogTailOptions) {
    this.#options = options;
    this.#maxLines = options.maxLines ?? 5000;
  }

  get log(): Log {
    return this.#log;
  }

  /**
   * Connects, and calls a listener after each change until the returned function is called. `gone` is the number of lines that were dropped
   * from the start of the log.
   */
  start(onChange: (log: Log, gone: number) => void): () => void {
    this.#onChange = onChange;
    this.connect();
    return () => {
      this.#onChange = undefined;
      clearTimeout(this.#timer);
      this.#connection?.abort();
    };
  }

  /** Connects, or reconnects. */
  connect(): void {
    this.#connection?.abort();
    this.#connection = new AbortController();
    this.#setState('connecting');
    void this.#follow(this.#connection.signal);
  }

  /** Pauses the log, or resumes it and shows the lines that arrived during the pause. */
  setPaused(isPaused: boolean): void {
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    this.#show();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    try {
      for await (const news of this.#options.tail(signal)) if (!signal.aborted) this.#take(news);
    } catch (error) {
      if (!signal.aborted) this.#options.failed(asProblem(error));
    }
    if (!signal.aborted) this.#setState('ended');
  }

  #take(news: TailNews): void {
    if (news.kind === 'run') {
      this.#comingRuns += 1;
      this.#add(toLines(news.run));
    } else if (news.kind === 'connected') this.#setState('live');
    else {
      this.#add([{ text: `-- ${describeNews(news)}`, role: 'warning' }]);
      if (news.kind === 'lost') this.#setState('lost');
    }
  }

  #setState(state: Log['state']): void {
    this.#log = { ...this.#log, state };
    this.#showSoon();
  }

  #add(lines: readonly NewLine[]): void {
    for (const line of lines) this.#pendingLines.push({ ...line, drawn: this.#options.redact(line.text) });
    this.#showSoon();
  }

  #showSoon(): void {
    this.#timer ??= setTimeout(() => this.#show(), gatherMs);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { lines, runs, dropped } = this.#log;
    if (this.#isPaused) {
      const newest = this.#pendingLines.slice(-this.#maxLines);
      const lost = this.#pendingLines.length - newest.length;
      this.#pendingLines = newest;
      this.#log = { ...this.#log, dropped: dropped + lost, waiting: this.#comingRuns };
      this.#onChange?.(this.#log, 0);
      return;
    }
    const all = this.#pendingLines.length === 0 ? lines : [...lines, ...this.#pendingLines];
    const more = Math.max(0, all.length - this.#maxLines);
    this.#log = {
      ...this.#log,
      lines: more === 0 ? all : all.slice(more),
      runs: runs + this.#comingRuns,
      dropped: dropped + more,
      waiting: undefined,
    };
    this.#pendingLines = [];
    this.#comingRuns = 0;
    this.#onChange?.(this.#log, more);
  }
}

const roles = { run: 'plain', log: 'dim', exception: 'fault' } as const;

type NewLine = Omit<LogLine, 'drawn'>;

function toLines(run: TraceEvent): NewLine[] {
  return traceLines(run).map(({ kind, text, isBad }) => ({
    text,
    role: isBad ? 'fault' : roles[kind],
    ...(kind === 'run' && { run }),
  }));
}

function describeNews(news: Exclude<TailNews, { kind: 'run' | 'connected' }>): string {
  switch (news.kind) {
    case 'lost':
      return `connection lost: ${news.reason}; retrying in ${formatWait(news.wait)}`;
    case 'dropped':
      return `${news.count === 1 ? '1 run was' : `${news.count} runs were`} lost, because runs arrived too fast`;
    case 'ended':
      return `the platform ended the log${news.reason && `: ${news.reason}`}`;
    case 'notice':
      return news.message;
  }
}
