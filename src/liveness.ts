import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { getuid, kill, pid } from 'node:process';

/** Id of this process. */
export const ownPid = pid;

/** Returns whether a process with this id is running. A process that has ended but has not been reaped by its parent is not running. */
export function isRunning(pid: number): boolean {
  try {
    kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return statusFields(pid)?.[0] !== 'Z';
}

/**
 * Returns whether a process runs as the user `uid`. If the system does not report the process's user (all systems except Linux), returns
 * whether this process is allowed to send signals to the process. Source: proc_pid_status(5), the second number of `Uid`.
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
 * Returns the start time of a process in ticks since boot. The start time distinguishes the process from an earlier process with the same
 * id. Undefined if the system does not report it (all systems except Linux). Source: proc_pid_stat(5), fields 3 and 22.
 */
export function readStartTicks(pid: number): string | undefined {
  return statusFields(pid)?.[19];
}

/** Returns the name of the program that started a process; undefined if the system does not report it (all systems except Linux). */
export function readParentName(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${statusFields(pid)?.[1]}/comm`, 'utf8').trimEnd();
  } catch {
    return undefined;
  }
}

/**
 * Returns a string that identifies the scope in which process ids are unique: this machine and, on Linux, this container
 * (pid_namespaces(7)).
 */
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

/** Returns the fields after the command name. The command name may contain spaces and parentheses. */
function statusFields(pid: number): string[] | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return status.slice(status.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Returns the user id of this process; undefined if users have no numeric ids (Windows). */
export function ownUid(): number | undefined {
  return getuid?.();
}
