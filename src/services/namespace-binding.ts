import type { Session } from './session.ts';

/** The id of the namespace that a binding or an id names. */
export async function resolveNamespace(
  _session: Session,
  names: { binding?: string | undefined; namespaceId?: string | undefined; preview: boolean },
): Promise<string> {
  return names.namespaceId ?? '';
}
