import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { startSandbox } from 'edgectl/sandbox';
import { expect, test } from 'vitest';
import type { AnsweredCall } from '../../../src/sandbox/http/app.ts';
import { ok, refused } from '../../../src/v4/envelope.ts';
import { takeUnexplainedAnswers } from './check-answers.ts';

const answers = channel('edgectl:sandbox:answer');

function strangeIn(told: AnsweredCall): string[] {
  answers.publish(told);
  return takeUnexplainedAnswers();
}

test('an answer otherwise than the SDK says is told by its route and its place, and would fail this test', () => {
  const namespace = { id: 'a', title: 'b', supports_url_encoding: 'yes', colour: 'red' };
  const pattern = '/accounts/:account/storage/kv/namespaces';
  const type = 'kv/namespaces/namespaces.Namespace';
  expect(strangeIn({ method: 'GET', pattern, answer: ok([namespace, { title: 'c' }]) })).toEqual([
    `GET ${pattern}: supports_url_encoding of ${type} is "yes", and the SDK says boolean`,
    `GET ${pattern}: colour of ${type} is undeclared, and the SDK says nothing`,
    `GET ${pattern}: id of ${type} is missing, and the SDK says string`,
  ]);
});

test('a refusal, a value and what is explained are passed over', () => {
  expect(strangeIn({ method: 'GET', pattern: '/zones', answer: refused(400, 1, 'no') })).toEqual([]);
  const values = '/accounts/:account/storage/kv/namespaces/:namespace/values/*key';
  expect(strangeIn({ method: 'GET', pattern: values, answer: ok('value') })).toEqual([]);
  const tails = '/accounts/:account/workers/scripts/:script/tails';
  expect(strangeIn({ method: 'GET', pattern: tails, answer: ok(null) })).toEqual([]);
  expect(strangeIn({ method: 'POST', pattern: tails, answer: ok(null) })).toHaveLength(1);
});

test('the built package tells of its answers too', async () => {
  const heard: unknown[] = [];
  const listen = (message: unknown) => heard.push((message as AnsweredCall).pattern);
  await using sandbox = await startSandbox();
  subscribe('edgectl:sandbox:answer', listen);
  await fetch(`${sandbox.apiBaseUrl}/accounts`, {
    headers: { authorization: `Bearer ${sandbox.apiToken}` },
  });
  unsubscribe('edgectl:sandbox:answer', listen);
  expect(heard).toEqual(['/accounts']);
});
