// The contract: after an answer, the list is at least as new as the answer, even if the list is read for another reason
// at the same time.
import { expect, onTestFinished, test } from 'vitest';
import { HeldWatch } from '../../../components/kit/held-watch.ts';
import { serveApprovals } from '../../../src/services/guard/approvals.ts';
import { HeldRequests } from '../../../src/services/guard/held.ts';
import { WriteQuestions } from '../../../src/services/guard/write-questions.ts';
import { questionAbout } from '../../services/guard/question-about.ts';
import { testWorld } from '../../support/world.ts';

test('does not list an approved or refused request as waiting if a poll starts before the approval or refusal ends', async () => {
  const ended = new AbortController();
  let poll = () => {};
  const waits = { ...testWorld(), sleep: () => new Promise<void>(() => undefined) };
  const world = { ...waits, sleep: () => new Promise<void>((resolve) => (poll = resolve)) };
  const held = new HeldRequests({ name: '417', place: 'acme', waitMs: 1000, world: waits, lock: undefined });
  let lists = 0;
  const list = held.list.bind(held);
  held.list = () => {
    lists += 1;
    // The second listing was requested because of the answer.
    if (lists === 2) poll();
    return list();
  };
  onTestFinished(await serveApprovals(world, { held, name: '417', describe: async () => undefined }));
  held.noticeConsole();
  const verdict = held.ask(questionAbout('a'), new AbortController().signal);
  const watch = new HeldWatch(world, () => undefined, new WriteQuestions(world));
  const listed = new Promise<void>((resolve) => watch.subscribe(resolve));
  const following = watch.follow(ended.signal);
  await listed;
  expect(watch.waiting).toBe(1);
  await watch.answer('417-1', 'refuse');
  expect(watch.rows).toEqual([]);
  expect(await verdict).toEqual({ number: '417-1', refusal: 'refused' });
  ended.abort();
  poll();
  await following;
});
