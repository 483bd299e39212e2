import { request } from 'node:http';
import type { TraceEvent } from '../../model/workers/trace.ts';
import type { RunnableWorker } from '../../model/workers/worker.ts';
import { toPlatformEvent } from './tails/platform-event.ts';

/** The receiver of the runs of workers. */
export interface Tracing {
  /** Returns the workers that currently have a tail. */
  workers(): readonly string[];
  onRuns(worker: string, runs: readonly TraceEvent[]): void;
}

/** The name of the tracer, which no user's worker can have. */
export const tracerName = 'TRACER';

/**
 * The source code of the tracer, a worker that receives the runs of all other workers. The tracer forwards only the runs of workers with a
 * tail, because forwarding all runs could double the duration of requests.
 */
const source = `let traced = new Set();
export default {
  async fetch(request) {
    traced = new Set(await request.json());
    return new Response(null, { status: 204 });
  },
  async tail(runs, env, { props }) {
    if (traced.has(props.worker)) await env.HUB.fetch('http://hub/', { method: 'POST', body: JSON.stringify({ ...props, runs }) });
  },
};`;

/** Returns the option of a worker that makes the runtime report the worker's runs to the tracer, with the worker's name and version. */
export function toTailOptions({ name, versionId }: RunnableWorker) {
  return { name: tracerName, props: { worker: name, ...(versionId !== undefined && { versionId }) } };
}

/** Creates the options of the tracer. `answer` creates an empty response. */
export function createTracerOptions<T>({ onRuns }: Tracing, answer: () => T) {
  return {
    name: tracerName,
    modules: [{ type: 'ESModule' as const, path: '/tracer.js', contents: source }],
    modulesRoot: '/',
    compatibilityDate: '2026-11-01',
    serviceBindings: {
      async HUB(message: { json(): Promise<unknown> }): Promise<T> {
        const { worker, versionId, runs } = (await message.json()) as TracerMessage;
        onRuns(
          worker,
          runs.map((run) => toPlatformEvent(worker, versionId, run)),
        );
        return answer();
      },
    },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    unsafeRegisterWorker: false,
  };
}

interface TracerMessage {
  readonly worker: string;
  readonly versionId?: string;
  readonly runs: readonly TraceEvent[];
}

/** Sets the workers whose runs a running tracer forwards. Resolves once the tracer has received the list. */
export function setTracedWorkers(port: number, workers: readonly string[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sent = request({ host: '127.0.0.1', port, method: 'PUT', agent: false }, (response) => {
    response.resume().once('close', resolve);
  });
  // An error means that no runtime is running. The next runtime starts with the new list.
  sent.once('error', () => resolve());
  sent.end(JSON.stringify(workers));
  return promise;
}
