import { listCapabilities } from '../../../src/model/capability.ts';
import type { Where } from '../../../src/model/where.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import type { Call } from '../../../src/v4/send.ts';
import { testWorld } from '../../support/world.ts';

/** A response of the stub platform: a status and JSON; undefined means 404. */
export type Reply = { readonly status: number; readonly json: unknown } | undefined;

export interface StubPlatform {
  readonly session: Session;
  /** The calls so far, such as `GET /zones/z/custom_hostnames?page=1`. */
  readonly calls: string[];
  /** The parsed bodies of calls with a body. */
  readonly bodies: unknown[];
}

/** Opens a session on a stub platform with the given responses, and records the calls. */
export function stubPlatform(
  answer: (call: {
    readonly method: string;
    readonly path: string;
    readonly query: URLSearchParams;
  }) => Reply,
  where: Where = { kind: 'remote', profile: 'stub', baseUrl: 'https://api.platform.invalid/client/v4' },
): StubPlatform {
  const calls: string[] = [];
  const bodies: unknown[] = [];
  const session: Session = {
    world: testWorld(),
    choice: plainChoice,
    async send(call: Call) {
      calls.push(`${call.method} ${call.path}`);
      if (call.body instanceof Uint8Array) bodies.push(JSON.parse(Buffer.from(call.body).toString()));
      const [path = '', query = ''] = call.path.split('?');
      const reply = answer({ method: call.method, path, query: new URLSearchParams(query) });
      const { status, json } = reply ?? refusal(404, 1436, 'not found');
      return { status, headers: {}, body: Buffer.from(JSON.stringify(json)) };
    },
    target: 'production',
    where,
    can: listCapabilities(where),
    label: 'profile stub',
    credential: 'token',
    readOnly: false,
    accountLabel: async () => 'acme',
    accountId: async () => 'a'.repeat(32),
    zoneId: async () => undefined,
    project: async () => undefined,
    brand: 'acmecloud',
    bulkBytes: 1,
    s3Access: async () => {
      throw new Error('Nothing answers S3 here.');
    },
    retries: () => 0,
    note: () => undefined,
    close: async () => undefined,
  };
  return { session, calls, bodies };
}

export function result(value: unknown, info?: object, status = 200): Reply {
  const paging = info === undefined ? {} : { result_info: info };
  return { status, json: { success: true, result: value, errors: [], messages: [], ...paging } };
}

export function refusal(status: number, code: number, message: string) {
  return { status, json: { success: false, result: null, errors: [{ code, message }], messages: [] } };
}
