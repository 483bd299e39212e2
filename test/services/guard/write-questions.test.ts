// The contract (issue 31): the console asks about its own writes. The memory of an answered question is released, even if the code that
// asked keeps running.
import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { WriteQuestions } from '../../../src/services/guard/write-questions.ts';
import { testWorld } from '../../support/world.ts';
import { asksAbout, keyPath, questionAbout } from './question-about.ts';
import { heldByNobody } from './start-guard.ts';

const send = async () => Promise.reject(new Error('nothing is sent'));

const world = { ...testWorld(), sleep: () => new Promise<void>(() => undefined) };

test.each([
  ['with the signal of the asker', new AbortController().signal],
  ['without a signal', undefined],
])('discards the body of an answered question, %s', async (_, signal) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const questions = new WriteQuestions(world);
  questions.open();
  const askWrite = questions.by({ who: 'console', isBackground: false, signal });
  /** Asks about a write, approves the write, and returns a weak reference to the buffer of the body. */
  const answered = async () => {
    const body = new Uint8Array(100_000);
    const asked = askWrite(writeOf('a', body));
    await questions.answer(questions.list()[0]?.number ?? '', 'approve', 'ann');
    expect(await asked).toMatchObject({ approver: 'ann' });
    return new WeakRef(body.buffer);
  };
  const body = await answered();
  await expect
    .poll(async () => {
      await setImmediate();
      collect();
      return body.deref() === undefined;
    })
    .toBe(true);
});

test('removes the listener for a disconnecting client when the request is answered', async () => {
  const held = heldByNobody(world, 1000);
  held.hasTerminal = true;
  const gone = new AbortController();
  const asked = held.ask(questionAbout('a'), gone.signal);
  expect(getEventListeners(gone.signal, 'abort')).toHaveLength(1);
  await held.answer('100-1', 'approve', { user: 'ann', by: 'terminal' });
  await asked;
  expect(getEventListeners(gone.signal, 'abort')).toEqual([]);
});

function writeOf(key: string, body: Uint8Array) {
  const path = keyPath(key);
  const call = { method: 'DELETE', path, headers: {}, body, repeatable: true } as const;
  return { ...asksAbout(path), call, place: 'acme', undoable: false, send };
}
