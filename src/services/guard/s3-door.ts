import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Policies, RequestFacts } from '../../model/guard/policy.ts';
import { acceptedJurisdictions } from '../../model/jurisdiction.ts';
import { isLoopback } from '../../model/loopback.ts';
import { asProblem, isProblem } from '../../model/problem.ts';
import { decodePath, parseQuery } from '../../s3/address.ts';
import { S3Refusal } from '../../s3/refusal.ts';
import { type AccessKey, canonicalPath, encoded, sha256 } from '../../s3/signature.ts';
import { type Claim, checkSignature, checkTime, readClaim } from '../../s3/verify.ts';
import { formatDocument } from '../../s3/xml.ts';
import { findLengthFault } from '../../v4/request-facts.ts';
import { readBody } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import type { Session } from '../session/session.ts';
import { describeUnapproved, type Recorder } from './door.ts';
import { type ForwardOutcome, findRepeatedHeader, hasBody, readAgent } from './forward.ts';
import type { HeldRequests, HeldVerdict } from './held.ts';
import { checkS3Ambiguity, decideS3, type S3Asked, type S3Decided } from './s3-decision.ts';
import { openS3Forwarder, type S3Forwarder } from './s3-forward.ts';
import {
  decideAgain,
  describeCover,
  isApproved,
  type PreparedUndo,
  prepareUndo,
  type SavedRequest,
  saveFirst,
} from './save-first.ts';
import type { SharedReads } from './shared-reads.ts';
import type { GuardUndo, SavedChange } from './undo.ts';

export interface S3DoorOptions {
  readonly world: Pick<World, 'env' | 'now' | 'random'>;
  readonly held: HeldRequests;
  readonly undo: GuardUndo;
  readonly reads: SharedReads;
  /** The session that provides the platform's S3 endpoint and access key. */
  readonly session: Pick<Session, 's3Access' | 'accountId'>;
  /** Returns the policies in force. */
  policies(): Policies;
  readonly recorder: Recorder;
  readonly facts: Pick<RequestFacts, 'target' | 'client'>;
  /** The port to listen on; 0 selects any free port. */
  readonly port: number;
  /** Called for each refused request. */
  readonly onRefusal: (message: string) => void;
}

/** A listening S3 API server of a guard. */
export interface S3Door {
  /** `http://127.0.0.1:<port>`; the bucket is the first path segment, or the first label of `<bucket>.localhost`. */
  readonly endpoint: string;
  /** The access key that clients must sign with. The key is valid only for this guard. */
  readonly key: AccessKey;
  /** Stops listening, waits for requests in progress, then closes the remaining connections. */
  close(): Promise<void>;
}

/** Maximum time that closing waits for requests in progress, in milliseconds. */
const drainMs = 3000;

/** Maximum length of a DeleteObjects body, in bytes: 1,000 keys of 1,024 bytes, with every byte written as a character reference. */
const maxDocumentBytes = 8 * 1024 * 1024;

/**
 * Serves the S3 API on 127.0.0.1. Each request must be signed with the guard's access key. The request is then decided, recorded, signed
 * again with the platform's access key, and forwarded. The platform's access key is read or derived at the first request.
 */
export async function openS3Door(options: S3DoorOptions): Promise<S3Door> {
  const { world } = options;
  const hex = (bytes: number) => Buffer.from(world.random(bytes)).toString('hex');
  const key: AccessKey = { id: hex(16), secret: hex(32) };
  const forwarder = openS3Forwarder(world, options.reads);
  let port = 0;
  const answer = (continues: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    if (!server.listening) response.shouldKeepAlive = false;
    const visit: Visit = { request, response, continues, port };
    handle({ ...options, key, forwarder }, visit).catch(() => response.destroy());
  };
  const server = createServer(answer(false));
  // With "Expect: 100-continue", a client waits for "100 Continue" before it sends a body, so a client never sends the body of a refused
  // request.
  server.on('checkContinue', answer(true));
  server.on('checkExpectation', answer(false));
  // No timeout: uploading a part of 5 GiB may take longer than Node's default timeout.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 65_000;
  const listening = once(server, 'listening');
  server.listen({ host: '127.0.0.1', port: options.port });
  await listening;
  port = (server.address() as AddressInfo).port;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    key,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearTimeout(force);
      forwarder.close();
    },
  };
}

interface OpenDoor extends S3DoorOptions {
  readonly key: AccessKey;
  readonly forwarder: S3Forwarder;
}

interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether the client waits for "100 Continue" before it sends its body. */
  readonly continues: boolean;
  readonly port: number;
}

