/** Workers that run in this process until they are closed. */
interface RunningWorkers {
  /** The address of the workers. */
  readonly edgeUrl: string;
  close(): Promise<void>;
}

/** Workers that run once, for as long as any caller needs them. */
export interface SharedWorkers {
  /**
   * Runs the workers at least until the signal fires. Resolves with their address; rejects like `open`, and if the signal has
   * already fired.
   */
  run(until: AbortSignal): Promise<string>;
  /** Stops the workers, even if a caller still needs them. */
  close(): Promise<void>;
}

/** Calls `open` for the first caller that needs the workers, and closes them after the last. */
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
    // The error is ignored here, because closing the session reports it.
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
