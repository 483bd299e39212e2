/** The most severe first: lost in days or unable to recover alone; broken; soon or partly; under way; to know; good. */
export const severities = ['critical', 'error', 'warn', 'progress', 'info', 'ok'] as const;

export type Severity = (typeof severities)[number];

/** Who must act. `us`: the SaaS provider, with edgectl. `zone-owner`: the owner of the customer's zone. */
export type Responsible = 'us' | 'customer' | 'zone-owner' | 'provider' | 'nobody';
