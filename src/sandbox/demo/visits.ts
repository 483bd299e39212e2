import { request } from 'node:http';
import type { World } from '../../world.ts';
import { demoWorker } from './workers-data.ts';

/** Paths that visitors of the shop request: pages, products, an old address, a flag without its key, and a market that does not exist. */
const paths = [
  '/index.html',
  '/products/asia/jp/bags/0001',
  '/sale/2016',
  '/prices/de',
  '/flags/checkout.klarna',
  '/products/asia/jp/coats/0002',
  '/prices/fr',
  '/robots.txt',
];

/** Milliseconds between visits. */
const pause = 2500;

/** Visits the demo worker through the edge every few seconds until the signal is aborted, to fill the log of the worker. */
export async function visitDemo(
  edgeUrl: string,
  { sleep }: Pick<World, 'sleep'>,
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; !signal.aborted; at++) {
    await visit(edgeUrl, paths[at % paths.length] ?? '/', signal);
    await sleep(pause, signal).catch(() => undefined);
  }
}

/** Sends one request. The response appears in the log. */
function visit(edgeUrl: string, path: string, signal: AbortSignal): Promise<void> {
  const { port } = new URL(edgeUrl);
  const headers = { host: `${demoWorker}.localhost` };
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, headers, signal }, (answer) => {
      answer.resume();
      answer.once('close', resolve);
    });
    sent.once('error', () => resolve());
    sent.end();
  });
}
