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
  dependsOnBody,
  describeRefusal,
  describeRule,
  type Policies,
  type RequestFacts,
} from '../../model/guard/policy.ts';
import { acceptedJurisdictions, noJurisdiction } from '../../model/jurisdiction.ts';
import { asProblem, isProblem, Problem } from '../../model/problem.ts';
import { refused } from '../../v4/envelope.ts';
import { guardCodes } from '../../v4/guard-codes.ts';
import { findPlatformTokenUse } from '../../v4/platform-tokens.ts';
import { findAmbiguity, hasEffectInBody, hasNamesInBody, readRequestFacts } from '../../v4/request-facts.ts';
import { objstoreHeaders } from '../../v4/wire.ts';
import type { World } from '../../world.ts';
import { type Forwarder, type ForwardOutcome, findRepeatedHeader, readAgent } from './forward.ts';
import type { HeldRequests, HeldVerdict } from './held.ts';
import { type HeldBody, readHeldBody } from './held-body.ts';
import {
  decideAgain,
  describeCover,
  isApproved,
  type PreparedUndo,
  prepareUndo,
  type SavedRequest,
  saveFirst,
} from './save-first.ts';
import { isTailUpgrade, returnsTail, type TailRelay } from './tails.ts';
import type { GuardUndo } from './undo.ts';

/** Records a request before it is forwarded or refused, and records the outcome afterwards. */
export interface Recorder {
  /**
   * Resolves when the record is written. Returns a function that records the outcome of a forwarded request. `verdict` is set if the policy
   * rule requires approval.
   */
  record(
    request: RequestFacts,
    decided: Decided,
    verdict?: HeldVerdict,
  ): Promise<(outcome: ForwardOutcome) => Promise<void>>;
}

export interface DoorOptions {
  /** The token that clients must send. The token is valid only for this guard. */
  readonly token: string;
  /** Returns the policies in force. */
  policies(): Policies;
  readonly forwarder: Forwarder;
  readonly recorder: Recorder;
  readonly tails: TailRelay;
  readonly held: HeldRequests;
  readonly undo: GuardUndo;
  readonly world: Pick<World, 'folders' | 'random'>;
  readonly facts: Pick<RequestFacts, 'target' | 'client'>;
  /** The port to listen on; 0 selects any free port. */
  readonly port: number;
  /** Called for each refused request. */
  readonly onRefusal: (message: string) => void;
}

/** A listening v4 API server of a guard. */
export interface Door {
  /** `http://127.0.0.1:<port>/client/v4`. */
  readonly apiBaseUrl: string;
  /** Returns a request listener for another server that accepts requests for these hosts. */
  answerBy(server: Server, hosts: readonly string[]): RequestListener;
  /** Stops listening, waits for requests in progress, then closes the remaining connections. */
  close(): Promise<void>;
}

const basePath = '/client/v4';
/**
 * Idle timeout of a connection, in milliseconds. This timeout is longer than the timeouts of clients, so a client never reuses a connection
 * that is being closed.
 */
const keepAliveMs = 65_000;
/** Maximum time that closing waits for requests in progress, in milliseconds. */
const drainMs = 3000;

/**
 * Serves the v4 API on 127.0.0.1: each request is checked, decided, recorded, and then forwarded or refused. Web pages cannot use this
 * server: it requires the token, accepts only its own address as the host name, and never answers a preflight request.
 */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const server = createServer({ keepAliveTimeout: keepAliveMs, shouldUpgradeCallback: isTailUpgrade });
  let hosts: readonly string[] = [];
  const answer =
    (taking: Server, allowed: () => readonly string[], continues = false): RequestListener =>
    (request, response) => {
      if (!taking.listening) response.shouldKeepAlive = false;
      const visit: Visit = { request, response, continues, gone: new AbortController() };
      handle({ ...options, host: () => hosts[0] ?? '' }, allowed(), visit).catch(() => response.destroy());
    };
  server.on(
    'request',
    answer(server, () => hosts),
  );
  // With "Expect: 100-continue", a client waits for "100 Continue" before it sends a body, so a client never sends the body of a refused
  // request.
  server.on(
    'checkContinue',
    answer(server, () => hosts, true),
  );
  server.on('upgrade', (request, socket, head) => options.tails.connect(request, socket, head, hosts));
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
  /** Aborted when the connection is closed. */
  readonly gone: AbortController;
  /** The body of the request, after it has been read. */
  body?: HeldBody;
}

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

interface OpenDoor extends DoorOptions {
  /** Address and port of the server. */
  host(): string;
}

