import { bindingFault } from '../../model/config.ts';
import type { Seed, SeedBinding, SeedWorker } from '../../model/sandbox/seed.ts';
import {
  explainCompatibilityDate,
  explainWorkerName,
  type WorkerBinding,
  type WorkerCode,
  type WorkerModule,
} from '../../model/workers/worker.ts';
import type { Platform } from '../http/exchange.ts';
import type { FieldPath } from '../http/shape-faults.ts';
import { decodeBytes, reportDuplicates, reportSeedFault, type SeedContext, type SeedWrite } from './plan.ts';

/** Checks workers and their bindings. An existing worker is replaced, with its history. */
export function planWorkers(context: SeedContext, seed: Seed): SeedWrite {
  const { platform } = context;
  const all = seed.workers ?? [];
  reportDuplicates(context, ['workers'], all, ({ name }) => name, 'name');
  const writes = all.map((worker, index) => planWorker(context, ['workers', index], worker, seed));
  return async () => {
    platform.registry().atOnce(() => {
      for (const write of writes) write();
    });
    if (all.length > 0) await platform.edge?.refreshWorkers();
  };
}

function planWorker(context: SeedContext, at: FieldPath, worker: SeedWorker, seed: Seed): () => void {
  const { platform } = context;
  const {
    name,
    bindings = [],
    compatibility_date: date,
    compatibility_flags: flags = [],
    routed = true,
  } = worker;
  const faults = [
    ['name', explainWorkerName(name)],
    ['compatibility_date', date === undefined ? undefined : explainCompatibilityDate(date)],
  ] as const;
  for (const [field, fault] of faults)
    if (fault !== undefined) reportSeedFault(context, [...at, field], fault);
  const code = readCode(context, at, worker);
  reportDuplicates(context, [...at, 'bindings'], bindings, (binding) => binding.name, 'name');
  for (const [index, binding] of bindings.entries())
    checkBinding(context, [...at, 'bindings', index], binding, seed);
  return () => {
    const { workers } = platform.registry();
    workers.remove(name);
    workers.create(name);
    workers.change(name, { routed });
    const { id } = workers.addVersion(name, workers.keepCode(code), {
      source: 'api',
      annotations: {},
      bindings: bindings.map((binding) => toWireBinding(platform, binding)),
      ...(date !== undefined && { compatibilityDate: date }),
      compatibilityFlags: flags,
    });
    workers.addDeployment(name, { source: 'api', annotations: {}, versions: [{ id, percentage: 100 }] });
  };
}

function readCode(
  context: SeedContext,
  at: FieldPath,
  { code, modules, format, entry }: SeedWorker,
): WorkerCode {
  if ((code === undefined) === (modules === undefined))
    reportSeedFault(context, at, 'must have either code or modules');
  const all: WorkerModule[] =
    modules === undefined
      ? [{ name: 'index.js', kind: format === 'script' ? 'script' : 'esm', content: Buffer.from(code ?? '') }]
      : modules.map(({ name, kind, content, base64 }, index) => {
          const bytes = decodeBytes(context, [...at, 'modules', index, 'content'], content, base64);
          return { name, kind, content: bytes ?? new Uint8Array(0) };
        });
  const chosen = entry ?? all[0]?.name ?? '';
  if (all.every(({ name }) => name !== chosen))
    reportSeedFault(
      context,
      [...at, entry === undefined ? 'modules' : 'entry'],
      `module "${chosen}" not found`,
    );
  return { format: format ?? 'modules', entry: chosen, modules: all };
}

function checkBinding(
  context: SeedContext,
  at: FieldPath,
  binding: SeedBinding,
  { namespaces, buckets }: Seed,
): void {
  const registry = context.platform.registry();
  const fault = bindingFault(binding.name);
  if (fault !== undefined) reportSeedFault(context, [...at, 'name'], fault);
  if (binding.type === 'kv_namespace') {
    const known = [...(namespaces ?? []), ...(context.replaces ? [] : registry.namespaces.list())];
    if (known.some(({ title, id }) => binding.namespace === title || binding.namespace === id)) return;
    reportSeedFault(context, [...at, 'namespace'], `namespace "${binding.namespace}" not found`);
  } else if (binding.type === 'r2_bucket') {
    const known = [...(buckets ?? []), ...(context.replaces ? [] : registry.buckets.list())];
    if (known.some(({ name }) => binding.bucket_name === name)) return;
    reportSeedFault(context, [...at, 'bucket_name'], `bucket "${binding.bucket_name}" not found`);
  }
}

/** Converts a binding. A title can be converted to an id, because the namespaces have already been written. */
function toWireBinding(platform: Platform, binding: SeedBinding): WorkerBinding {
  if (binding.type !== 'kv_namespace') return binding;
  const { namespace, ...rest } = binding;
  const found = platform
    .registry()
    .namespaces.list()
    .find(({ title, id }) => title === namespace || id === namespace);
  return { ...rest, namespace_id: found?.id ?? namespace };
}
