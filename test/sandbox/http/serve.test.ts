import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from '../../../src/sandbox/http/app.ts';
import { type Served, serve } from '../../../src/sandbox/http/serve.ts';
import { ok } from '../../../src/v4/envelope.ts';
import { type Answer, openStream, type Send } from '../../../src/v4/send.ts';
import { raw as rawly, serverToken as token } from '../test-sandbox.ts';

/** Returns a sandbox whose answers come from the test, and whose folder is never accessed. */
function sandboxWith(send: Send): Sandbox {
  const [now, random] = [() => 0, () => new Uint8Array(0)];
  return {
    ...openSandbox({ kind: 'local', folder: '/nowhere', persistRoot: '/nowhere', now, random }),
    send,
  };
}

const authorization = `Bearer ${token}`;

/** Sends a request with the server's token. */
const raw: typeof rawly = (port, { headers, ...request_ }, body) =>
  rawly(port, { ...request_, headers: { authorization, ...headers } }, body);

async function serving(send: Send, drain = 3000): Promise<Served & AsyncDisposable> {
  const served = await serve(sandboxWith(send), { port: 0, token, drain });
  return { ...served, [Symbol.asyncDispose]: () => served.close() };
}

async function readLength(body: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const part of body) length += part.length;
  return length;
}

describe('a served sandbox', () => {
  let served: Served;
  const seen: string[] = [];
  beforeAll(async () => {
    served = await serve(
      sandboxWith(async ({ method, path }) => {
        seen.push(`${method} ${path}`);
        return ok('hello');
      }),
      { port: 0, token },
    );
  });
  afterAll(() => served.close());

  const path = '/client/v4/user';

  test('prints its base URL on 127.0.0.1', () => {
    expect(served.apiBaseUrl).toBe(`http://127.0.0.1:${served.port}/client/v4`);
  });

  test('passes method, path and query on unchanged', async () => {
    seen.length = 0;
    await raw(served.port, { method: 'DELETE', path: '/client/v4/a%2Fb/%2e%2e/./c?x=%20&y' });
    expect(seen).toEqual(['DELETE /a%2Fb/%2e%2e/./c?x=%20&y']);
  });

  test.each([
    ['localhost', 200],
    ['LOCALHOST:1234', 200],
    ['127.0.0.1:80', 200],
    ['[::1]:8080', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.nip.io:8799', 403],
    ['127.0.0.1@evil.example', 403],
  ])('answers a request to the host %j with %i', async (host, status) => {
    expect((await raw(served.port, { method: 'GET', path, headers: { host } })).status).toBe(status);
  });

  test.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://localhost.evil.example' }, 403],
    [{ origin: 'http://localhost:3000' }, 403],
    [{ origin: 'http://localhost' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
  ])('answers a request from a page with %j with %i', async (headers, status) => {
    const answer = await raw(served.port, { method: 'POST', path, headers });
    expect(answer.status).toBe(status);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('answers requests from pages of the sandbox, under each name of this machine, and through the port mapping of a container', async () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const host = `${name}:${name === 'localhost' ? 49_152 : served.port}`;
      const headers = { host, origin: `http://${host}` };
      expect((await raw(served.port, { method: 'POST', path, headers })).status).toBe(200);
    }
  });

  test.each([{}, { authorization: 'Bearer guessed' }, { authorization: token }, { 'x-auth-key': token }])(
    'returns 401 for the wrong token %j, and calls nothing',
    async (headers) => {
      seen.length = 0;
      for (const [method, below] of [
        ['GET', '/accounts/a/storage/kv/namespaces'],
        ['PUT', '/accounts/a/storage/kv/namespaces/n/values/k'],
        ['POST', '/sandbox/reset'],
        ['GET', '/sandbox/info'],
        ['OPTIONS', '/sandbox/reset'],
      ]) {
        const answer = await rawly(served.port, {
          method: method ?? '',
          path: `/client/v4${below}`,
          headers,
        });
        expect(answer.status).toBe(401);
      }
      expect(seen).toEqual([]);
    },
  );

  test('answers HEAD like GET without the body', async () => {
    const [head, get] = [
      await raw(served.port, { method: 'HEAD', path }),
      await raw(served.port, { method: 'GET', path }),
    ];
    expect(head.body).toHaveLength(0);
    expect([head.status, head.headers['content-length']]).toEqual([200, get.headers['content-length']]);
  });

  test('returns the supported methods for OPTIONS, and 405 for an unsupported method', async () => {
    const options = await raw(served.port, { method: 'OPTIONS', path });
    expect([options.status, options.headers['allow']]).toEqual([204, expect.stringContaining('PATCH')]);
    expect((await raw(served.port, { method: 'PROPFIND', path })).status).toBe(405);
  });

  test.each(['/', '/client/v4', '/client/v3/user', '//client/v4/user', 'http://127.0.0.1/client/v4/user'])(
    'returns 404 for the path %s, which is not below the base',
    async (elsewhere) => {
      expect((await raw(served.port, { method: 'GET', path: elsewhere })).status).toBe(404);
    },
  );

  test('rejects a body above the maximum before reading it', async () => {
    const sent = request({
      port: served.port,
      method: 'PUT',
      path,
      headers: { authorization, 'content-length': 2 ** 40 },
    });
    sent.on('error', () => undefined);
    sent.flushHeaders();
    const [response] = await once(sent, 'response');
    expect(response.statusCode).toBe(413);
    sent.destroy();
  });

  test('rejects a port in use with its number and a remedy', async () => {
    await expect(
      serve(
        sandboxWith(async () => ok(1)),
        { port: served.port, token },
      ),
    ).rejects.toMatchObject({
      name: 'Problem',
      message: expect.stringContaining(String(served.port)),
      remedy: { kind: 'choose-port', of: 'api' },
    });
  });

  test('listens on 127.0.0.1 only', async () => {
    const other = createServer();
    other.listen({ host: '127.0.0.2', port: served.port });
    await once(other, 'listening');
    other.close();
  });
});

describe('bodies', () => {
  test('are streamed in both directions', async () => {
    await using served = await serving(async ({ body }) => {
      const length = await readLength(openStream(body));
      return { status: 200, headers: {}, body: openStream(Buffer.from(String(length))) };
    });
    const answer = await raw(served.port, { method: 'PUT', path: '/client/v4/x' }, Buffer.alloc(3_000_000));
    expect(String(answer.body)).toBe('3000000');
    expect(answer.headers['transfer-encoding']).toBe('chunked');
  });

  test('leave the connection usable if they are not read', async () => {
    await using served = await serving(async () => ok('early'));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (const size of [8_000_000, 0, 8_000_000]) {
      const sent = request({
        port: served.port,
        method: 'PUT',
        path: '/client/v4/x',
        agent,
        headers: { authorization },
      });
      sent.end(Buffer.alloc(size));
      const [response] = await once(sent, 'response');
      expect(response.statusCode).toBe(200);
      ports.add(sent.socket?.localPort);
      response.resume();
      await once(response, 'end');
    }
    agent.destroy();
    expect(ports.size).toBe(1);
  });

  test('abort their call when the client disconnects', async () => {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    await using served = await serving(({ signal }) => {
      started.resolve();
      return new Promise<Answer>((_, reject) => {
        signal?.addEventListener('abort', () => {
          aborted.resolve();
          reject(signal.reason);
        });
      });
    });
    const socket = connect(served.port, '127.0.0.1');
    socket.write(
      `GET /client/v4/user HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`,
    );
    await started.promise;
    socket.destroy();
    await aborted.promise;
  });
});

describe('errors below the routes', () => {
  test.each([
    ['store-busy', 503],
    ['store-invalid', 507],
  ])('the Problem %s becomes status %i with the sentence of the Problem', async (code, status) => {
    const { Problem } = await import('../../../src/model/problem.ts');
    await using served = await serving(async () => {
      throw new Problem(code as 'store-busy', 'The folder cannot be used.', { hint: 'Make room.' });
    });
    const answer = await raw(served.port, { method: 'GET', path: '/client/v4/user' });
    expect(answer.status).toBe(status);
    expect(String(answer.body)).toContain('The folder cannot be used. Make room.');
  });
});

describe('closing', () => {
  test('closing lets a running call finish and accepts no new call', async () => {
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const served = await serving(async () => {
      started.resolve();
      await finish.promise;
      return ok('done');
    });
    const answer = raw(served.port, { method: 'GET', path: '/client/v4/user' });
    await started.promise;
    const closed = served.close();
    await expect(raw(served.port, { method: 'GET', path: '/client/v4/user' })).rejects.toThrow(
      'ECONNREFUSED',
    );
    finish.resolve();
    expect((await answer).status).toBe(200);
    await closed;
  });

  test('closing does not wait for a keep-alive connection', async () => {
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const served = await serving(async () => {
      started.resolve();
      await finish.promise;
      return ok('done');
    }, 600_000);
    const agent = new Agent({ keepAlive: true });
    const sent = request({ port: served.port, path: '/client/v4/user', agent, headers: { authorization } });
    sent.end();
    await started.promise;
    const closed = served.close();
    finish.resolve();
    const [response] = await once(sent, 'response');
    response.resume();
    await closed;
    agent.destroy();
    expect(response.headers['connection']).toBe('close');
  });

  test('closing aborts a call that does not end in time', async () => {
    const started = Promise.withResolvers<void>();
    const served = await serving(() => {
      started.resolve();
      return new Promise<Answer>(() => undefined);
    }, 20);
    const answer = raw(served.port, { method: 'GET', path: '/client/v4/user' });
    const cut = expect(answer).rejects.toThrow();
    await started.promise;
    await served.close();
    await cut;
  });
});