async function handle(door: OpenDoor, visit: Visit): Promise<void> {
  let finish: ((outcome: ForwardOutcome) => Promise<void>) | undefined;
  let saved: SavedChange | undefined;
  let isSent = false;
  try {
    const { claim, asked } = await checkRequest(door, visit);
    const first: S3Decided = decideS3(door.policies(), asked, door.facts);
    const { facts } = first;
    const undo = await prepareSaving(door, asked, first);
    const answered = await askPerson(door, visit, { claim, asked, facts, decided: first.decided }, undo);
    const decideNow = () => decideS3(door.policies(), asked, door.facts).decided;
    // Decides again before looking up the credentials, because the lookup would ask for the passphrase of a locked profile.
    const approved = await decideAgain(
      { ...first, verdict: answered, saved: undefined, lost: undo.lost },
      decideNow,
    );
    const isAllowed = isApproved(approved);
    const upstream = isAllowed
      ? await findUpstream(door, asked, facts.effect === 'read' ? 'read' : undefined)
      : undefined;
    const { decided, verdict, lost, ...rest }: SavedRequest = isAllowed
      ? await saveFirst({ ...approved, undo }, (asking, why) =>
          askAnyway(door, visit, { claim, asked, facts, decided: asking }, why),
        ).then((prepared) => decideAgain(prepared, decideNow))
      : approved;
    saved = rest.saved;
    finish = await record(door, { facts, decided }, verdict);
    if (upstream === undefined || !isApproved({ decided, verdict }))
      throw new S3Refusal('AccessDenied', describeUnapproved(door.held, { decided, verdict, lost }));
    if (visit.continues && asked.body === undefined) visit.response.writeContinue();
    const { path, body } = asked;
    const { request, response } = visit;
    const { secret } = door.key;
    isSent = true;
    const outcome = await door.forwarder.forward({ request, response, claim, secret, path, body, upstream });
    await Promise.all([finish(outcome), saved?.finish(outcome)]);
  } catch (error) {
    const unknown = { status: undefined, requestId: undefined };
    await Promise.all([finish?.(unknown), isSent ? saved?.finish(unknown) : saved?.drop()]);
    refuse(door, visit, error);
  }
}

/** Finds out what a request will delete or overwrite. Saves nothing for a denied request. */
async function prepareSaving(
  { undo }: OpenDoor,
  { headers, jurisdiction }: S3Asked,
  { facts, decided }: S3Decided,
): Promise<PreparedUndo> {
  if (decided.decision === 'deny') return { change: undefined };
  return prepareUndo(undo, { facts, headers, keys: facts.listed?.name, jurisdiction });
}

/** Asks whether to send a request whose change undo cannot restore. */
async function askAnyway(
  door: OpenDoor,
  visit: Visit,
  asking: S3Decided & Pick<Checked, 'claim' | 'asked'>,
  lost: string,
): Promise<HeldVerdict> {
  const verdict = await askPerson(door, visit, asking, { lost });
  if (verdict === undefined) throw new S3Refusal('InternalError');
  return verdict;
}

/** Asks a person, if the policy requires approval. The body is not read until the person has decided. */
async function askPerson(
  { held }: OpenDoor,
  { request, response }: Visit,
  { claim, asked, facts, decided }: S3Decided & Pick<Checked, 'claim' | 'asked'>,
  undo: PreparedUndo,
): Promise<HeldVerdict | undefined> {
  if (decided.decision !== 'ask') return undefined;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const start = asked.body ?? new Uint8Array();
  // The signature covers this digest. Without a signed digest, the digest is known only if the body has been read.
  const signed = /^[0-9a-f]{64}$/.test(claim.payload) ? claim.payload : undefined;
  const question = {
    facts,
    decided,
    path: `s3:${asked.path}`,
    headers: asked.headers,
    digest: signed ?? (asked.body === undefined && hasBody(request) ? undefined : sha256(start)),
    bytes: asked.body?.length ?? Number(request.headers['content-length'] ?? 0),
    start,
    isStreamed: asked.body === undefined && hasBody(request),
    agent: readAgent(request),
    ...describeCover(undo),
  };
  return held.ask(question, gone.signal);
}

async function record(
  { recorder }: OpenDoor,
  { facts, decided }: S3Decided,
  verdict: HeldVerdict | undefined,
) {
  try {
    return await recorder.record(facts, decided, verdict);
  } catch (error) {
    throw new S3Refusal('InternalError', `not sent: ${asProblem(error).message}`);
  }
}

/** A request with a valid signature. */
interface Checked {
  readonly claim: Claim;
  readonly asked: S3Asked;
}

