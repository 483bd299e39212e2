import type { Services } from '../../src/services/console/services.ts';

/** Returns a service of the session. Throws if the session does not have the service: panes that need it cannot be opened. */
export function requireService<N extends keyof Services>(
  { services }: { readonly services: Pick<Services, N> },
  name: N,
): NonNullable<Services[N]> {
  const service: Services[N] = services[name];
  if (service === undefined) throw new Error(`a pane of ${name} is open in a session without them`);
  return service;
}
