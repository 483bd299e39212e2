import { expect, test } from 'vitest';
import { interruptibleSend, readOnlySend, reportingSend } from '../../../src/services/session/guards.ts';
import type { Call, Send } from '../../../src/v4/send.ts';
import { testWorld } from '../../support/world.ts';

const sent: Call[] = [];
const send: Send = async (call) => {
  sent.push(call);
  return { status: 200, headers: { 'cf-ray': 'ray-7' }, body: new Uint8Array() };
};

function call(method: Call['method'], part: Partial<Call> = {}): Call {
  return { method, path: '/accounts/a/x', headers: {}, repeatable: true, ...part };
}

test('sends reads in a read-only session, and refuses changes', async () => {
  sent.length = 0;
  const guarded = readOnlySend(send, { description: '--read-only', remedy: { kind: 'allow-changes' } });
  await guarded(call('GET'));
  await guarded(call('POST', { readsOnly: true }));
  expect(sent).toHaveLength(2);
  for (const method of ['PUT', 'POST', 'PATCH', 'DELETE'] as const) {
    await expect(async () => guarded(call(method))).rejects.toMatchObject({ code: 'read-only' });
  }
  expect(sent).toHaveLength(2);
});

test('adds the interruption as the signal of a call without a signal, and keeps the signal of any other call', async () => {
  sent.length = 0;
  const interrupted = new AbortController().signal;
  const own = new AbortController().signal;
  const interruptible = interruptibleSend(send, interrupted);
  await interruptible(call('GET'));
  await interruptible(call('GET', { signal: own }));
  expect(sent.map(({ signal }) => signal === interrupted)).toEqual([true, false]);
});

test('prints method, path, status and request id with --debug, but neither bodies nor credentials', async () => {
  const said: string[] = [];
  const world = testWorld({ now: () => 5 });
  const reporting = reportingSend(send, world, (message) => said.push(message));
  await reporting(call('PUT', { body: Buffer.from('secret'), headers: { authorization: 'Bearer secret' } }));
  expect(said).toEqual(['PUT /accounts/a/x (6 bytes) -> 200 (ray-7) in 0 ms']);
});
