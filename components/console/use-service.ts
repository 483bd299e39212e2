import type { Services } from './services.ts';
import { useConsole } from './use-console.ts';

/** What a noun's panes act through. They stand only where the session has it. */
export function serviceOf<N extends keyof Services>(
  { services }: { readonly services: Pick<Services, N> },
  name: N,
): NonNullable<Services[N]> {
  const service: Services[N] = services[name];
  if (service === undefined) throw new Error(`a pane of ${name} stands in a session without them`);
  return service;
}

/** The same for a component. */
export function useService<N extends keyof Services>(name: N): NonNullable<Services[N]> {
  return serviceOf(useConsole(), name);
}
