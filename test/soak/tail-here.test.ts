import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { workerService } from '../../src/services/console/workers.ts';
import { openSession } from '../../src/services/session/open-session.ts';
import { plainChoice } from '../../src/services/session/session.ts';
import type { TailNews } from '../../src/services/workers/tail.ts';
import { demoFolders } from '../support/demo.ts';
import { testWorld } from '../support/world.ts';

test('the demo console starts its worker and visits it, and stops both when nobody reads the log', async () => {
  const folders = await demoFolders(Date.now());
  const sleep = (milliseconds: number, signal?: AbortSignal) =>
    setTimeout(Math.min(milliseconds, 50), undefined, { signal });
  const world = { ...testWorld({ now: Date.now, env: { EDGECTL_DEMO: '1' }, folders }), sleep };
  const session = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  const folder = session.where.kind === 'sandbox' ? session.where.folder : '';
  const leases = () =>
    readdirSync(folder).filter((name) => name.startsWith('lease') && !name.endsWith('.lock'));
  const ended = new AbortController();
  const news: TailNews[] = [];
  for await (const one of workerService(session).tail('shop-edge', ended.signal)) {
    news.push(one);
    if (one.kind !== 'run') continue;
    expect(leases()).toHaveLength(1);
    ended.abort();
  }
  expect(news.map(({ kind }) => kind)).toEqual(['notice', 'connected', 'run']);
  expect(news[0]).toMatchObject({ message: expect.stringMatching(/http:\/\/shop-edge\.localhost:\d+$/) });
  expect(news[2]).toMatchObject({ run: { scriptName: 'shop-edge', outcome: expect.any(String) } });
  await session.close();
  expect(leases()).toEqual([]);
});
