import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request as openHttp, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { makePrivateFolder } from '../../files/folders.ts';
import { findDoubt } from '../../files/found.ts';
import { systemCode, systemReason } from '../../files/system-reason.ts';
import { untrustedProblem } from '../../files/trust-problems.ts';
import { type HeldAnswer, heldAnswers } from '../../model/guard/held.ts';
import type { HeldRequest } from '../../model/guard/held-shape.ts';
import { isObject } from '../../model/json-object.ts';
import { Problem } from '../../model/problem.ts';
import { readBody } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import { guardsFolder, hasGuards } from './guards-folder.ts';
import type { Approver, HeldRequests } from './held.ts';

/** Maximum length of a socket path, in bytes: the smallest limit of the supported systems. */
const maxSocketPath = 103;
/** Maximum time to wait for a guard's answer, in milliseconds. */
const answerMs = 5000;
const maxAnswerBytes = 4 * 1024 * 1024;

/** The start of a text, as shown to the person who decides. */
export interface ShownText {
  readonly text: string;
  /** Length of the shown start, in bytes. */
  readonly bytes: number;
  /** Length of the whole text in bytes; undefined if the text is longer than the start, but its length is unknown. */
  readonly total?: number;
}

/**
 * Content as text, or why the content is not shown. `none`: no body, or no such resource. `hidden`: may contain a secret. `binary`: not
 * text. `unread`: was not or could not be read.
 */
export type ShownContent = ShownText | 'none' | 'hidden' | 'binary' | 'unread';

/** A held request, with the details that a person needs to approve or refuse the request. */
export interface HeldDetail {
  readonly request: HeldRequest;
  /** The body of the request. */
  readonly sent: ShownContent;
  /** The current state of the resource. */
  readonly present: ShownContent;
}

export interface ApprovalDesk {
  readonly held: HeldRequests;
  /** Prefix of the guard's request numbers. */
  readonly name: string;
  readonly describe: (number: string) => Promise<HeldDetail | undefined>;
}

/** Chooses a name that no running guard of this user has. */
export async function chooseGuardName(world: Pick<World, 'folders' | 'random'>): Promise<string> {
  const taken = await listNames(guardsFolder(world));
  for (;;) {
    const [high = 0, low = 0] = world.random(2);
    const name = String(100 + ((high * 256 + low) % 900));
    if (!taken.includes(name) || taken.length >= 900) return name;
  }
}

/**
 * Serves the held requests of a guard to this user's console and commands, at a socket in the state folder. Returns a function that stops
 * the server.
 */
export async function serveApprovals(
  world: Pick<World, 'folders'>,
  desk: ApprovalDesk,
): Promise<() => Promise<void>> {
  const folder = guardsFolder(world);
  makePrivateFolder(folder);
  checkFolder(folder);
  const path = join(folder, `${desk.name}.sock`);
  if (Buffer.byteLength(path) > maxSocketPath)
    throw new Problem(
      'system',
      `Cannot open the socket ${path}: its path is longer than ${maxSocketPath} bytes.`,
      {
        hint: 'Set XDG_STATE_HOME to a folder with a shorter path.',
      },
    );
  const server = createServer((request, response) => {
    answer(desk, request).then(
      ([status, body]) => reply(response, status, body),
      (error: unknown) =>
        reply(response, 400, { why: error instanceof Error ? error.message : String(error) }),
    );
  });
  const listening = once(server, 'listening');
  server.listen(path);
  try {
    await listening;
  } catch (error) {
    throw new Problem('system', `Cannot open the socket ${path}: ${systemReason(error)}.`, { cause: error });
  }
  chmodSync(path, 0o600);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

function checkFolder(folder: string): void {
  const doubt = findDoubt('guards', folder);
  if (doubt !== undefined)
    throw untrustedProblem('store-invalid', folder, doubt, 'no requests are approved through it');
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(body));
}

/** Answers `GET /held`, `GET /held/NUMBER` and `POST /held/NUMBER`. */
async function answer(desk: ApprovalDesk, request: IncomingMessage): Promise<[number, unknown]> {
  const [, , number] = (request.url ?? '').split('/');
  const sent = await readBody(request, 64 * 1024);
  if (request.headers['x-console'] !== undefined) desk.held.noticeConsole();
  if (number === undefined) return [200, desk.held.list()];
  if (request.method !== 'POST') {
    const detail = await desk.describe(number);
    return detail === undefined ? [404, {}] : [200, detail];
  }
  const asked = readAnswer(JSON.parse(Buffer.from(sent).toString('utf8')));
  const why = await desk.held.answer(number, asked.answer, asked.approver);
  return why === undefined ? [200, {}] : [409, { why }];
}

