import process from 'node:process';

/** Calls a listener when the window's size changes, until the returned function is called. */
export function onWindowChange(listener: () => void): () => void {
  process.on('SIGWINCH', listener);
  return () => void process.off('SIGWINCH', listener);
}

/** Sends this process SIGWINCH, so that the window's size is read again: a stopped process is not notified of changes. */
export function askWindowSize(): void {
  process.kill(process.pid, 'SIGWINCH');
}

/** Calls a listener when this process resumes after a stop, until the returned function is called. */
export function onContinue(listener: () => void): () => void {
  process.on('SIGCONT', listener);
  return () => void process.off('SIGCONT', listener);
}

/** Sends this process SIGINT, as the terminal does for Ctrl-C outside raw mode. */
export function interrupt(): void {
  process.kill(process.pid, 'SIGINT');
}

/** Milliseconds to wait for the stop and the continuation. An orphaned process group cannot be stopped. */
const stopTimeoutMs = 200;

/** Stops this job, as Ctrl-Z in a shell does, and resolves when it continues. */
export async function stopJob(): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, stopTimeoutMs);
    process.once('SIGCONT', () => {
      clearTimeout(timer);
      resolve();
    });
    process.kill(0, 'SIGTSTP');
  });
}
