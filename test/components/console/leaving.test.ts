import { expect, test } from 'vitest';
import { type Services, servicesOver } from '../../../components/console/services.ts';
import { undoOver } from '../../../components/undo/service.ts';
import type { Call } from '../../../src/v4/send.ts';
import { openPlatform } from '../open-objects.tsx';

test.each<[string, (services: Services, signal: AbortSignal) => Promise<unknown> | undefined]>([
  ['an examination', ({ doctor }, signal) => doctor?.examine(signal)],
  ['the settings of a zone', ({ fleet }, signal) => fleet?.readSettings('z', signal)],
  ['a diagnosis', ({ hostnames }, signal) => hostnames?.diagnose('z', 'shop.example', signal)],
])('gives up the requests of %s with its signal', async (_, read) => {
  const { session } = await openPlatform();
  const asked: Call[] = [];
  const leaving = new AbortController();
  await new Promise<void>((begun) => {
    const send = (call: Call) => {
      asked.push(call);
      begun();
      return new Promise<never>((_, reject) => {
        call.signal?.addEventListener('abort', () => reject(call.signal?.reason));
      });
    };
    const reading = read(servicesOver({ ...session, send }), leaving.signal);
    reading?.catch(() => undefined);
  });
  expect(asked.map(({ signal }) => signal?.aborted)).toEqual(asked.map(() => false));
  leaving.abort();
  expect(asked.map(({ signal }) => signal?.aborted)).toEqual(asked.map(() => true));
});

test('waits for the account no longer than somebody wants to see what undo keeps', async () => {
  const { session } = await openPlatform();
  const leaving = new AbortController();
  const undo = undoOver({ ...session, accountId: () => new Promise(() => undefined) });
  const list = undo.list(leaving.signal);
  leaving.abort();
  await expect(list).rejects.toThrow('aborted');
});
