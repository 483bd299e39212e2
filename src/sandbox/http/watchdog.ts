import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { basename } from 'node:path';
import { platform } from 'node:process';

/**
 * Does work that starts a program by this name, and has each such process end with this one, however this one ends:
 * `kill -9` leaves no process the time to end its children. Resolves when their watchdogs run. On Windows the system
 * itself ends the children.
 */
export async function endingWithThisProcess<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (platform === 'win32') return work();
  const guards: Promise<unknown>[] = [];
  const onChild = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess };
    // The channel tells of it before it has been started.
    child.once('spawn', () => {
      if (basename(child.spawnfile) === name) guards.push(guard(child));
    });
  };
  subscribe('child_process', onChild);
  try {
    return await work();
  } finally {
    unsubscribe('child_process', onChild);
    await Promise.all(guards);
  }
}

/**
 * A shell that waits at a pipe: a line means that the child has ended by itself, the pipe's end that this process has.
 * In a group of its own, so that a signal to ours does not reach it.
 */
async function guard(child: ChildProcess): Promise<void> {
  const script = 'read -r line || kill -9 "$0"';
  const shell = spawn('/bin/sh', ['-c', script, String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const { stdin } = shell;
  stdin.on('error', () => undefined);
  child.once('exit', () => stdin.end('ended\n'));
  shell.unref();
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  // Without a shell the worker runs all the same.
  await once(shell, 'spawn').catch(() => undefined);
}
