import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemReason } from '../../files/system-reason.ts';
import { describeHeldRefusal } from '../../model/guard/held.ts';
import {
  type Decided,
  decide,
  describeRefusal,
  describeRule,
  type Policies,
  type RequestFacts,
} from '../../model/guard/policy.ts';
import { asProblem, isProblem, Problem } from '../../model/problem.ts';
import { refused } from '../../v4/envelope.ts';
import { guardCodes } from '../../v4/guard-codes.ts';
import { findPlatformTokenUse } from '../../v4/platform-tokens.ts';
import { findAmbiguity, readRequestFacts } from '../../v4/request-facts.ts';
import type { World } from '../../world.ts';
import type { Forwarder, ForwardOutcome } from './forward.ts';
import type { HeldRequests, HeldVerdict } from './held.ts';
import { type HeldBody, readHeldBody } from './held-body.ts';
import { isTailUpgrade, returnsTail, type TailRelay } from './tails.ts';

/** Records a request before it is forwarded or refused, and then its outcome. */
export interface Recorder {
  /**
   * Resolves when the record is written. Returns a function that records the outcome of a forwarded request. `verdict` is set if
   * the rule asks.
   */
  record(
    request: RequestFacts,
    decided: Decided,
    verdict?: HeldVerdict,
  ): Promise<(outcome: ForwardOutcome) => Promise<void>>;
}

export interface DoorOptions {
  /** The token that clients must send: valid only here. */
  readonly token: string;
  /** Returns the policies that apply now. */
  policies(): Policies;
  readonly forwarder: Forwarder;
  readonly recorder: Recorder;
  readonly tails: TailRelay;
  readonly held: HeldRequests;
  readonly world: Pick<World, 'folders' | 'random'>;
  readonly facts: Pick<RequestFacts, 'target' | 'client'>;
  /** 0 for any free port. */
  readonly port: number;
  /** Called for each refused request. */
  readonly onRefusal: (message: string) => void;
}

/** A listening door. */
export interface Door {
  /** `http://127.0.0.1:<port>/client/v4`. */
  readonly apiBaseUrl: string;
  /** Returns a listener for requests that another server accepts for one of these hosts. */
  answerBy(server: Server, hosts: readonly string[]): RequestListener;
  /** Stops listening, waits for requests in progress, then closes the remaining connections. */
  close(): Promise<void>;
}

const basePath = '/client/v4';
/** Longer than clients keep idle connections, so that none is closed during a request. In milliseconds. */
const keepAliveMs = 65_000;
/** How long closing waits for requests in progress, in milliseconds. */
const drainMs = 3000;

/**
 * Serves the v4 API on 127.0.0.1: each request is checked, decided, recorded, and then forwarded or refused. A web page cannot use
 * it: it needs the token, accepts no host name but its own address, and never answers a preflight.
 */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const server = createServer({ keepAliveTimeout: keepAliveMs, shouldUpgradeCallback: isTailUpgrade });
  let hosts: readonly string[] = [];
  const answer =
    (taking: Server, allowed: () => readonly string[], continues = false): RequestListener =>
    (request, response) => {
      if (!taking.listening) response.shouldKeepAlive = false;
      handle({ ...options, host: () => hosts[0] ?? '' }, allowed(), { request, response, continues }).catch(
        () => response.destroy(),
      );
    };
  server.on(
    'request',
    answer(server, () => hosts),
  );
  // The client waits for "100 Continue" before it sends its body, so the body of a refused request is never sent.
  server.on(
    'checkContinue',
    answer(server, () => hosts, true),
  );
  server.on('upgrade', (request, socket, head) => options.tails.connect(request, socket, head));
  const listening = once(server, 'listening');
  server.listen({ host: '127.0.0.1', port: options.port });
  await listening.catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be opened: ${systemReason(error)}`;
    throw new Problem('refused', `Port ${options.port} ${why}.`, { cause: error });
  });
  const { port } = server.address() as AddressInfo;
  hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return {
    apiBaseUrl: `http://127.0.0.1:${port}${basePath}`,
    answerBy: (taking, named) => answer(taking, () => named),
    async close() {
      options.tails.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearTimeout(force);
    },
  };
}

interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether the client waits for "100 Continue" before it sends its body. */
  readonly continues: boolean;
}

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

interface OpenDoor extends DoorOptions {
  /** Address and port of the door. */
  host(): string;
}

async function handle(options: OpenDoor, hosts: readonly string[], visit: Visit): Promise<void> {
  const { request, response, continues } = visit;
  const { method = '', url = '' } = request;
  const early = findRefusal(options.token, hosts, request);
  if (early !== undefined) return refuse(options, visit, early);
  const path = url.slice(basePath.length);
  const facts = readRequestFacts({ method, path }, options.facts);
  const decided = decide(options.policies(), facts);
  if (decided.decision !== 'ask') {
    if (decided.decision === 'allow' && continues) response.writeContinue();
    return settle(options, visit, { path, facts, decided });
  }
  const same = options.held.findSameApproval(facts, decided);
  if (continues) response.writeContinue();
  if (same !== undefined)
    return settle(options, visit, { path, facts, decided, verdict: { number: undefined, approver: same } });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const body = await readHeldBody(options.world, request).catch((error: unknown) => {
    if (isProblem(error)) refuse(options, visit, refusal(413, 'malformed', error.message));
    else response.destroy();
  });
  if (body === undefined) return;
  try {
    await settle(options, visit, await ask(options, visit, { path, body, gone: gone.signal }));
  } finally {
    await body.close();
  }
}

