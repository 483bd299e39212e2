import { isProblem, type Problem } from '../../model/problem.ts';
import type { Send } from '../../v4/send.ts';
import type { Server } from './server.ts';

interface FailoverOptions {
  /** The server that used the folder when the session was opened. */
  readonly server: Server;
  /** Handles calls in this process. */
  readonly inProcess: Send;
  /** Finds the server that uses the folder now; returns undefined if no server does. */
  findServer(): Promise<Server | undefined>;
  note(message: string): void;
}

interface Route {
  readonly send: Send;
  /** The server's address; undefined if this process handles the calls. */
  readonly server?: Server;
}

/** Sends calls to a sandbox or to local data: through a server, or in this process after the server has stopped. */
export interface FailoverSend {
  readonly send: Send;
  /** Closes the connections to servers that were found later. */
  close(): void;
}

/**
 * Sends calls through the server that uses a folder. That server is another process, which may stop earlier than this session. After that,
 * calls go to the folder's new server, or directly to its files. A call that the old server may have received is repeated only if repeating
 * the call is harmless.
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
        : 'Another server took over.',
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
      // The same server still uses the folder, but does not answer.
      if (used === way) throw error;
      if (!call.repeatable && !isConnectionRefused(error)) throw error;
      return send(call);
    }
  };
  return { send, close: () => opened.forEach((one) => void one.close()) };
}

/** Whether the connection was refused, which means that the server received nothing. */
function isConnectionRefused({ cause }: Problem): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}
