import { wireTime } from '../../model/hostnames/state.ts';
import { isObject } from '../../model/json-object.ts';
import { type ZonePlan, zonePlans } from '../../model/zones/plan.ts';
import type { StoredZone } from '../../store/zones/zones.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, type Platform, param, readJson, refusal } from '../http/exchange.ts';
import { pageInfo } from '../http/paging.ts';
import { formatListedPlan, planTitles } from './plan-shape.ts';
import { readZonePlan, updateZoneChanges } from './zone-changes.ts';
import { requireZone } from './zones.ts';

/** Lists the plans for a zone, with prices of 0. */
export function listPlans(exchange: Exchange): Answer {
  const present = readZonePlan(exchange.platform, requireZone(exchange).id);
  const all = zonePlans.map((plan) => formatListedPlan(plan, present));
  return ok(all, pageInfo(1, all.length, all.length, all.length));
}

export function getPlan(exchange: Exchange): Answer {
  const present = readZonePlan(exchange.platform, requireZone(exchange).id);
  const wanted = zonePlans.find((plan) => plan === param(exchange, 'plan'));
  if (wanted === undefined) throw refusal(404, codes.noRoute, 'Plan not found.');
  return ok(formatListedPlan(wanted, present));
}

export function getSubscription(exchange: Exchange): Answer {
  return ok(formatSubscription(exchange.platform, requireZone(exchange)));
}

/** Sets the plan of a zone: `{rate_plan: {id}}`. Hostnames keep features that the new plan does not include. */
export async function subscribe(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = requireZone(exchange);
  const body = await readJson(exchange, 'the subscription');
  const rate = isObject(body) && isObject(body['rate_plan']) ? body['rate_plan']['id'] : undefined;
  const plan = zonePlans.find((one) => one === rate);
  if (plan === undefined) {
    const message = `invalid subscription: rate_plan must be {"id"} with one of ${zonePlans.join(', ')}`;
    throw refusal(400, codes.requestInvalid, message);
  }
  updateZoneChanges(platform, zone.id, (before) => ({ ...before, plan }));
  return ok(formatSubscription(platform, zone));
}

function formatSubscription(platform: Platform, zone: StoredZone) {
  const plan: ZonePlan = readZonePlan(platform, zone.id);
  return {
    id: zone.id,
    state: 'Paid',
    price: 0,
    currency: 'USD',
    frequency: plan === 'free' ? 'not-applicable' : 'monthly',
    current_period_start: wireTime(zone.createdAt),
    rate_plan: {
      id: plan,
      public_name: planTitles[plan],
      currency: 'USD',
      scope: 'zone',
      sets: [],
      is_contract: plan === 'enterprise',
      externally_managed: false,
    },
  };
}
