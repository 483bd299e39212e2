import { allowsPlainHttp } from '../../model/loopback.ts';
import { Problem } from '../../model/problem.ts';
import type { Environment } from '../../profiles/environment.ts';

/** How a WebSocket closed: the code (RFC 6455, 7.4.1) and the reason. `opened`: whether the WebSocket was ever open. */
export interface SocketEnd {
  readonly code: number;
  readonly reason: string;
  readonly opened: boolean;
}

/** Events of a WebSocket, in order. */
export type SocketNews =
  | { readonly kind: 'open' }
  | { readonly kind: 'text'; readonly text: string }
  /** Number of messages that were dropped because the caller did not read them fast enough. */
  | { readonly kind: 'dropped'; readonly count: number };

/** Maximum number of unread messages, and maximum number of characters in them. */
const maxUnread = { texts: 10_000, characters: 32 * 1024 * 1024 };

/**
 * Yields the messages of a tail's WebSocket until the WebSocket closes or the signal is aborted. Throws if `address` is an unencrypted URL,
 * except on this machine or on a host that the environment allows.
 */
export async function* listenTo(
  address: string,
  signal: AbortSignal,
  env: Environment,
  limits = maxUnread,
): AsyncGenerator<SocketNews, SocketEnd> {
  const socket = new WebSocket(checkAddress(address, env), 'trace-v1');
  const texts: string[] = [];
  const state: { dropped: number; waiting: number; opened: boolean; end?: SocketEnd; wake: () => void } = {
    dropped: 0,
    waiting: 0,
    opened: false,
    wake: () => undefined,
  };
  const end = (code: number, reason: string) => {
    state.end ??= { code, reason, opened: state.opened };
    state.wake();
  };
  const stop = () => {
    socket.close();
    end(1000, 'interrupted');
  };
  socket.addEventListener('open', () => {
    state.opened = true;
    state.wake();
  });
  socket.addEventListener('message', ({ data }) => {
    const text = String(data);
    if (texts.length < limits.texts && state.waiting < limits.characters) {
      texts.push(text);
      state.waiting += text.length;
    } else state.dropped += 1;
    state.wake();
  });
  socket.addEventListener('close', ({ code, reason }) => end(code, reason));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    let isReported = false;
    while (true) {
      if (state.opened && !isReported) {
        isReported = true;
        yield { kind: 'open' };
      }
      // Yields received messages even if the WebSocket has since closed.
      for (let text = texts.shift(); text !== undefined; text = texts.shift()) {
        state.waiting -= text.length;
        yield { kind: 'text', text };
      }
      if (state.dropped > 0) yield { kind: 'dropped', count: state.dropped };
      state.dropped = 0;
      if (texts.length > 0) continue;
      if (state.end !== undefined) return state.end;
      await new Promise<void>((resolve) => {
        state.wake = resolve;
      });
    }
  } finally {
    signal.removeEventListener('abort', stop);
    socket.close();
  }
}

function checkAddress(address: string, env: Environment): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === 'wss:' || (url?.protocol === 'ws:' && allowsPlainHttp(url.hostname, env));
  if (isSafe) return address;
  throw new Problem('refused', `The platform returned an unencrypted URL for the logs: "${address}".`, {
    hint: 'A proxy may have changed the URL. Nothing was sent to it.',
  });
}