/** A decided request. */
interface Settled {
  readonly path: string;
  readonly facts: RequestFacts;
  readonly decided: Decided;
  /** Set if the rule asks. */
  readonly verdict?: HeldVerdict;
  /** Set if it has been read already. */
  readonly body?: HeldBody;
}

/** Asks a person, unless the policy allows or denies the request now that its body is known. */
async function ask(
  { policies, facts: common, held }: OpenDoor,
  { request }: Visit,
  { path, body, gone }: { path: string; body: HeldBody; gone: AbortSignal },
): Promise<Settled> {
  const { method = '', headers } = request;
  const { digest, bytes, start } = body;
  const facts = readRequestFacts({ method, path, ...(start.length === bytes && { body: start }) }, common);
  const decided = decide(policies(), facts);
  if (decided.decision !== 'ask') return { path, facts, decided, body };
  const agent = headers['user-agent'];
  const verdict = await held.ask({ facts, decided, path, digest, bytes, start, agent }, gone);
  return { path, facts, decided, verdict, body };
}

/** Records a decided request, and forwards or refuses it. */
async function settle(options: OpenDoor, visit: Visit, settled: Settled): Promise<void> {
  const { request, response } = visit;
  const { path, facts, decided, verdict, body } = settled;
  let finish: (outcome: ForwardOutcome) => Promise<void>;
  try {
    finish = await options.recorder.record(facts, decided, verdict);
  } catch (error) {
    return refuse(options, visit, refusal(500, 'unrecorded', `not sent: ${asProblem(error).message}`));
  }
  const isApproved = decided.decision === 'allow' || (verdict !== undefined && 'approver' in verdict);
  if (!isApproved) return refuse(options, visit, toRefusal(options, decided, verdict));
  const { tails } = options;
  const rewrite = returnsTail(facts.method, path)
    ? (answer: Buffer) => tails.rewrite(answer, options.host())
    : undefined;
  await finish(await options.forwarder.forward(request, response, path, { rewrite, body: body?.body }));
}

/** Checks that do not depend on the policy. */
function findRefusal(token: string, hosts: readonly string[], request: IncomingMessage): Refusal | undefined {
  const { headers, method = '', url = '' } = request;
  const isPage = headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none';
  if (!hosts.includes(headers.host ?? '') || isPage)
    return refusal(403, 'refused', 'only programs on this machine can use this address.');
  const use = refuseTokenUse(url.slice(basePath.length));
  if (!isToken(token, headers.authorization))
    return use ?? refusal(401, 'unauthorized', 'the token is not the one that this guard issued.');
  if (!url.startsWith(`${basePath}/`)) return refusal(404, 'malformed', `the address ends in ${basePath}.`);
  const path = url.slice(basePath.length);
  const ambiguity = findAmbiguity(method, path, headers);
  if (ambiguity !== undefined) return refusal(400, 'malformed', ambiguity);
  return use;
}

/** A program would get a credential with which it can act without the guard, or use one that the guard has not issued. */
function refuseTokenUse(path: string): Refusal | undefined {
  const use = findPlatformTokenUse(path);
  if (use === undefined) return undefined;
  const why = `${use} need a token of the platform that works without the guard. Run this without the guard.`;
  return refusal(403, 'refused', why);
}

function refusal(status: number, code: keyof typeof guardCodes, message: string): Refusal {
  return { status, code: guardCodes[code], message: `Guard: ${message}` };
}

function isToken(expected: string, authorization: string | undefined): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function toRefusal({ held }: OpenDoor, decided: Decided, verdict: HeldVerdict | undefined): Refusal {
  return refusal(403, 'refused', describeUnapproved(held, decided, verdict));
}

/** Explains why a request was not sent. */
export function describeUnapproved(
  { waitMs }: Pick<HeldRequests, 'waitMs'>,
  decided: Decided,
  verdict: HeldVerdict | undefined,
): string {
  if (verdict === undefined || 'approver' in verdict) return describeRefusal(decided);
  const { number, refusal: why } = verdict;
  return describeHeldRefusal(why, describeRule(decided), { number, waitMs });
}

/** Answers a refusal in the platform's envelope. The connection closes if the client is still sending a body. */
function refuse(
  { onRefusal }: DoorOptions,
  { request, response }: Visit,
  { status, code, message }: Refusal,
) {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  onRefusal(`Refused ${request.method} ${path}: ${message.replace('Guard: ', '')}`);
  if (response.destroyed) return;
  const { headers, body } = refused(status, code, message);
  if (!request.complete) response.shouldKeepAlive = false;
  response.writeHead(status, headers).end(body);
  request.resume();
}
