import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fetchToken, followTrail } from '../../src/probe/follow.ts';

const token = 'http://a.acme.com/.well-known/acme-challenge/x';

/** Returns a probe that reaches a loopback server for every host; the hosts in `ours` belong to the platform. */
async function probing(ours: readonly string[], listener: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(String(request.headers.host));
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const place = { address: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const isHere = async (hostname: string) => ours.includes(hostname);
  const probe = { hostname: 'a.acme.com', http: place, https: place, now: () => 0, isHere };
  return { asked, probe };
}

/** Answers requests to each host with a redirect to the next host. */
const sending =
  (...hosts: readonly string[]): RequestListener =>
  ({ headers, url }, response) => {
    const next = hosts[(hosts.indexOf(String(headers.host)) + 1) % hosts.length];
    response.writeHead(302, { location: `http://${next}${url}`, connection: 'close' }).end();
  };

test('stops at a redirect loop between two of our hosts', async () => {
  const { asked, probe } = await probing(['b.acme.com'], sending('a.acme.com', 'b.acme.com'));
  expect(await fetchToken(probe, token)).toMatchObject({
    known: { redirects: [token.replace('//a', '//b'), token], isCircle: true, status: 302 },
  });
  expect(asked).toEqual(['a.acme.com', 'b.acme.com']);
  const urls = ['http://a.acme.com/', 'http://b.acme.com/', 'http://a.acme.com/'];
  expect(await followTrail(probe, 'http://a.acme.com/')).toEqual({ known: { urls, isCircle: true } });
});

test('names a foreign server, or another port of our server, without connecting to it', async () => {
  const { asked, probe } = await probing([], sending('a.acme.com', 'stranger.example', 'a.acme.com:81'));
  const urls = ['http://a.acme.com/', 'http://stranger.example/'];
  expect(await followTrail(probe, 'http://a.acme.com/')).toEqual({ known: { urls, isCircle: false } });
  expect(asked).toEqual(['a.acme.com']);
});

test('stops after ten redirects that are not a loop', async () => {
  const { asked, probe } = await probing([], ({ url }, response) => {
    response.writeHead(302, { location: `${url}x`, connection: 'close' }).end();
  });
  const answer = await fetchToken(probe, token);
  expect(answer).toMatchObject({ known: { status: 302 } });
  expect(asked).toHaveLength(11);
});
