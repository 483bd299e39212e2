import type { ValueOf } from '../shape.ts';
import type { DeployedWorker, WorkerBinding, WorkerModule } from './worker.ts';
import type { workerChange } from './worker-shape.ts';

export type WorkerChange = ValueOf<typeof workerChange>;

export interface NewWorker {
  readonly bindings: readonly WorkerBinding[];
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  readonly modules: readonly WorkerModule[];
  /** Names of the existing secrets that the upload preserves. */
  readonly preservedSecrets: readonly string[];
}

/**
 * Compares an upload with the running version. Unchanged modules and bindings are omitted. Preserved secrets are listed, because after a
 * rollback their values can differ from the values in the running version.
 */
export function workerChanges(before: DeployedWorker | undefined, after: NewWorker): WorkerChange[] {
  return [
    ...dateChange(before?.compatibilityDate, after.compatibilityDate),
    ...flagChanges(before?.compatibilityFlags ?? [], after.compatibilityFlags),
    ...moduleChanges(before?.modules ?? [], after.modules),
    ...bindingChanges(before?.bindings ?? [], after.bindings),
    ...secretChanges(before?.bindings ?? [], after),
  ];
}

/** A version of a worker, without its code. */
export interface WorkerVersion extends Omit<DeployedWorker, 'modules'> {
  /** A fingerprint of the code. Different code has a different fingerprint. */
  readonly codeId?: string;
}

/** Compares two versions of a worker. Secrets that exist in both versions are omitted, because their values are unknown. */
export function versionChanges(before: WorkerVersion, after: WorkerVersion): WorkerChange[] {
  const date = after.compatibilityDate;
  const isOtherCode = before.codeId !== undefined && after.codeId !== before.codeId;
  return [
    ...(isOtherCode ? [{ change: 'changed', what: 'code', name: 'code' } as const] : []),
    ...(date === undefined ? [] : dateChange(before.compatibilityDate, date)),
    ...flagChanges(before.compatibilityFlags, after.compatibilityFlags),
    ...versionBindingChanges(before.bindings, after.bindings),
  ];
}

function versionBindingChanges(before: readonly Binding[], after: readonly Binding[]): WorkerChange[] {
  const now = after.flatMap((binding): WorkerChange[] => {
    const old = before.find(({ name }) => name === binding.name);
    if (old === undefined)
      return [{ ...toChangedPart(binding), change: 'added', ...describeSide('after', binding) }];
    if (isSameBinding(old, binding) && isSameBinding(binding, old)) return [];
    return [
      {
        ...toChangedPart(binding),
        change: 'changed',
        ...describeSide('before', old),
        ...describeSide('after', binding),
      },
    ];
  });
  const missing = before.filter(({ name }) => !after.some((binding) => binding.name === name));
  const removed = missing.map(
    (binding): WorkerChange => ({
      ...toChangedPart(binding),
      change: 'removed',
      ...describeSide('before', binding),
    }),
  );
  return [...now, ...removed];
}

function isSecret({ type }: Binding): boolean {
  return type.startsWith('secret_');
}

function toChangedPart(binding: Binding): Pick<WorkerChange, 'what' | 'name'> {
  return { what: isSecret(binding) ? 'secret' : 'binding', name: binding.name };
}

function describeSide(side: 'before' | 'after', binding: Binding): { before?: string; after?: string } {
  return isSecret(binding) ? {} : { [side]: describeTarget(binding) };
}

function dateChange(before: string | undefined, after: string): WorkerChange[] {
  if (before === after) return [];
  const change = { what: 'compatibility date', name: after, after } as const;
  return before === undefined ? [{ ...change, change: 'added' }] : [{ ...change, change: 'changed', before }];
}

function flagChanges(before: readonly string[], after: readonly string[]): WorkerChange[] {
  const what = 'compatibility flag';
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
  return [
    ...added.map((name): WorkerChange => ({ change: 'added', what, name })),
    ...removed.map((name): WorkerChange => ({ change: 'removed', what, name })),
  ];
}

function moduleChanges(before: readonly WorkerModule[], after: readonly WorkerModule[]): WorkerChange[] {
  const removed = before.filter(({ name }) => !after.some((module) => module.name === name));
  const now = after.flatMap((module): WorkerChange[] => {
    const old = before.find(({ name }) => name === module.name);
    const size = `${module.content.length} bytes`;
    if (old === undefined) return [{ change: 'added', what: 'module', name: module.name, after: size }];
    if (Buffer.compare(old.content, module.content) === 0) return [];
    const change = { change: 'changed', what: 'module', name: module.name } as const;
    return [{ ...change, before: `${old.content.length} bytes`, after: `${size}, content changed` }];
  });
  return [...now, ...removed.map(({ name }): WorkerChange => ({ change: 'removed', what: 'module', name }))];
}

type Binding = DeployedWorker['bindings'][number];

function bindingChanges(before: readonly Binding[], after: readonly WorkerBinding[]): WorkerChange[] {
  const now = after.flatMap((binding): WorkerChange[] => {
    const old = before.find(({ name }) => name === binding.name);
    const change = { what: 'binding', name: binding.name, after: describeTarget(binding) } as const;
    if (old === undefined) return [{ ...change, change: 'added' }];
    return isSameBinding(old, binding) ? [] : [{ ...change, change: 'changed', before: describeTarget(old) }];
  });
  const removed = before.filter(
    (one) => !isSecret(one) && !after.some((binding) => binding.name === one.name),
  );
  return [
    ...now,
    ...removed.map(
      (binding): WorkerChange => ({
        change: 'removed',
        what: 'binding',
        name: binding.name,
        before: describeTarget(binding),
      }),
    ),
  ];
}

function secretChanges(
  before: readonly Binding[],
  { bindings, preservedSecrets }: NewWorker,
): WorkerChange[] {
  const isGiven = (name: string) => bindings.some((binding) => binding.name === name);
  const had = before.filter(isSecret).map(({ name }) => name);
  const change = (name: string) => {
    if (!preservedSecrets.includes(name)) return 'removed';
    return had.includes(name) ? 'kept' : 'added';
  };
  return [...new Set([...had, ...preservedSecrets])]
    .filter((name) => !isGiven(name))
    .map((name) => ({ change: change(name), what: 'secret', name }));
}

function isSameBinding(old: Binding, binding: Binding | WorkerBinding): boolean {
  const fields = Object.entries(binding);
  return fields.every(([name, value]) => JSON.stringify(old[name]) === JSON.stringify(value));
}

/**
 * Describes the resource to which a binding gives access, or its plain value. Never includes the value of a secret. The platform's
 * description of a deployed binding may lack declared fields.
 */
function describeTarget(binding: Binding | WorkerBinding): string {
  const { type } = binding;
  if (type === 'kv_namespace') return nameTarget('namespace', binding['namespace_id']);
  if (type === 'r2_bucket') {
    const jurisdiction = typeof binding['jurisdiction'] === 'string' ? ` (${binding['jurisdiction']})` : '';
    return `${nameTarget('bucket', binding['bucket_name'])}${jurisdiction}`;
  }
  if (type === 'plain_text') return formatPlain(binding['text']);
  return type === 'json' ? formatPlain(binding['json']) : type;
}

function nameTarget(what: string, name: unknown): string {
  return typeof name === 'string' ? `${what} ${name}` : `an unnamed ${what}`;
}

function formatPlain(value: unknown): string {
  return value === undefined ? 'no value' : JSON.stringify(value);
}
