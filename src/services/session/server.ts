import type { RequestBudget, RequestsLeft } from '../../model/budget.ts';
import { isLoopback } from '../../model/loopback.ts';
import type { PaceLimits } from '../../model/pace.ts';
import { Problem } from '../../model/problem.ts';
import type { Auth } from '../../model/target.ts';
import { redactSecrets } from '../../text/redact.ts';
import { openRequestPacer, type PaceStore, type WaitReason, withPace } from '../../v4/budget.ts';
import type { Signing } from '../../v4/remote.ts';
import { withRetries } from '../../v4/retry.ts';
import type { Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import { openPaceFile } from '../pace/pace-file.ts';
import { concealingSend, reportingSend } from './guards.ts';
import type { Listener } from './session.ts';

/** A server that is reached over HTTP. */
export interface Server {
  readonly send: Send;
  readonly apiBaseUrl: string;
  retries(): number;
  requestsLeft(): RequestsLeft | undefined;
  close(): void;
}

/** Returns a server whose `send` retries, applies the request budget and redacts credentials. Connects only at the first call. */
export async function openServer(
  world: World,
  apiBaseUrl: string,
  auth: Auth | Signing,
  listener: Listener,
  budget?: SessionBudget,
): Promise<Server> {
  const { openRemote } = await import('../../v4/remote.ts');
  const { send, close } = openRemote({
    apiBaseUrl,
    auth,
    userAgent: 'edgectl',
    env: world.env,
    now: world.now,
  });
  const secrets = [readSecret(auth)];
  const redact = redactSecrets(secrets);
  listener.conceal?.(secrets);
  const careful = concealingSend(send, redact);
  const { debug } = listener;
  const watched =
    debug === undefined ? careful : reportingSend(careful, world, (message) => debug(redact(message)));
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  const pacer = openRequestPacer({
    ...findPaceLimits(apiBaseUrl, budget),
    store: findPaceStore(world, apiBaseUrl, auth),
    now: world.now,
    sleep: world.sleep,
    onWait: (wait, reason) => listener.note(`${waitReasons[reason]}: waiting ${seconds(wait)}.`),
  });
  const steady = withPace(watched, pacer);
  const closed = new AbortController();
  let retries = 0;
  const patient = withRetries(steady, {
    sleep: world.sleep,
    closed: closed.signal,
    jitter: () => (world.random(1)[0] ?? 0) / 256,
    onRetry: ({ attempt, waitMilliseconds, reason }) => {
      retries += 1;
      listener.note(`${reason.replace(/\.$/, '')}; attempt ${attempt} in ${seconds(waitMilliseconds)}.`);
    },
  });
  return {
    send: patient,
    apiBaseUrl,
    retries: () => retries,
    requestsLeft: pacer.requestsLeft,
    close() {
      closed.abort(new Problem('unreachable', 'The session is closed.'));
      close();
    },
  };
}

/** Reasons for delaying requests, as used in messages. */
export const waitReasons: Readonly<Record<WaitReason, string>> = {
  budget: "Staying within the platform's request budget",
  'retry-after': 'The platform requested a pause of all requests (Retry-After)',
};

/** The budget of a session. */
export interface SessionBudget extends RequestBudget {
  /** Whether the user set the budget. */
  readonly isChosen: boolean;
}

/** Returns the limits that apply until the platform reports other limits. There are no limits for loopback addresses. */
export function findPaceLimits(apiBaseUrl: string, budget: SessionBudget | undefined): PaceLimits {
  if (budget === undefined || isLoopback(new URL(apiBaseUrl).hostname)) return { budget: undefined };
  const { requests, seconds, isChosen } = budget;
  return { budget: { requests, seconds }, isChosen };
}

/**
 * The stores of request counts, by the user's folders, and then by platform and credentials. All sessions of this process share the stores,
 * because a console with tasks has several sessions.
 */
const paceStores = new WeakMap<World['folders'], Map<string, PaceStore>>();

/** Returns the store that counts requests to a platform with these credentials. All sessions and processes of the user share the counts. */
export function findPaceStore(world: World, apiBaseUrl: string, auth: Auth | Signing): PaceStore {
  const stores = paceStores.get(world.folders) ?? new Map<string, PaceStore>();
  paceStores.set(world.folders, stores);
  const name = JSON.stringify([apiBaseUrl, 'sign' in auth ? auth.secret : auth]);
  const store = stores.get(name) ?? openPaceFile(world, name);
  stores.set(name, store);
  return store;
}

function readSecret(auth: Auth | Signing): string {
  if ('token' in auth) return auth.token;
  return 'sign' in auth ? auth.secret : auth.apiKey;
}
