/**
 * The only entry to the embedded platform: no other module outside of it imports `src/sandbox`, and only `src/sandbox`
 * imports `src/store`. Each part of the platform is loaded on first use, so a command that needs none of them loads
 * none.
 */
export type { EdgeHandler } from '../../sandbox/edge/edge.ts';
export type { Access, Sandbox } from '../../sandbox/http/app.ts';
export type { DoubtedServer, RunningServer } from '../../sandbox/http/running.ts';
export type { Served } from '../../sandbox/http/serve.ts';
export type { WorkerHost } from '../../sandbox/workers/host.ts';
export type { RuntimeLog } from '../../sandbox/workers/runtime.ts';
export type { SessionServer } from '../../sandbox/workers/session-server.ts';

/** The platform itself, in this process, on the data of a folder. */
export const loadPlatform = () => import('../../sandbox/http/app.ts');

/** Finding the server that holds a folder, and taking its lease. */
export const loadLeases = () => import('../../sandbox/http/running.ts');

/** The API over HTTP. */
export const loadServer = () => import('../../sandbox/http/serve.ts');

/** Everything that `sandbox start` serves in addition to the v4 and S3 APIs: workers, custom hostnames, DNS. */
export async function loadEdges() {
  const [{ serveSandboxEdge }, { hostnameHandler }, { serveHostnames }] = await Promise.all([
    import('../../sandbox/workers/edge.ts'),
    import('../../sandbox/edge/hostnames.ts'),
    import('../../sandbox/hostnames/serve.ts'),
  ]);
  return { serveSandboxEdge, hostnameHandler, serveHostnames };
}

/** The S3 API over HTTP, and its credentials. */
export async function loadS3Server() {
  const [{ serveS3 }, { ownAccessKey }] = await Promise.all([
    import('../../sandbox/s3/serve.ts'),
    import('../../sandbox/s3/credentials.ts'),
  ]);
  return { serveS3, ownAccessKey };
}

/** The S3 API in this process. */
export async function loadS3() {
  const [{ answerUnsigned }, { findAccountPlatform }] = await Promise.all([
    import('../../sandbox/s3/answer.ts'),
    import('../../sandbox/session/account-platform.ts'),
  ]);
  return { answerUnsigned, platformOf: findAccountPlatform };
}

/** The proxy through which programs with a fixed base URL reach the API. */
export const loadProxy = () => import('../../sandbox/proxy/proxy.ts');

/** Running the workers of a sandbox that no server holds. */
export const loadWorkersHere = () => import('../../sandbox/workers/session-server.ts');

/** Serving one worker on its own port, for `dev`. */
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

/** The demo's data, and visits to its workers. */
export const loadDemo = () => import('../../sandbox/demo/demo.ts');
export const loadDemoVisits = () => import('../../sandbox/demo/visits.ts');
