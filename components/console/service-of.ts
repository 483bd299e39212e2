import type { Services } from './services.ts';

/** What a noun's panes act through. They stand only where the session has it. */
export function serviceOf<N extends keyof Services>(
  { services }: { readonly services: Pick<Services, N> },
  name: N,
): NonNullable<Services[N]> {
  const service: Services[N] = services[name];
  if (service === undefined) throw new Error(`a pane of ${name} stands in a session without them`);
  return service;
}
