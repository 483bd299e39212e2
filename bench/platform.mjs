// A platform with one namespace. The platform generates keys only when a client lists them, and a value only when a client reads the value.
import { createServer } from 'node:http';

const account = 'a'.repeat(32);

/**
 * Starts a platform with this number of keys on the loopback interface. `env` contains the variables that point a program to the platform.
 */
export async function openPlatform(keys) {
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://platform');
    if (url.pathname.includes('/values/')) {
      response.end(storedAt(decodeURIComponent(url.pathname.split('/').at(-1))));
      return;
    }
    const [result, info] = answer(url, keys);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success: true, errors: [], messages: [], result, result_info: info }));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    env: {
      EDGECTL_API_BASE_URL: `http://127.0.0.1:${server.address().port}/client/v4`,
      EDGECTL_API_TOKEN: 'token-of-the-bench-token-of-the-bench-12',
      EDGECTL_ACCOUNT_ID: account,
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function answer(url, keys) {
  if (url.pathname.endsWith('/keys')) {
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const to = Math.min(keys, from + Number(url.searchParams.get('limit') ?? 1000));
    const page = Array.from({ length: to - from }, (_, at) => keyAt(from + at));
    return [page, { count: page.length, cursor: to < keys ? String(to) : '' }];
  }
  if (url.pathname.endsWith('/namespaces')) {
    const found = [{ id: 'b'.repeat(32), title: 'SESSIONS', supports_url_encoding: true }];
    return [found, { page: 1, per_page: 1000, count: 1, total_count: 1, total_pages: 1 }];
  }
  return [[], { page: 1, per_page: 50, count: 0, total_count: 0, total_pages: 1 }];
}

function keyAt(index) {
  return {
    name: `session:${String(index).padStart(7, '0')}:user-${(index * 7919) % 1000}`,
    ...(index % 3 === 0 && { expiration: 2_000_000_000 + index, metadata: { index } }),
  };
}

function storedAt(key) {
  return JSON.stringify({ session: key, pages: Array.from({ length: 12 }, (_, page) => `/docs/${page}`) });
}
