import { backOffSeconds, checkCertificate, hostnameChecks, install, recordRefusal } from './certificate.ts';
import { applyPatch } from './change.ts';
import { patchTrack, transition } from './entry.ts';
import { hostnameVerdict, type Observation, verificationErrors } from './observation.ts';
import type { HostnameChange } from './request.ts';
import {
  type HostnameState,
  type HostnameTrack,
  type InstalledCertificate,
  machineSeconds,
  nextMoment,
  wantedCertificate,
  without,
} from './state.ts';

/** An event that changes a custom hostname's state. */
export type HostnameEvent =
  /** Time has passed. All steps that are due are performed. */
  | { readonly type: 'time'; readonly seen: Observation }
  /** A check was requested. The check is performed immediately, regardless of the schedule. */
  | { readonly type: 'check'; readonly seen: Observation }
  /** A PATCH request. `uploaded` describes the certificate in its body. */
  | {
      readonly type: 'patch';
      readonly change: HostnameChange;
      readonly seen: Observation;
      readonly uploaded?: InstalledCertificate;
    }
  /** A DELETE request to a platform that does not delete immediately. */
  | { readonly type: 'remove'; readonly seen: Observation }
  /** The ordered certificate was issued. */
  | { readonly type: 'issued'; readonly certificate: InstalledCertificate }
  /** The authority refused the order, with its own message. */
  | { readonly type: 'issuance-refused'; readonly message: string };

/** Returns the custom hostname after an event; undefined if the event deletes it. Pure; `now` is in milliseconds. */
export function step(state: HostnameState, event: HostnameEvent, now: number): HostnameState | undefined {
  switch (event.type) {
    case 'time':
      return runDue(state, event.seen, now);
    case 'check':
      return runDue(bringForward(state, now), event.seen, now);
    case 'patch':
      return patch(state, event, now);
    case 'remove':
      return linger(transition(state, 'removed', now), event.seen, now);
    case 'issued':
      return wantedCertificate(state) === undefined
        ? state
        : install(state, event.certificate, 'issued', now);
    case 'issuance-refused':
      return recordRefusal(state, event.message, now);
  }
}

/**
 * Performs all steps that are due up to `now`, in chronological order. `observe` returns the observation at a given time. Stops early if a
 * certificate must be issued. The caller must then issue it, pass the event `issued` at the certificate's `since` to `step`, and call this
 * function again. Returns undefined if the hostname was deleted.
 */
export function advance(
  state: HostnameState,
  observe: (moment: number) => Observation,
  now: number,
): HostnameState | undefined {
  let current = state;
  for (let due = nextMoment(current); due <= now; due = nextMoment(current)) {
    const next = runDue(current, observe(due), due);
    if (next === undefined) return undefined;
    if (wantedCertificate(next) !== undefined && wantedCertificate(current) === undefined) return next;
    const quiet = next.record.status === current.record.status && current.track.nextCheckAt <= due;
    current = quiet ? skipQuietTime(next, now) : next;
  }
  return current;
}

const watched: readonly string[] = ['active', 'blocked', 'caa_error'];

/**
 * Postpones the next check of a settled hostname to `now`, so that a long period without changes requires one check instead of one per
 * minute.
 */
function skipQuietTime(state: HostnameState, now: number): HostnameState {
  if (!watched.includes(state.record.status) || state.track.nextCheckAt >= now) return state;
  return { ...state, track: { ...state.track, nextCheckAt: now } };
}

function runDue(state: HostnameState, seen: Observation, now: number): HostnameState | undefined {
  let current = state;
  while (nextMoment(current) <= now) {
    const isHostname = current.track.nextCheckAt <= now;
    const next = isHostname ? checkHostname(current, seen, now) : checkCertificate(current, seen, now);
    if (next === undefined) return undefined;
    current = next;
  }
  return current;
}

/** Statuses that last for a fixed time, which a check cannot shorten. */
const timed: readonly string[] = ['moved', 'active_redeploying', 'pending_deletion', 'deleted'];

const early: readonly string[] = [
  'pending_validation',
  'pending_issuance',
  'pending_expiration',
  'holding_deployment',
  'staging_active',
];

