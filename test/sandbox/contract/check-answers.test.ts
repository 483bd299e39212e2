import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { startSandbox } from 'edgectl/sandbox';
import { expect, test } from 'vitest';
import type { AnsweredCall } from '../../../src/sandbox/http/app.ts';
import { ok, refused } from '../../../src/v4/envelope.ts';
import { takeUnexplainedAnswers } from './check-answers.ts';

const answers = channel('edgectl:sandbox:answer');

function unexplainedIn(answered: Omit<AnsweredCall, 'call'>): string[] {
  answers.publish(answered);
  return takeUnexplainedAnswers();
}

test('names the route and the field of an answer that differs from the SDK or the OpenAPI document', () => {
  const namespace = { id: 'a', title: 'b', supports_url_encoding: 'yes', colour: 'red' };
  const pattern = '/accounts/:account/storage/kv/namespaces';
  const type = 'kv/namespaces/namespaces.Namespace';
  expect(unexplainedIn({ method: 'GET', pattern, answer: ok([namespace, { title: 'c' }]) })).toEqual([
    `GET ${pattern}: supports_url_encoding of ${type} is "yes", but the SDK says boolean`,
    `GET ${pattern}: colour of ${type} is undeclared, but the SDK says nothing`,
    `GET ${pattern}: id of ${type} is missing, but the SDK says string`,
    `GET ${pattern}: id of 2026/workers-kv_namespace is missing, but the OpenAPI document says string`,
  ]);
});

test('ignores refusals, binary answers and explained differences', () => {
  expect(unexplainedIn({ method: 'GET', pattern: '/zones', answer: refused(400, 1, 'no') })).toEqual([]);
  const values = '/accounts/:account/storage/kv/namespaces/:namespace/values/*key';
  expect(unexplainedIn({ method: 'GET', pattern: values, answer: ok('value') })).toEqual([]);
  const tails = '/accounts/:account/workers/scripts/:script/tails';
  expect(unexplainedIn({ method: 'GET', pattern: tails, answer: ok(null) })).toEqual([]);
  expect(unexplainedIn({ method: 'POST', pattern: tails, answer: ok(null) })).toHaveLength(1);
});

test('reports differences in answers of the built package', async () => {
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
