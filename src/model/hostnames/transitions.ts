import type { CertificateStatus, HostnameStatus } from './hostname.ts';
import type { HostnameVerdict } from './observation.ts';

/** The events that can cause a transition: results of a check, elapsed time, and calls. */
export type Trigger =
  | HostnameVerdict
  | 'checks-over'
  | 'kept-too-long'
  | 'restarted'
  | 'changed'
  | 'settled'
  | 'tokens-ready'
  | 'validated'
  | 'validation-over'
  | 'caa-refused'
  | 'caa-allowed'
  | 'issuance-over'
  | 'issued'
  | 'deployed'
  | 'renewal-due'
  | 'expired'
  | 'ordered'
  | 'uploaded'
  | 'removed'
  | 'held-back'
  | 'staged'
  | 'staging-deployed'
  | 'released';

/**
 * A row of the table: the statuses from which the transition starts, the trigger, and the target. `deleted` removes the record. An absent
 * status is left unchanged.
 */
export interface Transition {
  readonly status: readonly HostnameStatus[] | 'any';
  readonly certificate: readonly CertificateStatus[] | 'any';
  readonly on: Trigger;
  readonly to: { readonly status?: HostnameStatus; readonly certificate?: CertificateStatus };
}

const served: readonly HostnameStatus[] = ['active', 'active_redeploying'];

/** The transitions of a custom hostname. The first matching transition applies (specification, States and transitions). */
export const transitions: readonly Transition[] = [
  { status: ['pending'], certificate: 'any', on: 'proved', to: { status: 'active' } },
  { status: ['blocked'], certificate: 'any', on: 'proved', to: { status: 'active' } },
  { status: ['blocked'], certificate: 'any', on: 'unproved', to: { status: 'pending' } },
  { status: ['blocked'], certificate: 'any', on: 'unready', to: { status: 'pending' } },
  { status: ['pending', 'caa_error'], certificate: 'any', on: 'held', to: { status: 'blocked' } },
  {
    status: ['pending', 'caa_error', ...served],
    certificate: 'any',
    on: 'flagged',
    to: { status: 'blocked' },
  },
  {
    status: ['pending', 'blocked', 'caa_error', ...served],
    certificate: 'any',
    on: 'gone-away',
    to: { status: 'moved' },
  },
  { status: served, certificate: 'any', on: 'lost', to: { status: 'moved' } },
  { status: ['pending'], certificate: 'any', on: 'checks-over', to: { status: 'moved' } },
  {
    status: 'any',
    certificate: 'any',
    on: 'removed',
    to: { status: 'pending_deletion', certificate: 'pending_deletion' },
  },
  {
    status: ['moved', 'pending_deletion'],
    certificate: 'any',
    on: 'kept-too-long',
    to: { status: 'deleted', certificate: 'deleted' },
  },
  {
    status: ['moved', 'blocked', 'caa_error', 'deleted'],
    certificate: 'any',
    on: 'restarted',
    to: { status: 'pending' },
  },
  { status: ['active'], certificate: 'any', on: 'changed', to: { status: 'active_redeploying' } },
  { status: ['active_redeploying'], certificate: 'any', on: 'settled', to: { status: 'active' } },

  {
    status: ['pending', ...served],
    certificate: ['pending_issuance'],
    on: 'caa-refused',
    to: { status: 'caa_error' },
  },
  { status: ['caa_error'], certificate: 'any', on: 'caa-allowed', to: { status: 'pending' } },

  {
    status: 'any',
    certificate: ['initializing'],
    on: 'tokens-ready',
    to: { certificate: 'pending_validation' },
  },
  {
    status: 'any',
    certificate: ['pending_validation', 'pending_expiration'],
    on: 'validated',
    to: { certificate: 'pending_issuance' },
  },
  {
    status: 'any',
    certificate: ['pending_validation'],
    on: 'validation-over',
    to: { certificate: 'validation_timed_out' },
  },
  {
    status: 'any',
    certificate: ['pending_issuance'],
    on: 'issuance-over',
    to: { certificate: 'issuance_timed_out' },
  },
  {
    status: 'any',
    certificate: ['pending_issuance'],
    on: 'issued',
    to: { certificate: 'pending_deployment' },
  },
  { status: 'any', certificate: ['pending_deployment'], on: 'deployed', to: { certificate: 'active' } },
  {
    status: 'any',
    certificate: ['pending_deployment'],
    on: 'held-back',
    to: { certificate: 'holding_deployment' },
  },
  {
    status: 'any',
    certificate: ['pending_deployment'],
    on: 'staged',
    to: { certificate: 'staging_deployment' },
  },
  {
    status: 'any',
    certificate: ['staging_deployment'],
    on: 'staging-deployed',
    to: { certificate: 'staging_active' },
  },
  {
    status: 'any',
    certificate: ['holding_deployment', 'staging_active'],
    on: 'released',
    to: { certificate: 'pending_deployment' },
  },
  { status: 'any', certificate: ['active'], on: 'renewal-due', to: { certificate: 'pending_expiration' } },
  {
    status: 'any',
    certificate: ['active', 'pending_expiration'],
    on: 'expired',
    to: { certificate: 'expired' },
  },
  { status: 'any', certificate: 'any', on: 'ordered', to: { certificate: 'initializing' } },
  { status: 'any', certificate: 'any', on: 'uploaded', to: { certificate: 'pending_deployment' } },
];

/** Returns the transition for these statuses and this trigger; undefined if nothing changes. */
export function findTransition(
  status: HostnameStatus,
  certificate: CertificateStatus | undefined,
  on: Trigger,
): Transition | undefined {
  return transitions.find(
    (transition) =>
      transition.on === on &&
      (transition.status === 'any' || transition.status.includes(status)) &&
      (transition.certificate === 'any' ||
        (certificate !== undefined && transition.certificate.includes(certificate))),
  );
}
