/** Plans of a zone, smallest first. */
export const zonePlans = ['free', 'pro', 'business', 'enterprise'] as const;

export type ZonePlan = (typeof zonePlans)[number];

/** Returns the number of custom hostnames that a plan includes, and the maximum number (Cloudflare for SaaS: plans). */
export function planQuota(plan: ZonePlan): { readonly allocated: number; readonly hard_cap: number } {
  return { allocated: plan === 'enterprise' ? 5000 : 100, hard_cap: 50_000 };
}
