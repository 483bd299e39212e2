import type { Services } from './services.ts';
import { useConsole } from './use-console.ts';

/** What a noun's panes act through. They stand only where the session has it. */
export function useService<N extends keyof Services>(name: N): NonNullable<Services[N]> {
  const service = useConsole().services[name];
  if (service === undefined) throw new Error(`a pane of ${name} stands in a session without them`);
  return service;
}
