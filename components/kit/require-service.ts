import type { Services } from '../../src/services/console/services.ts';

/**
 * Returns a service of the session. Throws an Error if the session lacks the service, because no pane that needs the service should be
 * open.
 */
export function requireService<N extends keyof Services>(
  { services }: { readonly services: Pick<Services, N> },
  name: N,
): NonNullable<Services[N]> {
  const service: Services[N] = services[name];
  if (service === undefined)
    throw new Error(`a pane is open that requires the service ${name}, which the session does not have`);
  return service;
}
