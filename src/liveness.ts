import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { getuid, kill, pid } from 'node:process';

/** Id of this process. */
export const ownPid = pid;

/** Whether a process with this id is running; false for a process that has ended but was not reaped by its parent. */
export function isRunning(pid: number): boolean {
  try {
    kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return statusFields(pid)?.[0] !== 'Z';
}

/**
 * Whether a process runs as the user `uid`. If the system does not report its user (anywhere but on Linux), returns whether
 * this process is allowed to signal it. Source: proc_pid_status(5), the second number of `Uid`.
 */
export function runsAs(pid: number, uid: number | undefined): boolean {
  try {
    kill(pid, 0);
  } catch {
    return false;
  }
  const acting = readUserId(pid);
  return uid === undefined || acting === undefined || acting === uid;
}

function readUserId(pid: number): number | undefined {
  try {
    const effective = /^Uid:\s+\d+\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return effective === undefined ? undefined : Number(effective);
  } catch {
    return undefined;
  }
}

/**
 * The start time of a process in ticks since boot: distinguishes it from an earlier process with the same id. Undefined if the
 * system does not report it (anywhere but on Linux). Source: proc_pid_stat(5), fields 3 and 22.
 */
export function readStartTicks(pid: number): string | undefined {
  return statusFields(pid)?.[19];
}

/** The name of the program that started a process; undefined if the system does not report it (anywhere but on Linux). */
export function readParentName(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${statusFields(pid)?.[1]}/comm`, 'utf8').trimEnd();
  } catch {
    return undefined;
  }
}

/** Identifies the scope in which process ids are comparable: this machine and, on Linux, this container (pid_namespaces(7)). */
export function machineId(): string {
  return `${hostname()}/${pidNamespace()}`;
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** The fields after the command name, which may contain spaces and parentheses. */
function statusFields(pid: number): string[] | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return status.slice(status.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** The user id of this process; undefined if users have no numeric ids (Windows). */
export function ownUid(): number | undefined {
  return getuid?.();
}
