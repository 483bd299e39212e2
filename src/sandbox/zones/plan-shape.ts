import type { ZonePlan } from '../../model/zones/plan.ts';

/** The names of plans on the platform. */
export const planTitles: Readonly<Record<ZonePlan, string>> = {
  free: 'Free Website',
  pro: 'Pro Website',
  business: 'Business Website',
  enterprise: 'Enterprise Website',
};

/** Formats a plan for the `plan` field of a zone. `present` is the zone's current plan. */
export function formatPlan(plan: ZonePlan, present: ZonePlan) {
  return { ...formatListedPlan(plan, present), frequency: '', legacy_discount: false };
}

/** Formats a plan for lists. `present` is the zone's current plan. */
export function formatListedPlan(plan: ZonePlan, present: ZonePlan) {
  return {
    id: plan,
    name: planTitles[plan],
    price: 0,
    currency: 'USD',
    frequency: 'monthly',
    is_subscribed: plan === present,
    can_subscribe: plan !== present,
    legacy_id: plan,
    externally_managed: false,
  };
}
