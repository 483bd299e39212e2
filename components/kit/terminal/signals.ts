import process from 'node:process';

/** Calls a listener when the terminal says that its window has another size, until the returned function is called. */
export function onWindowChange(listener: () => void): () => void {
  process.on('SIGWINCH', listener);
  return () => void process.off('SIGWINCH', listener);
}

/** Reads the window's size again, as after a change: a stopped process was not notified of one. */
export function askWindowSize(): void {
  process.kill(process.pid, 'SIGWINCH');
}

/** Calls a listener when this process continues after a stop, until the returned function is called. */
export function onContinue(listener: () => void): () => void {
  process.on('SIGCONT', listener);
  return () => void process.off('SIGCONT', listener);
}

/** Interrupts this process, as the terminal does for Ctrl-C where it is not in raw mode. */
export function interrupt(): void {
  process.kill(process.pid, 'SIGINT');
}

/** Longest time that stopping takes to reach this process. A group without a shell above it cannot be stopped. */
const stopPatience = 200;

/** Stops this job, as Ctrl-Z in a shell does, and resolves when it continues. */
export async function stopJob(): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, stopPatience);
    process.once('SIGCONT', () => {
      clearTimeout(timer);
      resolve();
    });
    process.kill(0, 'SIGTSTP');
  });
}
