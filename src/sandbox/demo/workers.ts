import { isDeepStrictEqual } from 'node:util';
import { dayMilliseconds } from '../../model/hostnames/hostname.ts';
import type { WorkerBinding } from '../../model/workers/worker.ts';
import { openRegistry } from '../../store/registry.ts';
import type { StoredVersion, WorkerTable } from '../../store/workers/workers.ts';
import type { Sandbox } from '../http/app.ts';
import type { SeededNamespace } from './data.ts';
import {
  type DemoRelease,
  demoCode,
  demoCompatibilityDate,
  demoReleases,
  demoWorker,
} from './workers-data.ts';

/**
 * Deploys one worker that uses the demo's namespaces and buckets, with a few weeks of history. An existing worker with the demo's code and
 * bindings stays unchanged. For a worker that differs, deploys a new version with the demo's code and bindings; the worker's other bindings
 * and secrets are kept. Writes directly to the registry, because an upload would start the runtime to check the code.
 */
export function seedWorkers(sandbox: Sandbox, namespaces: readonly SeededNamespace[]): void {
  const { platform } = sandbox;
  const { workers } = platform.registry();
  const [latest] = workers.versions(demoWorker);
  const releases = demoReleases({
    namespace: (title) => namespaces.find((one) => one.title === title)?.id ?? '',
    secret: (name) => findSecret(latest, name) ?? Buffer.from(platform.random(24)).toString('base64url'),
  });
  if (latest === undefined) deployAll(sandbox, releases, []);
  else if (!isCurrent(workers, latest, releases)) {
    const restored = { daysAgo: 0, source: 'edgectl', message: 'Demo data restored' } as const;
    const bindings = releases.flatMap((release) => release.bindings);
    deployAll(sandbox, [{ ...restored, bindings }], latest.bindings);
  }
}

/** Deploys the releases in order with a past clock, each with the bindings of the earlier releases. */
function deployAll(
  { platform, folder }: Sandbox,
  releases: readonly DemoRelease[],
  before: readonly WorkerBinding[],
): void {
  const now = platform.now();
  let at = now;
  let bindings = before;
  const past = openRegistry(folder, { random: platform.random, now: () => at });
  try {
    past.atOnce(() => {
      for (const release of releases) {
        at = now - Math.round(release.daysAgo * dayMilliseconds);
        bindings = withBindings(bindings, release.bindings);
        deploy(past.workers, release, bindings);
      }
    });
  } finally {
    past.close();
  }
}

function deploy(workers: WorkerTable, { source, message }: DemoRelease, bindings: readonly WorkerBinding[]) {
  if (workers.find(demoWorker) === undefined) {
    workers.create(demoWorker);
    workers.change(demoWorker, { routed: true, settings: { tags: ['shop'] } });
  }
  const annotations = { 'workers/message': message, 'workers/triggered_by': 'upload' };
  const { id } = workers.addVersion(demoWorker, workers.keepCode(demoCode()), {
    source,
    annotations,
    bindings,
    compatibilityDate: demoCompatibilityDate,
    compatibilityFlags: [],
  });
  workers.addDeployment(demoWorker, { source, annotations, versions: [{ id, percentage: 100 }] });
}

function isCurrent(workers: WorkerTable, latest: StoredVersion, releases: readonly DemoRelease[]): boolean {
  const { entry, modules } = workers.code(latest.codeId);
  const code = demoCode();
  const [mine] = code.modules;
  const [found] = modules;
  if (entry !== code.entry || modules.length !== 1 || mine === undefined || found === undefined) return false;
  if (Buffer.compare(mine.content, found.content) !== 0) return false;
  const wanted = releases.flatMap(({ bindings }) => bindings);
  return wanted.every((binding) => latest.bindings.some((one) => isDeepStrictEqual(one, binding)));
}

/** Adds bindings, which replace existing bindings with the same names. */
function withBindings(before: readonly WorkerBinding[], more: readonly WorkerBinding[]): WorkerBinding[] {
  return [...before.filter(({ name }) => more.every((binding) => binding.name !== name)), ...more];
}

function findSecret(version: StoredVersion | undefined, name: string): string | undefined {
  const found = version?.bindings.find((binding) => binding.name === name);
  return found?.type === 'secret_text' ? found.text : undefined;
}
