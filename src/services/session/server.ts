import { type RequestBudget, type RequestsLeft, requestsLeft } from '../../model/budget.ts';
import { isLoopback } from '../../model/loopback.ts';
import { Problem } from '../../model/problem.ts';
import type { Auth } from '../../model/target.ts';
import { redactSecrets } from '../../text/redact.ts';
import { type BudgetUse, type WaitReason, withRequestBudget } from '../../v4/budget.ts';
import type { Signing } from '../../v4/remote.ts';
import { withRetries } from '../../v4/retry.ts';
import type { Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import { concealingSend, reportingSend } from './guards.ts';
import type { Listener } from './session.ts';

/** A server reached over HTTP. */
export interface Server {
  readonly send: Send;
  readonly apiBaseUrl: string;
  retries(): number;
  requestsLeft(): RequestsLeft | undefined;
  close(): void;
}

/**
 * Prepares calls to a server, with retries, a request budget and redaction of credentials. Does not connect before the first
 * call.
 */
export async function openServer(
  world: World,
  apiBaseUrl: string,
  auth: Auth | Signing,
  listener: Listener,
  budget?: RequestBudget,
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
  const limit = isLoopback(new URL(apiBaseUrl).hostname) ? undefined : budget;
  const used = findBudgetUse(world, apiBaseUrl, auth);
  const steady = withRequestBudget(watched, {
    budget: limit,
    used,
    now: world.now,
    sleep: world.sleep,
    onWait: (wait, reason) => listener.note(`${waitReasons[reason]}: waiting ${seconds(wait)}.`),
  });
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
    requestsLeft: () => limit && requestsLeft(used.bucket, limit, world.now()),
    close() {
      closed.abort(new Problem('unreachable', 'The session is closed.'));
      close();
    },
  };
}

const waitReasons: Readonly<Record<WaitReason, string>> = {
  budget: "Staying within the platform's request budget",
  'retry-after': 'The platform requested a pause of all requests (Retry-After)',
};

/** The budgets, by the user's folders, then by platform and credentials. */
const budgetUses = new WeakMap<World['folders'], Map<string, BudgetUse>>();

/** Returns the used part of a user's budget. The sessions of a process share it: a console with tasks has several. */
function findBudgetUse({ folders }: World, apiBaseUrl: string, auth: Auth | Signing): BudgetUse {
  const users = budgetUses.get(folders) ?? new Map<string, BudgetUse>();
  budgetUses.set(folders, users);
  const name = JSON.stringify([apiBaseUrl, auth]);
  const used = users.get(name) ?? { closedUntil: 0 };
  users.set(name, used);
  return used;
}

function readSecret(auth: Auth | Signing): string {
  if ('token' in auth) return auth.token;
  return 'sign' in auth ? auth.secret : auth.apiKey;
}
