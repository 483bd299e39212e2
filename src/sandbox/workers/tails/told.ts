import { requestOf, type TraceEvent } from '../../../model/workers/trace.ts';
import { plainKept } from '../../../store/kept-name.ts';

/** Where visits to the sandbox come from. */
export const ownAddress = '127.0.0.1';

/** A run in the platform's form: with the names that the runtime does not know, and its visitor's location. */
export function toldEvent(worker: string, versionId: string | undefined, event: TraceEvent): TraceEvent {
  const version = versionId === undefined ? {} : { scriptVersion: { id: versionId } };
  const named = { ...event, scriptName: plainKept(worker), ...version };
  const request = requestOf(event);
  if (request === undefined || 'cf-connecting-ip' in request.headers) return named;
  const headers = { 'cf-connecting-ip': ownAddress, ...request.headers };
  const whole = { ...(event.event?.['request'] as object), headers };
  return { ...named, event: { ...event.event, request: whole } };
}
