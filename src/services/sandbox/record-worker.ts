import type { Namespace } from '../../model/kv/kv.ts';
import type { SeedBinding, SeedWorker } from '../../model/sandbox/seed.ts';
import { readWorker, readWorkerSettings } from '../workers/running.ts';
import type { Recording } from './recording.ts';
import { masked, maskedJson } from './redaction.ts';

const standIn = "export default { fetch: () => new Response('recorded without its code') };\n";

/** A worker of an account as a seed has it. Secrets are masked always, because nobody can read them. */
export async function recordedWorker(
  recording: Recording,
  name: string,
  namespaces: readonly Namespace[],
): Promise<SeedWorker> {
  const { session, withValues, note } = recording;
  const modules = withValues ? ((await readWorker(session, name))?.modules ?? []) : [];
  const settings = await readWorkerSettings(session, name);
  const given = settings?.bindings ?? [];
  const bindings = given.flatMap((binding) => bindingOf(binding, withValues, namespaces) ?? []);
  if (bindings.length < given.length)
    note(`${name}: ${given.length - bindings.length} bindings that a sandbox does not know are left out.`);
  return {
    name,
    ...(modules.length === 0
      ? { code: standIn }
      : {
          modules: modules.map(({ name: file, kind, content }) => ({
            name: file,
            kind,
            content: Buffer.from(content).toString('base64'),
            base64: true,
          })),
        }),
    ...(settings?.compatibilityDate !== undefined && { compatibility_date: settings.compatibilityDate }),
    ...(settings !== undefined && { compatibility_flags: settings.compatibilityFlags }),
    bindings,
  };
}

function bindingOf(
  binding: Readonly<Record<string, unknown> & { name: string; type: string }>,
  withValues: boolean,
  namespaces: readonly Namespace[],
): SeedBinding | undefined {
  const { name, type } = binding;
  const text = (field: string) => String(binding[field] ?? '');
  switch (type) {
    case 'plain_text':
      return { type, name, text: withValues ? text('text') : masked(text('text')) };
    case 'secret_text':
      return { type, name, text: 'masked' };
    case 'json':
      return { type, name, json: withValues ? binding['json'] : maskedJson(binding['json']) };
    case 'kv_namespace': {
      const known = namespaces.find(({ id }) => id === binding['namespace_id']);
      return known && { type, name, namespace: known.title };
    }
    case 'r2_bucket':
      return { type, name, bucket_name: text('bucket_name') };
    default:
      return undefined;
  }
}
