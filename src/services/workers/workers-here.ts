/** Workers that run in this process, until they are closed. */
interface Running {
  /** Where they answer. */
  readonly edgeUrl: string;
  close(): Promise<void>;
}

/** Runs something as long as anyone needs it, and only once. */
export interface WantedWorkers {
  /** Runs it at least until the signal fires. Resolves with where it answers, or rejects as `open` does, and where it has fired. */
  run(until: AbortSignal): Promise<string>;
  /** Ends it, even if someone still needs it. */
  close(): Promise<void>;
}

/** Workers that `open` runs from the first time that somebody wants them until nobody does any more. */
export function workersHere(open: () => Promise<Running>): WantedWorkers {
  let running: Promise<Running> | undefined;
  let closing: Promise<void> = Promise.resolve();
  let wanted = 0;
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
    wanted -= 1;
    // The close of the session reports a failure to end.
    if (wanted === 0) close().catch(() => undefined);
  };
  return {
    async run(until) {
      until.throwIfAborted();
      wanted += 1;
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
