import { expect, onTestFinished, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { startSandboxServer } from '../../../src/services/sandbox/sandbox.ts';
import { withSandboxReads } from '../../../src/services/session/sandbox-reads.ts';
import type { Answer, Method } from '../../../src/v4/send.ts';
import { personWith } from '../../support/restricted.ts';
import { newPerson, runCommand } from '../../support/run-command.ts';
import type { Served } from '../../support/served.ts';
import { scratchFolder, testWorld } from '../../support/world.ts';

const answer = (status: number): Answer => ({ status, headers: {}, body: new Uint8Array(0) });
const call = (method: Method, path: string) => ({ method, path, headers: {}, repeatable: false });
const here = 'http://127.0.0.1:8787/client/v4';

interface Given {
  readonly at?: string;
  readonly owner?: string;
  readonly fault?: Error;
}

function reads(status: number, { at = here, owner = here, fault }: Given = {}) {
  const asked: string[] = [];
  const notes: string[] = [];
  const own = {
    send: async ({ path }: { readonly path: string }) => {
      asked.push(path);
      return answer(200);
    },
    apiBaseUrl: owner,
    retries: () => 0,
    requestsLeft: () => undefined,
    close: () => asked.push('closed'),
  };
  return {
    asked,
    notes,
    ...withSandboxReads(
      async () => answer(status),
      at,
      async () => {
        if (fault !== undefined) throw fault;
        return own;
      },
      (message) => notes.push(message),
    ),
  };
}

test('repeats a refused read below /sandbox/ with the token of the owner', async () => {
  const { asked, send, close } = reads(403);
  expect((await send(call('GET', '/sandbox/info'))).status).toBe(200);
  await close();
  expect(asked).toEqual(['/sandbox/info', 'closed']);
});

test.each<[string, number, Method, string, { at?: string; owner?: string }]>([
  ['a change', 403, 'POST', '/sandbox/clock', {}],
  ['a successful read', 200, 'GET', '/sandbox/info', {}],
  ['an unauthenticated read', 401, 'GET', '/sandbox/info', {}],
  ['a read of the platform', 403, 'GET', '/accounts', {}],
  ['another server', 403, 'GET', '/sandbox/info', { owner: here.replace('8787', '8788') }],
  ['another machine', 403, 'GET', '/sandbox/info', { at: here.replace('127.0.0.1', 'box') }],
])('does not repeat the refused request %s', async (_, status, method, path, places) => {
  const { asked, send } = reads(status, places);
  expect((await send(call(method, path))).status).toBe(status);
  expect(asked.filter((one) => one !== 'closed')).toEqual([]);
});

test('keeps the refusal if the lease cannot be read, and names the lease', async () => {
  const fault = new Problem('store-invalid', '/data/lease.json is a link.');
  const { notes, send, close } = reads(403, { fault });
  expect((await send(call('GET', '/sandbox/info'))).status).toBe(403);
  expect((await send(call('GET', '/sandbox/clock'))).status).toBe(403);
  await close();
  expect(notes).toEqual(['Cannot query your own sandbox instead: /data/lease.json is a link.']);
});

test('finds the S3 API of its own sandbox with a token that has only one permission', async () => {
  const dir = scratchFolder('sandbox');
  const running = await startSandboxServer(testWorld(), {
    ...{ port: 0, edgePort: 0, edgeTlsPort: 0, dnsPort: 0, s3Port: 0 },
    dir,
    issuanceLimit: undefined,
    demo: false,
    readyFile: undefined,
    version: '0',
    onWorkerLog: () => undefined,
    warn: () => undefined,
  });
  onTestFinished(() => running.close());
  const { apiBaseUrl: EDGECTL_API_BASE_URL, accountId: EDGECTL_ACCOUNT_ID } = running.ready;
  const person = (more: Record<string, string>) =>
    newPerson({ EDGECTL_API_BASE_URL, EDGECTL_ACCOUNT_ID, EDGECTL_API_TOKEN: 'replaced', ...more });
  const sandbox = { access: () => running.ready, send: running.send } as unknown as Served['sandbox'];
  const presign = async (more: Record<string, string>) => {
    const served = { sandbox, person: person(more) } as Served;
    const words = ['objstore', 'object', 'presign', 'bucket/key'];
    return runCommand(await personWith(served, ['Workers R2 Storage Write']), words);
  };
  const link = expect.stringContaining(`${running.ready.s3Endpoint}/bucket/key?`);
  expect(await presign({ EDGECTL_SANDBOX_DIR: dir })).toMatchObject({ code: 0, out: link });
  expect(await presign({})).toMatchObject({ code: 1, err: expect.stringContaining('Set R2_ENDPOINT') });
});
