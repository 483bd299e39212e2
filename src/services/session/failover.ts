import { isProblem, type Problem } from '../../model/problem.ts';
import type { Send } from '../../v4/send.ts';
import type { Server } from './server.ts';

interface FailoverOptions {
  /** The server that used the folder when the session was opened. */
  readonly server: Server;
  /** Handles calls in this process. */
  readonly inProcess: Send;
  /** Returns the server that uses the folder now, or undefined. */
  findServer(): Promise<Server | undefined>;
  note(message: string): void;
}

interface Route {
  readonly send: Send;
  /** The server that handles the calls; undefined if this process handles them. */
  readonly server?: Server;
}

/** A sender for a sandbox or local data. Uses the folder's server while it runs, and otherwise handles calls in this process. */
export interface FailoverSend {
  readonly send: Send;
  /** Closes the connections to servers that replaced the first server. */
  close(): void;
}

/**
 * Sends calls through the server that uses a folder. The server is another process, and may stop before this session ends. Calls then go to
 * the folder's new server, or to its files in this process. If the old server may have received a call, repeats the call only if it is
 * repeatable.
 */
export function withFailover({ server, inProcess, findServer, note }: FailoverOptions): FailoverSend {
  const opened: Server[] = [];
  let way: Route = { send: server.send, server };
  let changing: Promise<void> | undefined;
  const change = async (): Promise<void> => {
    const later = await findServer();
    if (later?.apiBaseUrl === way.server?.apiBaseUrl) {
      later?.close();
      return;
    }
    way = later === undefined ? { send: inProcess } : { send: later.send, server: later };
    if (later !== undefined) opened.push(later);
    note(
      later === undefined
        ? 'The server has stopped; accessing the files directly.'
        : 'Another server has taken over.',
    );
  };
  const send: Send = async (call) => {
    const used = way;
    try {
      return await used.send(call);
    } catch (error) {
      if (used.send === inProcess || !isProblem(error) || error.code !== 'unreachable') throw error;
      if (used === way) {
        changing ??= change().finally(() => {
          changing = undefined;
        });
        await changing;
      }
      // The server still uses the folder, but does not respond.
      if (used === way) throw error;
      if (!call.repeatable && !isConnectionRefused(error)) throw error;
      return send(call);
    }
  };
  return { send, close: () => opened.forEach((one) => void one.close()) };
}

/** Returns whether the connection was refused, which means that the server received nothing. */
function isConnectionRefused({ cause }: Problem): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}