/** Checks the signature of a request, and checks that the platform and the policy interpret the request identically. */
async function checkRequest(door: OpenDoor, visit: Visit): Promise<Checked> {
  const { request, continues, response } = visit;
  const { method = '', url = '' } = request;
  const headers = joinHeaders(request);
  const repeated = findRepeatedHeader(request);
  if (repeated !== undefined) throw new S3Refusal('InvalidRequest', repeated);
  if (headers['origin'] !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none')
    throw new S3Refusal('AccessForbidden', 'only programs on this machine can use this address.');
  const claim = readClaim({ path: url, headers });
  checkTime(claim, door.world.now());
  if (claim.accessKeyId !== door.key.id)
    throw new S3Refusal('InvalidAccessKeyId', 'the access key is not the one that this guard issued.');
  const query = parseQuery(url);
  if (
    headers['x-amz-security-token'] !== undefined ||
    query.some(([name]) => name === 'X-Amz-Security-Token')
  )
    throw new S3Refusal('InvalidToken');
  checkSignature(claim, { method, path: url, headers }, door.key.secret);
  const { path, jurisdiction } = await splitJurisdiction(
    door,
    addBucket(decodePath(url), headers['host'], visit.port),
  );
  checkS3Ambiguity({ method, path, query, headers });
  const kept = query.filter(([name]) => !signatureParameters.test(name));
  const encodedQuery = kept.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  const isRead = method === 'GET' || method === 'HEAD';
  const tooLong = isRead ? undefined : findLengthFault(encodedQuery);
  if (tooLong !== undefined) throw new S3Refusal('InvalidRequest', tooLong);
  const asked = {
    method,
    path: canonicalPath(path) + (encodedQuery === '' ? '' : `?${encodedQuery}`),
    headers,
    jurisdiction,
    body: undefined,
  };
  const isDelete = method === 'POST' && kept.some(([name]) => name === 'delete');
  if (!isDelete) return { claim, asked };
  if (claim.payload.startsWith('STREAMING-'))
    throw new S3Refusal('NotImplemented', 'a guard does not accept DeleteObjects with a chunked body.');
  if (continues) response.writeContinue();
  const body = await readBody(request.iterator({ destroyOnReturn: false }), maxDocumentBytes).catch(
    (error: unknown) => {
      throw error instanceof RangeError ? new S3Refusal('MalformedXML') : error;
    },
  );
  return { claim, asked: { ...asked, body } };
}

/** Query parameters that contain a signature. */
const signatureParameters =
  /^x-amz-(?:algorithm|content-sha256|credential|date|expires|security-token|signature|signedheaders)$/i;

function joinHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

/** Moves the bucket from the host (virtual-hosted style) to the path. */
function addBucket(path: string, host = '', port: number): string {
  if (host === `127.0.0.1:${port}` || host === `localhost:${port}`) return path;
  const [, bucket] = /^([a-z0-9][a-z0-9-]{1,61}[a-z0-9])\.localhost:\d+$/.exec(host) ?? [];
  if (bucket !== undefined && host.endsWith(`:${port}`)) return `/${bucket}${path}`;
  throw new S3Refusal('AccessForbidden', 'only programs on this machine can use this address.');
}

const accountPath = new RegExp(`^/([0-9a-f]{32})\\.(${acceptedJurisdictions.join('|')})(/.*)$`);

/** Splits off the jurisdiction, which S3 clients specify in the endpoint: `/<account id>.eu`, as with a sandbox. */
async function splitJurisdiction({ session }: OpenDoor, path: string) {
  const [, account, jurisdiction, rest = ''] = accountPath.exec(path) ?? [];
  if (account === undefined || account !== (await session.accountId()))
    return { path, jurisdiction: undefined };
  return { path: rest, jurisdiction };
}

/** Returns the platform's S3 endpoint and access key. */
async function findUpstream(
  { session }: OpenDoor,
  { path, jurisdiction }: S3Asked,
  purpose: 'read' | undefined,
) {
  try {
    const upstream = await session.s3Access(jurisdiction, purpose);
    // A sandbox would parse such a segment as an account.
    if (isLoopback(new URL(upstream.endpoint).hostname) && /^\/[0-9a-f]{32}(?:\.|\/|$)/.test(path))
      throw new S3Refusal('InvalidBucketName');
    return upstream;
  } catch (error) {
    if (!isProblem(error)) throw error;
    const hint = error.hint === undefined ? '' : ` ${error.hint}`;
    throw new S3Refusal('AccessDenied', `this session has no S3 credentials: ${error.message}${hint}`);
  }
}

/** Sends a refusal in the format of the S3 API. Closes the connection if the client is still sending a body. */
function refuse({ onRefusal }: OpenDoor, { request, response }: Visit, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { code, status, message } = toRefusal(error);
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  onRefusal(`Refused ${request.method} s3:${path}: ${message}`);
  if (!request.complete) response.shouldKeepAlive = false;
  const body = formatDocument('Error', { Code: code, Message: `Guard: ${message}`, Resource: path });
  response.writeHead(status, {
    'content-type': 'application/xml',
    'content-length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
  request.resume();
}

function toRefusal(error: unknown): Pick<S3Refusal, 'code' | 'status' | 'message'> {
  if (error instanceof S3Refusal) return error;
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'ServiceUnavailable', status: 502, message };
}
