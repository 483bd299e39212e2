import { randomBytes } from 'node:crypto';
import type { Edge } from '../../../src/sandbox/edge/edge.ts';
import { serveSandboxEdge } from '../../../src/sandbox/workers/edge.ts';
import { type MultipartPart, multipart } from '../../../src/v4/multipart.ts';
import { type Method, readBody } from '../../../src/v4/send.ts';
import { openTestSandbox, type Payload, type Reply, raw, type TestSandbox } from '../test-sandbox.ts';

/** A response without connection headers and date. */
export interface Visited {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A sandbox with its edge. */
export interface WorkerSandbox extends TestSandbox {
  readonly edge: Edge;
  /** Sends a call below the workers of the sandbox's account. */
  workers(method: Method, path: string, body?: Payload, headers?: Record<string, string>): Promise<Reply>;
  /** Uploads a worker of ES modules like the first `wrangler deploy`, and enables its route. */
  deploy(name: string, modules: Record<string, string>, metadata?: Record<string, unknown>): Promise<Reply>;
  /** Sends a request to a worker's hostname. */
  visit(name: string, path: string, request?: VisitRequest): Promise<Visited>;
  /** Deletes all workers, for `afterEach`: each upload restarts workerd with all existing workers. */
  forgetWorkers(): void;
}

export interface VisitRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

export async function openWorkerSandbox(
  ...options: Parameters<typeof openTestSandbox>
): Promise<WorkerSandbox> {
  const place = await openTestSandbox(...options);
  const edge = await serveSandboxEdge(place.sandbox, { port: 0 });
  const { accountId, apiToken } = place.sandbox.access();
  const workers: WorkerSandbox['workers'] = (method, path, body, headers = {}) =>
    place.call(method, `/accounts/${accountId}/workers${path}`, body, {
      authorization: `Bearer ${apiToken}`,
      ...headers,
    });
  return {
    ...place,
    edge,
    workers,
    visit: (name, path, request) => visitEdge(edge.port, `${name}.localhost`, path, request),
    async deploy(name, modules, metadata = {}) {
      const form = uploadForm(modules, metadata);
      const reply = await workers('PUT', `/scripts/${name}`, form.body, { 'content-type': form.contentType });
      await workers('POST', `/scripts/${name}/subdomain`, { json: { enabled: true } });
      return reply;
    },
    forgetWorkers() {
      const { workers: table } = place.sandbox.platform.registry();
      for (const { name } of table.list()) table.remove(name);
    },
    async close() {
      await edge.close();
      await place.close();
    },
  };
}

/** Returns the form of an upload; the first module is the main module. */
export function uploadForm(modules: Record<string, string>, metadata: Record<string, unknown> = {}) {
  const [main] = Object.keys(modules);
  const parts: MultipartPart[] = Object.entries(modules).map(([name, content]) => ({
    name,
    fileName: name,
    contentType: name.endsWith('.txt') ? 'text/plain' : 'application/javascript+module',
    content,
  }));
  const content = JSON.stringify({ main_module: main, compatibility_date: '2026-11-01', ...metadata });
  return multipart([{ name: 'metadata', content }, ...parts], `test-${randomBytes(8).toString('hex')}`);
}

export async function visitEdge(
  port: number,
  host: string,
  path: string,
  { method = 'GET', headers = {}, body }: VisitRequest = {},
): Promise<Visited> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const answer = await raw(port, { method, path, headers: { host: `${host}:${port}`, ...headers } }, bytes);
  const text = Buffer.from(await readBody(answer.body)).toString('utf8');
  return { status: answer.status, headers: endToEnd(answer.headers), text };
}

/** Returns the headers without connection headers and the date. */
function endToEnd(headers: Readonly<Record<string, string>>): Record<string, string> {
  const others = ['connection', 'date', 'keep-alive'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !others.includes(name)));
}
