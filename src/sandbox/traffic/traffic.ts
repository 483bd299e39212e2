import { isUtf8 } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Body, Call, Send } from '../../v4/send.ts';
import { findCallOperation } from '../s3/call.ts';
import { ConnectionCut } from './effect.ts';
import { type Faults, openFaults } from './faults.ts';
import { parseFormParts, readFormIntoMemory } from './form-parts.ts';
import { listIgnoredParts } from './notes.ts';
import { openRequestLog, type RecordedRequest, type RequestLog } from './request-log.ts';
import { unsignedQuery } from './s3-forms.ts';
import { openStrict, type Strict, type StrictOptions } from './strict.ts';

/** The traffic of a server: its request log and its faults. */
export interface Traffic {
  readonly faults: Faults;
  readonly log: RequestLog;
  /**
   * Answers a call with the current faults applied, and logs the call. Calls to the sandbox's own routes, and calls from the sandbox's
   * page, bypass faults and the log. Rejects with a `ConnectionCut` to drop the connection.
   */
  answer(call: Call, send: Send): Promise<Answer>;
}

export interface TrafficOptions {
  /** Returns the time in milliseconds since the UNIX epoch. */
  now(): number;
  /** Returns the pattern of the route for a call, if any. */
  findRoute(call: Call): string | undefined;
  /** Returns an S3 path without the account at its start, if any. */
  toS3Path(path: string): string;
  /** Options for strict mode; if omitted, the sandbox is tolerant. */
  readonly strict?: Pick<StrictOptions, 'tooWide'> | undefined;
}

const maxRecordedBody = 64 * 1024;
/** Headers with credentials. */
const secretHeaders = new Set([
  ...['authorization', 'x-auth-key', 'x-auth-email', 'cookie', 'x-amz-security-token'],
  'x-amz-server-side-encryption-customer-key',
]);

export function openTraffic({ now, findRoute, toS3Path, strict: options }: TrafficOptions): Traffic {
  const strict = options === undefined ? tolerant : chooseStrict(openStrict({ now, ...options }), now);
  const routeIn = (call: Call) =>
    call.api === 's3' ? findCallOperation({ ...call, path: toS3Path(call.path) }) : findRoute(call);
  const faults = openFaults({
    now,
    sleep: async (milliseconds, signal) => {
      await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
    },
  });
  const log = openRequestLog();
  const record = (
    call: Call,
    route: string | undefined,
    began: number,
    ended: Pick<RecordedRequest, 'status' | 'rule' | 'answerHeaders' | 'answerBody' | 'requestBody'>,
  ) => {
    const { method, path } = call;
    const parts = parseFormParts(call);
    log.add({
      call: { ...(call.api && { api: call.api }), method, path },
      began,
      route: route ?? null,
      milliseconds: now() - began,
      requestHeaders: withoutSecrets(call.headers),
      ...ended,
      ...(parts.length > 0 && {
        notes: listIgnoredParts({ method, route: route ?? null, query: unsignedQuery(call), parts }),
      }),
    });
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
      const route = routeIn(given);
      const call = given.api === 's3' ? given : await readFormIntoMemory(given, route);
      const request = recordBody(call);
      try {
        let reason: string | undefined;
        const { answer, faultIds } = await faults.send(request.call, async (inner) => {
          const strictly = await strict(inner, route, send);
          reason = strictly.reason;
          return strictly.answer;
        });
        record(call, route, began, {
          status: answer.status,
          rule: formatRule(faultIds, reason),
          answerHeaders: withoutSecrets(answer.headers),
          requestBody: request.bodyText(),
          answerBody: readText(answer.body),
        });
        return answer;
      } catch (error) {
        if (error instanceof ConnectionCut)
          record(call, route, began, {
            status: null,
            rule: 'cut',
            answerHeaders: {},
            requestBody: request.bodyText(),
          });
        throw error;
      }
    },
  };
}

const tolerant: Strict = async (call, _, send) => ({ answer: await send(call) });

/** Returns a function that applies the strict mode of the call's API. The strict mode of the S3 API is loaded on the first S3 call. */
function chooseStrict(strictV4: Strict, now: () => number): Strict {
  let strictS3: Promise<Strict> | undefined;
  return async (call, route, send) => {
    if (call.api !== 's3') return strictV4(call, route, send);
    strictS3 ??= import('./strict-s3.ts').then(({ openStrictS3 }) => openStrictS3(now));
    return (await strictS3)(call, route, send);
  };
}

function formatRule(faultIds: readonly string[], reason: string | undefined): string | null {
  const rules = [
    ...(faultIds.length === 0 ? [] : [`fault ${faultIds.join(', ')}`]),
    ...(reason === undefined ? [] : [`strict: ${reason}`]),
  ];
  return rules.length === 0 ? null : rules.join('; ');
}

function withoutSecrets(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const others: Record<string, string> = {};
  for (const name in headers) if (!secretHeaders.has(name)) others[name] = headers[name] ?? '';
  return others;
}

/** Returns the call with a body whose first bytes are recorded when the body is read, and a function that returns the recorded text. */
function recordBody(call: Call): { readonly call: Call; bodyText(): string | undefined } {
  const { body } = call;
  if (typeof body !== 'function')
    return { call, bodyText: () => (body === undefined ? undefined : readText(body)) };
  const parts: Uint8Array[] = [];
  let length = 0;
  const reading: Body = async function* () {
    for await (const part of body()) {
      if (length < maxRecordedBody) parts.push(part);
      length += part.length;
      yield part;
    }
  };
  const bodyText = () => (parts.length === 0 ? undefined : readText(Buffer.concat(parts)));
  return { call: { ...call, body: reading }, bodyText };
}

/** Returns whether a body is text: valid UTF-8 without zero bytes. */
function isText(body: Uint8Array): boolean {
  return isUtf8(body) && !body.includes(0);
}

/** Returns the start of a body if it is text and not a stream. */
function readText(body: Uint8Array | AsyncIterable<Uint8Array> | (() => unknown)): string | undefined {
  if (!(body instanceof Uint8Array) || body.length === 0 || !isText(body)) return undefined;
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8');
  return text.length > maxRecordedBody ? text.slice(0, maxRecordedBody) : text;
}

/** The header that marks requests from the sandbox's page, which are not part of the traffic. */
const pageHeader = 'edgectl-page';
