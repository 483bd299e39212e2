import { findRequest, type TraceEvent } from '../../../model/workers/trace.ts';
import { plainName } from '../../../store/disk-name.ts';

/** The address of visitors of the sandbox. */
export const visitorAddress = '127.0.0.1';

/** Converts a run to the platform's form: adds the visitor's address, and the names that the runtime does not know. */
export function toPlatformEvent(
  worker: string,
  versionId: string | undefined,
  event: TraceEvent,
): TraceEvent {
  const version = versionId === undefined ? {} : { scriptVersion: { id: versionId } };
  const named = { ...event, scriptName: plainName(worker), ...version };
  const request = findRequest(event);
  if (request === undefined || 'cf-connecting-ip' in request.headers) return named;
  const headers = { 'cf-connecting-ip': visitorAddress, ...request.headers };
  const whole = { ...(event.event?.['request'] as object), headers };
  return { ...named, event: { ...event.event, request: whole } };
}
