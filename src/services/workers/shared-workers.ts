/** Workers that run in this process until they are closed. */
interface RunningWorkers {
  /** URL of the edge that serves the workers. */
  readonly edgeUrl: string;
  close(): Promise<void>;
}

/** Workers that run as long as at least one caller needs them. */
export interface SharedWorkers {
  /**
   * Runs the workers at least until the signal is aborted. Resolves to the URL of the workers' edge. Rejects if `open` rejects, or if the
   * signal is already aborted.
   */
  run(until: AbortSignal): Promise<string>;
  /** Stops the workers, even if a caller still needs them. */
  close(): Promise<void>;
}

/** Calls `open` when the first caller needs the workers, and closes the workers when no caller needs them any more. */
export function shareWorkers(open: () => Promise<RunningWorkers>): SharedWorkers {
  let running: Promise<RunningWorkers> | undefined;
  let closing: Promise<void> = Promise.resolve();
  let users = 0;
  const close = () => {
    const ending = running;
    running = undefined;
    if (ending !== undefined)
      closing = ending.then(
        (one) => one.close(),
        () => undefined,
      );
    return closing;
  };
  const leave = () => {
    users -= 1;
    // Closing the session reports the error.
    if (users === 0) close().catch(() => undefined);
  };
  return {
    async run(until) {
      until.throwIfAborted();
      users += 1;
      until.addEventListener('abort', leave, { once: true });
      const before = closing.catch(() => undefined);
      running ??= before.then(open);
      const mine = running;
      try {
        return (await mine).edgeUrl;
      } catch (error) {
        if (running === mine) running = undefined;
        throw error;
      }
    },
    close,
  };
}
