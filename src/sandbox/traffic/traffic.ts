import { isUtf8 } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedRequest } from '../../model/sandbox/logged-request.ts';
import type { Answer, Body, Call, Send } from '../../v4/send.ts';
import { operationOfCall } from '../s3/operation.ts';
import { ConnectionCut, pathOf } from './effect.ts';
import { type Faults, openFaults } from './faults.ts';
import { partsOf, withForm } from './form-parts.ts';
import { notesOn, notesOnS3 } from './notes.ts';
import { newRequestLog, type RequestLog } from './request-log.ts';
import { unsignedQuery } from './s3-forms.ts';
import { newStrict, type Strict, type StrictOptions } from './strict.ts';

/** The traffic of a server: its request log and its faults. */
export interface Traffic {
  readonly faults: Faults;
  readonly log: RequestLog;
  /**
   * Answers a call through the set faults, and logs it. Calls about the sandbox itself, and those of its page, bypass faults and
   * the log. Rejects with a `ConnectionCut` to drop the connection.
   */
  answer(call: Call, send: Send): Promise<Answer>;
}

export interface TrafficOptions {
  /** Milliseconds since the UNIX epoch. */
  now(): number;
  /** Returns the pattern of the route for a call, if any. */
  routeOf(call: Call): string | undefined;
  /** Returns an S3 path without the account at its start, if any. */
  s3PathOf(path: string): string;
  /** Options for strict mode; if omitted, the sandbox is tolerant. */
  readonly strict?: Pick<StrictOptions, 'tooWide'> | undefined;
}

const keptBody = 64 * 1024;
/** Headers with credentials. */
const secret = new Set([
  ...['authorization', 'x-auth-key', 'x-auth-email', 'cookie', 'x-amz-security-token'],
  'x-amz-server-side-encryption-customer-key',
]);

export function openTraffic({ now, routeOf, s3PathOf, strict: options }: TrafficOptions): Traffic {
  const strict = options === undefined ? tolerant : strictIn(newStrict({ now, ...options }), now);
  const routeIn = (call: Call) =>
    call.api === 's3' ? operationOfCall({ ...call, path: s3PathOf(call.path) }) : routeOf(call);
  const faults = openFaults({
    now,
    sleep: async (milliseconds, signal) => {
      await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
    },
  });
  const log = newRequestLog();
  const note = (call: Call, began: number, ended: Ended, kept: KeptRequest) => {
    const query = unsignedQuery(call);
    const route = routeIn(call) ?? null;
    const { method, api = 'v4' as const } = call;
    return {
      time: new Date(began).toISOString(),
      api,
      method,
      path: pathOf(call),
      query,
      route,
      notes:
        api === 's3'
          ? notesOnS3(call, query)
          : notesOn({ method, route, query, body: kept.requestBody, parts: partsOf(call) }),
      milliseconds: now() - began,
      requestHeaders: withoutSecrets(call.headers),
      ...ended,
      ...kept,
    };
  };
  return {
    faults,
    log,
    async answer(given, send) {
      if (
        (given.api !== 's3' && given.path.startsWith('/sandbox/')) ||
        given.headers[pageHeader] !== undefined
      )
        return send(given);
      const began = now();
      const call = given.api === 's3' ? given : await withForm(given, routeOf(given));
      const request = keeping(call);
      try {
        let reason: string | undefined;
        const { answer, met } = await faults.send(request.call, async (inner) => {
          const strictly = await strict(inner, routeIn(inner), send);
          reason = strictly.reason;
          return strictly.answer;
        });
        const ended = {
          status: answer.status,
          rule: ruleOf(met, reason),
          answerHeaders: withoutSecrets(answer.headers),
        };
        log.add({ ...note(call, began, ended, request.kept()), ...textOf('answerBody', answer.body) });
        return answer;
      } catch (error) {
        if (error instanceof ConnectionCut) {
          const ended = { status: null, rule: 'cut', answerHeaders: {} };
          log.add(note(call, began, ended, request.kept()));
        }
        throw error;
      }
    },
  };
}

const tolerant: Strict = async (call, _, send) => ({ answer: await send(call) });

/** Chooses strict mode by API. That of the S3 API is loaded on its first call. */
function strictIn(strictV4: Strict, now: () => number): Strict {
  let strictS3: Promise<Strict> | undefined;
  return async (call, route, send) => {
    if (call.api !== 's3') return strictV4(call, route, send);
    strictS3 ??= import('./strict-s3.ts').then(({ newStrictS3 }) => newStrictS3(now));
    return (await strictS3)(call, route, send);
  };
}

type Ended = Pick<LoggedRequest, 'status' | 'rule' | 'answerHeaders'>;
type KeptRequest = Pick<LoggedRequest, 'requestBody'>;

function ruleOf(met: readonly string[], reason: string | undefined): string | null {
  const rules = [
    ...(met.length === 0 ? [] : [`fault ${met.join(', ')}`]),
    ...(reason === undefined ? [] : [`strict: ${reason}`]),
  ];
  return rules.length === 0 ? null : rules.join('; ');
}

function withoutSecrets(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.has(name)));
}

/** Records the start of a call's body while it is read. */
function keeping(call: Call): { readonly call: Call; kept(): KeptRequest } {
  const { body } = call;
  if (typeof body !== 'function') {
    return { call, kept: () => (body === undefined ? {} : textOf('requestBody', body)) };
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  const reading: Body = async function* () {
    for await (const part of body()) {
      if (length < keptBody) parts.push(part);
      length += part.length;
      yield part;
    }
  };
  const kept = () => (parts.length === 0 ? {} : textOf('requestBody', Buffer.concat(parts)));
  return { call: { ...call, body: reading }, kept };
}

/** Whether a body is text: valid UTF-8 without zero bytes. */
function isText(body: Uint8Array): boolean {
  return isUtf8(body) && !body.includes(0);
}

/** Returns the start of a body if it is text and not a stream. */
function textOf<Name extends 'requestBody' | 'answerBody'>(
  name: Name,
  body: Uint8Array | AsyncIterable<Uint8Array> | (() => unknown),
): { readonly [name in Name]?: string } {
  if (!(body instanceof Uint8Array) || body.length === 0 || !isText(body)) return {};
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8');
  return { [name]: text.slice(0, keptBody) } as { readonly [name in Name]?: string };
}

/** The header that marks requests of the sandbox's page, which are not part of the traffic. */
const pageHeader = 'edgectl-page';
