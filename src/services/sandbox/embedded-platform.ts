/**
 * The only entry point to the embedded platform: no other module outside `src/sandbox` imports the platform, and only `src/sandbox` imports
 * `src/store`. Each part of the platform is loaded on first use, so that a command loads only the parts that it needs.
 */
export type { EdgeHandler } from '../../sandbox/edge/edge.ts';
export type { Access, Sandbox } from '../../sandbox/http/app.ts';
export type { DoubtedServer, RunningServer } from '../../sandbox/http/running.ts';
export type { Served } from '../../sandbox/http/serve.ts';
export type { WorkerHost } from '../../sandbox/workers/host.ts';
export type { RuntimeLog } from '../../sandbox/workers/runtime.ts';
export type { SessionServer } from '../../sandbox/workers/session-server.ts';

/** Loads the platform, which runs in this process with the data of a folder. */
export const loadPlatform = () => import('../../sandbox/http/app.ts');

/** Loads the functions that find the server of a folder, and that acquire the folder's lease. */
export const loadLeases = () => import('../../sandbox/http/running.ts');

/** Loads the server of the API. */
export const loadServer = () => import('../../sandbox/http/serve.ts');

/** Loads what `sandbox start` serves in addition to the v4 and S3 APIs: workers, custom hostnames and DNS. */
export async function loadEdges() {
  const [{ serveSandboxEdge }, { hostnameHandler }, { serveHostnames }] = await Promise.all([
    import('../../sandbox/workers/edge.ts'),
    import('../../sandbox/edge/hostnames.ts'),
    import('../../sandbox/hostnames/serve.ts'),
  ]);
  return { serveSandboxEdge, hostnameHandler, serveHostnames };
}

/** Loads the server of the S3 API, and its credentials. */
export async function loadS3Server() {
  const [{ serveS3 }, { ownAccessKey }] = await Promise.all([
    import('../../sandbox/s3/serve.ts'),
    import('../../sandbox/s3/credentials.ts'),
  ]);
  return { serveS3, ownAccessKey };
}

/** Loads the S3 API in this process. */
export async function loadS3() {
  const [{ answerUnsigned }, { findAccountPlatform }] = await Promise.all([
    import('../../sandbox/s3/answer.ts'),
    import('../../sandbox/session/account-platform.ts'),
  ]);
  return { answerUnsigned, platformOf: findAccountPlatform };
}

/** Loads the proxy that lets programs with a fixed base URL reach the API. */
export const loadProxy = () => import('../../sandbox/proxy/proxy.ts');

/** Loads the functions that run the workers of a sandbox without a server. */
export const loadWorkersHere = () => import('../../sandbox/workers/session-server.ts');

/** Loads the server for one worker on a separate port, for `dev`. */
export async function loadWorkerServer() {
  const [runtime, host, edge, forward, loopback] = await Promise.all([
    import('../../sandbox/workers/runtime.ts'),
    import('../../sandbox/workers/host.ts'),
    import('../../sandbox/edge/edge.ts'),
    import('../../sandbox/http/forward.ts'),
    import('../../sandbox/http/loopback.ts'),
  ]);
  return { ...runtime, ...host, ...edge, ...forward, ...loopback };
}

/** Loads the data of the demo. */
export const loadDemo = () => import('../../sandbox/demo/demo.ts');
export const loadDemoVisits = () => import('../../sandbox/demo/visits.ts');
