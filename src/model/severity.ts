/**
 * Severities, most severe first. critical: lost within days, or cannot recover automatically; error: broken; warn: partly broken, or about
 * to break; progress: under way; info: worth knowing; ok: fine.
 */
export const severities = ['critical', 'error', 'warn', 'progress', 'info', 'ok'] as const;

export type Severity = (typeof severities)[number];

export const responsibles = ['us', 'customer', 'zone-owner', 'provider', 'nobody'] as const;

/** The party that must act. `us`: the operator of the SaaS zone, with edgectl. `zone-owner`: the owner of the customer's zone. */
export type Responsible = (typeof responsibles)[number];