/** Makes all steps that depend on a check due at `now`. Other steps keep their time. */
function bringForward(state: HostnameState, now: number): HostnameState {
  const waiting = early.includes(state.record.ssl?.status ?? '') && state.certificate?.cleared !== true;
  const certificate = waiting ? patchTrack(state, { nextAt: now }) : state;
  if (timed.includes(state.record.status)) return certificate;
  return { ...certificate, track: { ...certificate.track, nextCheckAt: now } };
}

/**
 * Keeps a deleted hostname until the platform has completed the deletion. Returns undefined if the platform deletes the hostname
 * immediately.
 */
function linger(state: HostnameState, { lingers }: Observation, now: number): HostnameState | undefined {
  if (lingers === undefined) return undefined;
  return { ...state, track: { ...state.track, nextCheckAt: now + lingers * 1000 } };
}

function checkHostname(state: HostnameState, seen: Observation, now: number): HostnameState | undefined {
  const { status } = state.record;
  if (status === 'deleted') return undefined;
  if (status === 'moved' || status === 'pending_deletion')
    return linger(transition(state, 'kept-too-long', now), seen, now);
  const track = routed(state.track, seen.routing, now);
  const verdict = hostnameVerdict(state.record, track.everPointedHere, seen);
  const checked: HostnameState = {
    ...state,
    record: { ...state.record, verification_errors: verificationErrors(state.record, seen, verdict) },
    track: { ...track, nextCheckAt: now + machineSeconds.watch * 1000 },
  };
  const moved = transition(transition(checked, verdict, now), 'settled', now);
  if (moved.record.status === 'pending') return nextAttempt(moved, now);
  if (moved.record.status !== 'active' || verdict !== 'unproved') return moved;
  return { ...moved, record: { ...moved.record, verification_errors: [] } };
}

/** Records where DNS points. A failed lookup proves nothing. */
function routed(track: HostnameTrack, routing: Observation['routing'], now: number): HostnameTrack {
  if (routing === 'here') return { ...without(track, 'awaySince'), everPointedHere: true };
  if (routing === 'unknown' || !track.everPointedHere) return track;
  return { ...track, awaySince: track.awaySince ?? now };
}

function nextAttempt(state: HostnameState, now: number): HostnameState {
  const { attempts } = state.track;
  if (attempts >= hostnameChecks) return transition(state, 'checks-over', now);
  const nextCheckAt = now + backOffSeconds(attempts) * 1000;
  return { ...state, track: { ...state.track, attempts: attempts + 1, nextCheckAt } };
}

/** Restarts validation with the changes in the PATCH, and checks the hostname immediately (specification, States and transitions). */
function patch(
  state: HostnameState,
  event: Extract<HostnameEvent, { type: 'patch' }>,
  now: number,
): HostnameState | undefined {
  const before = state.record.status;
  const changed = applyPatch(state, event.change, event.uploaded, now);
  const restarted = bringForward(restart(changed.state, now), now);
  const checked = runDue(
    before === 'moved' ? waiting(restarted, event.seen, now) : restarted,
    event.seen,
    now,
  );
  if (checked === undefined || before !== 'active' || !changed.redeploys) return checked;
  return transition(checked, 'changed', now);
}

/** After a PATCH, sets a hostname in Moved to pending until the next check, unless the immediate check finds that DNS points here. */
function waiting(state: HostnameState, seen: Observation, now: number): HostnameState {
  const verdict = hostnameVerdict(state.record, state.track.everPointedHere, seen);
  if (verdict !== 'gone-away') return state;
  const verification_errors = verificationErrors(state.record, seen, verdict);
  const nextCheckAt = now + backOffSeconds(0) * 1000;
  return {
    ...state,
    record: { ...state.record, verification_errors },
    track: { ...state.track, nextCheckAt },
  };
}

function restart(state: HostnameState, now: number): HostnameState {
  const restarted = transition(state, 'restarted', now);
  return patchTrack({ ...restarted, track: { ...restarted.track, attempts: 0 } }, { attempts: 0 });
}
