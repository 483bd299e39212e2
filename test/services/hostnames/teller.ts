import { once } from 'node:events';
import { webhookSink } from '../../../src/services/hostnames/fleet/sinks.ts';
import type { World } from '../../../src/world.ts';

/** A process that sends one event to a webhook, to test a setting that Node reads only at startup (NODE_EXTRA_CA_CERTS). */
const [, , url = ''] = process.argv;
const world: Pick<World, 'env' | 'now' | 'interrupted'> = {
  env: process.env,
  now: () => Date.now(),
  interrupted: new AbortController().signal,
};
const [event] = await once(process.stdin.setEncoding('utf8'), 'data');
await webhookSink(world, url, 'a long random text').deliver(JSON.parse(String(event)));
process.exit(0);
