import type { Services } from '../../src/services/console/services.ts';

/** Returns the service of a noun's panes, which open only in a session that has it. Throws where it has not. */
export function serviceOf<N extends keyof Services>(
  { services }: { readonly services: Pick<Services, N> },
  name: N,
): NonNullable<Services[N]> {
  const service: Services[N] = services[name];
  if (service === undefined) throw new Error(`a pane of ${name} stands in a session without them`);
  return service;
}