async function handle(options: OpenDoor, hosts: readonly string[], visit: Visit): Promise<void> {
  const { request, response, continues } = visit;
  const { method = '', url = '' } = request;
  const early = findRefusal(options.token, hosts, request);
  if (early !== undefined) return refuse(options, visit, early);
  const path = url.slice(basePath.length);
  const facts = readRequestFacts({ method, path, headers: request.headers }, options.facts);
  const policies = options.policies();
  const decided = decide(policies, facts);
  const needsBody = canBodyDecide(policies, { facts, decided });
  // A denial that no body can change is answered before the client sends its body.
  if (continues && (needsBody || decided.decision !== 'deny')) response.writeContinue();
  response.once('close', () => visit.gone.abort());
  try {
    const first = { path, facts, decided };
    await settle(
      options,
      visit,
      needsBody ? await ask(options, visit, first) : await askEarly(options, visit, first),
    );
  } catch (error) {
    if (isProblem(error)) refuse(options, visit, refusal(413, 'malformed', error.message));
    else response.destroy();
  } finally {
    await visit.body?.close();
  }
}

/**
 * Returns whether the body must be read before the decision, because its names, its number of resources or its effect can change the
 * decision or must be recorded.
 */
function canBodyDecide(policies: Policies, { facts, decided }: Pick<Settled, 'facts' | 'decided'>): boolean {
  const { decision } = decided;
  const isUncounted = facts.count === undefined && facts.route !== undefined;
  if (decision === 'deny') return (hasNamesInBody(facts) || isUncounted) && dependsOnBody(policies);
  return hasNamesInBody(facts) || hasEffectInBody(facts) || (decision === 'ask' && facts.count === undefined);
}

/** Settles a request whose decision does not depend on its body. An approval that covers the request is found without reading the body. */
async function askEarly(options: OpenDoor, visit: Visit, first: Settled): Promise<Settled> {
  const { path, facts, decided } = first;
  if (decided.decision === 'deny') return first;
  const verdict = decided.decision === 'ask' ? options.held.findSameApproval({ facts, decided }) : undefined;
  if (decided.decision === 'ask' && verdict === undefined) return ask(options, visit, first);
  const known = options.undo.needsBody(facts) ? await readAllFacts(options, visit, path) : facts;
  return { path, facts: known, decided, verdict };
}

/**
 * Reads the body before the request is forwarded, unless the body was already read. The body is needed if the request waits for approval,
 * or if its change is saved for undo.
 */
async function readBodyOnce({ world }: OpenDoor, visit: Visit): Promise<HeldBody> {
  visit.body ??= await readHeldBody(world, visit.request);
  return visit.body;
}

/** Returns the facts about a request, including the number of resources in its body. */
async function readAllFacts(options: OpenDoor, visit: Visit, path: string): Promise<RequestFacts> {
  const { method = '', headers } = visit.request;
  const { bytes, start } = await readBodyOnce(options, visit);
  // Only the start of a long body is in memory, so the content counts as unknown.
  const body = start.length === bytes ? start : new Uint8Array();
  return readRequestFacts({ method, path, headers, body }, options.facts);
}

/** A decided request. */
interface Settled {
  readonly path: string;
  readonly facts: RequestFacts;
  readonly decided: Decided;
  /** The person's answer, if the policy rule requires approval. */
  readonly verdict?: HeldVerdict | undefined;
  /** How undo can restore the change, if this is already known. */
  readonly undo?: PreparedUndo;
}

/** Asks a person for approval, unless the policy can allow or deny the request once its body is known. */
async function ask(options: OpenDoor, visit: Visit, { path }: Pick<Settled, 'path'>): Promise<Settled> {
  const facts = await readAllFacts(options, visit, path);
  const decided = decide(options.policies(), facts);
  if (decided.decision !== 'ask') return { path, facts, decided };
  const same = options.held.findSameApproval({ facts, decided, digest: visit.body?.digest });
  if (same !== undefined) return { path, facts, decided, verdict: same };
  const undo = await prepare(options, visit, facts);
  const verdict = await askPerson(options, visit, { path, facts, decided }, undo);
  return { path, facts, decided, verdict, undo };
}

async function askPerson(
  options: OpenDoor,
  visit: Visit,
  { path, facts, decided }: Settled,
  undo: PreparedUndo,
): Promise<HeldVerdict> {
  const { digest, bytes, start } = await readBodyOnce(options, visit);
  const { headers } = visit.request;
  const covered = describeCover(undo);
  return options.held.ask(
    { facts, decided, path, headers, digest, bytes, start, agent: readAgent(visit.request), ...covered },
    visit.gone.signal,
  );
}

function prepare({ undo }: OpenDoor, { request, body }: Visit, facts: RequestFacts): Promise<PreparedUndo> {
  return prepareUndo(undo, { facts, headers: request.headers, body: body?.body });
}