function readAnswer(value: unknown): { answer: HeldAnswer; approver: Approver } {
  if (!isObject(value)) throw new Problem('invalid-input', 'The answer is not an object.');
  const { user, by, passphrase } = value;
  const given = heldAnswers.find((one) => one === value['answer']);
  if (given === undefined || typeof user !== 'string' || (by !== 'console' && by !== 'command'))
    throw new Problem('invalid-input', 'The answer is incomplete.');
  return {
    answer: given,
    approver: { user, by, ...(typeof passphrase === 'string' && { passphrase }) },
  };
}

/**
 * Lists the held requests of all running guards of this user. A request by a console also informs each guard that a console is open and can
 * answer requests.
 */
export async function listHeld(world: Pick<World, 'folders'>, by: Approver['by']): Promise<HeldRequest[]> {
  if (!hasGuards(world)) return [];
  const folder = guardsFolder(world);
  checkFolder(folder);
  const headers = by === 'console' ? { 'x-console': '1' } : {};
  const lists = await Promise.all(
    (await listNames(folder)).map(async (name) => {
      const answered = await ask(join(folder, `${name}.sock`), { path: '/held', headers });
      return answered?.status === 200 ? (answered.body as HeldRequest[]) : [];
    }),
  );
  const all = lists.flat().sort((one, other) => one.at.localeCompare(other.at));
  return [
    ...all.filter(({ state }) => state === 'waiting'),
    ...all.filter(({ state }) => state !== 'waiting'),
  ];
}

/** Reads what a person needs to decide about a held request. Returns undefined if the request is no longer held. */
export async function readHeld(
  world: Pick<World, 'folders'>,
  number: string,
): Promise<HeldDetail | undefined> {
  const answered = await ask(findSocket(world, number), { path: `/held/${number}` });
  return answered?.status === 200 ? (answered.body as HeldDetail) : undefined;
}

/** Answers a held request. Fails with `not-found` or `not-permitted` if the request cannot be answered. */
export async function answerHeld(
  world: Pick<World, 'folders'>,
  number: string,
  given: HeldAnswer,
  approver: Approver,
): Promise<void> {
  const sent = JSON.stringify({ answer: given, ...approver });
  const answered = await ask(findSocket(world, number), { path: `/held/${number}`, sent });
  if (answered?.status === 200) return;
  const why = isObject(answered?.body) ? answered.body['why'] : undefined;
  throw new Problem(
    'not-found',
    typeof why === 'string' ? why : `Request ${number} is no longer held: its guard has ended.`,
  );
}

function findSocket(world: Pick<World, 'folders'>, number: string): string {
  const [, name] = /^(\d{3})-\d+$/.exec(number) ?? [];
  if (name === undefined)
    throw new Problem(
      'usage',
      `"${number}" is not the number of a held request: expected a number such as 417-1.`,
    );
  const folder = guardsFolder(world);
  if (hasGuards(world)) checkFolder(folder);
  return join(folder, `${name}.sock`);
}

async function listNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => /^(\d{3})\.sock$/.exec(name)?.[1] ?? []);
}

interface Asked {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sent?: string;
}

/** Sends a request to a guard. Returns undefined if the guard does not answer; removes the socket of a killed guard. */
async function ask(
  socketPath: string,
  { path, headers = {}, sent }: Asked,
): Promise<{ status: number; body: unknown } | undefined> {
  const method = sent === undefined ? 'GET' : 'POST';
  const opened = openHttp({ socketPath, path, method, headers, timeout: answerMs, agent: false });
  opened.once('timeout', () => opened.destroy(new Error('no response in time')));
  opened.end(sent);
  try {
    const [response] = (await once(opened, 'response')) as [IncomingMessage];
    const bytes = await readBody(response, maxAnswerBytes);
    return { status: response.statusCode ?? 0, body: JSON.parse(Buffer.from(bytes).toString('utf8')) };
  } catch (error) {
    if (systemCode(error) === 'ECONNREFUSED') await rm(socketPath, { force: true });
    return undefined;
  }
}