/** Saves what a decided request will delete or overwrite, records the request, and forwards or refuses it. */
async function settle(options: OpenDoor, visit: Visit, settled: Settled): Promise<void> {
  const { path, facts } = settled;
  const { decided, verdict, saved, lost } = await decideAgain(
    await saveApproved(options, visit, settled),
    () => decide(options.policies(), facts),
  );
  let finish: (outcome: ForwardOutcome) => Promise<void>;
  try {
    finish = await options.recorder.record(facts, decided, verdict);
  } catch (error) {
    await saved?.drop();
    return refuse(options, visit, refusal(500, 'unrecorded', `not sent: ${asProblem(error).message}`));
  }
  if (!isApproved({ decided, verdict }))
    return refuse(options, visit, toRefusal(options, { decided, verdict, lost }));
  if (visit.gone.signal.aborted) {
    // The client disconnected before the request was forwarded.
    await Promise.all([finish({ status: undefined, requestId: undefined }), saved?.drop()]);
    return;
  }
  const { forwarder, tails } = options;
  const { request, response, body } = visit;
  const rewrite = returnsTail(facts.method, path)
    ? (answer: Buffer) => tails.rewrite(answer, options.host())
    : undefined;
  const outcome = await forwarder.forward(request, response, path, { rewrite, body: body?.body });
  await Promise.all([finish(outcome), saved?.finish(outcome)]);
}

async function saveApproved(options: OpenDoor, visit: Visit, settled: Settled): Promise<SavedRequest> {
  const { facts, decided, verdict } = settled;
  if (!isApproved({ decided, verdict }))
    return { decided, verdict, saved: undefined, lost: settled.undo?.lost };
  const undo = settled.undo ?? (await prepare(options, visit, facts));
  return saveFirst({ decided, verdict, undo }, async (asking, lost) => {
    // Looks for an earlier approval first, because asking a person requires the body.
    const same = options.held.findSameApproval({ facts, decided: asking });
    return same ?? askPerson(options, visit, { ...settled, decided: asking }, { lost });
  });
}

/** Returns a refusal if the request fails a check that does not depend on the policy; otherwise undefined. */
function findRefusal(token: string, hosts: readonly string[], request: IncomingMessage): Refusal | undefined {
  const { headers, method = '', url = '' } = request;
  const isPage = headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none';
  if (!hosts.includes(headers.host ?? '') || isPage)
    return refusal(403, 'refused', 'only programs on this machine can use this address.');
  const use = refuseTokenUse(url.slice(basePath.length));
  if (!isToken(token, headers.authorization))
    return use ?? refusal(401, 'unauthorized', 'the token is not the one that this guard issued.');
  if (!url.startsWith(`${basePath}/`))
    return refusal(404, 'malformed', `the base URL must end in ${basePath}.`);
  const path = url.slice(basePath.length);
  const ambiguity = findAmbiguity(method, path, headers);
  const malformed = ambiguity ?? findRepeatedHeader(request) ?? findJurisdictionFault(headers);
  if (malformed !== undefined) return refusal(400, 'malformed', malformed);
  return use;
}

/**
 * Explains why the platform could use a different jurisdiction from the one that the approver sees; undefined if the jurisdiction is
 * unambiguous.
 */
function findJurisdictionFault(headers: Readonly<Record<string, unknown>>): string | undefined {
  const name = objstoreHeaders.jurisdiction;
  const known = [noJurisdiction, ...acceptedJurisdictions];
  // Node joins the values of a header that occurs twice.
  if (headers[name] === undefined || known.includes(String(headers[name]))) return undefined;
  return `The header ${name} must be sent only once, and must be one of ${known.join(', ')}.`;
}

/**
 * Refuses requests that would give a program a credential that works without the guard, or that use a credential the guard has not issued.
 */
function refuseTokenUse(path: string): Refusal | undefined {
  const use = findPlatformTokenUse(path);
  if (use === undefined) return undefined;
  const why = `${use} require a platform token that also works without the guard. Run the command without the guard.`;
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

function toRefusal({ held }: OpenDoor, refusedRequest: Omit<SavedRequest, 'saved'>): Refusal {
  return refusal(403, 'refused', describeUnapproved(held, refusedRequest));
}

/** Explains why a request was not sent. */
export function describeUnapproved(
  { waitMs, endsWithProgram }: Pick<HeldRequests, 'waitMs' | 'endsWithProgram'>,
  { decided, verdict, lost }: Omit<SavedRequest, 'saved'>,
): string {
  if (verdict === undefined || 'approver' in verdict) return describeRefusal(decided);
  const { number, refusal: why, isFinal, tooMany } = verdict;
  const about = { number, waitMs, endsWithProgram, isRepeatable: isFinal !== true, tooMany };
  const refused = describeHeldRefusal(why, describeRule(decided), about);
  return lost === undefined ? refused : `${refused} ${lost}`;
}

/** Sends a refusal in the platform's envelope. Closes the connection if the client is still sending a body. */
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
