import * as v from 'valibot';
import { plainName } from '../../../model/dns/dns.ts';
import { certificateAuthorities } from '../../../model/hostnames/hostname.ts';
import { explainShapeFault } from '../../../model/shape-fault.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { codes } from '../../http/codes.ts';
import { type Exchange, readJson, refusal } from '../../http/exchange.ts';
import { inactiveStates, setZoneState } from '../../zones/states.ts';
import { type EdgeRule, readEdgeRules, removeEdgeRules, setEdgeRule } from '../edge-rules.ts';
import { readInterventions, removeIntervention, setIntervention } from '../interventions.ts';
import { checkOrigin, originFaults, readOrigins, setOrigin, tlsModes } from '../origins.ts';
import { changeInternet, readNotice } from '../run.ts';

const bodyLimit = 1024 * 1024;
const maybe = v.exactOptional;
const name = v.pipe(v.string(), v.nonEmpty(), v.transform(plainName));

const originShape = v.object({
  name,
  port: maybe(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535))),
  tls: maybe(v.picklist(tlsModes)),
  authority: maybe(v.string()),
  fault: maybe(v.picklist(originFaults)),
});

const ruleShape = v.object({
  host: name,
  path: v.optional(v.pipe(v.string(), v.startsWith('/')), '/'),
  scheme: maybe(v.picklist(['http', 'https'])),
  status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  location: maybe(v.string()),
  body: v.optional(v.string(), ''),
  headers: v.optional(v.record(v.string(), v.string()), {}),
});

const interventionShape = v.object({
  hostname: name,
  flagged: maybe(v.boolean()),
  silent: maybe(v.boolean()),
  refusal: maybe(v.pipe(v.string(), v.nonEmpty())),
  authority: maybe(v.picklist(certificateAuthorities)),
  lingers: maybe(v.pipe(v.number(), v.integer(), v.minValue(0))),
  staged: maybe(v.boolean()),
  behind: maybe(v.boolean()),
  validity: maybe(v.picklist(['expired', 'not_yet_valid'])),
  undeployable: maybe(v.boolean()),
  shows: maybe(v.strictObject({ status: maybe(v.string()), certificate: maybe(v.string()) })),
});

const zoneStateShape = v.object({ zone: name, status: v.picklist(['active', ...inactiveStates]) });

async function readShape<S extends v.GenericSchema>(
  exchange: Exchange,
  what: string,
  shape: S,
): Promise<v.InferOutput<S>> {
  const body = await readJson(exchange, what, bodyLimit);
  const found = v.safeParse(shape, body);
  if (found.success) return found.output;
  throw refusal(400, codes.requestInvalid, `invalid ${what}: ${explainShapeFault(found)}`);
}

export function listOrigins({ platform }: Exchange): Answer {
  return ok(readOrigins(platform));
}

/**
 * Sets a loopback server or a fault for an origin's name; if neither is given, the edge shows its own page. For an address, sets an outside
 * server, to which DNS can point directly.
 */
export async function putOrigin(exchange: Exchange): Promise<Answer> {
  const { name: origin, ...server } = await readShape(exchange, 'the origin', originShape);
  checkOrigin(exchange.platform, origin, server);
  await changeInternet(exchange.platform, () => setOrigin(exchange.platform, origin, server));
  return ok({ name: origin, ...server });
}

export async function removeOrigin({ platform, query }: Exchange): Promise<Answer> {
  const origin = plainName(query.get('name') ?? '');
  await changeInternet(platform, () => setOrigin(platform, origin, undefined));
  return ok({ name: origin });
}

export function listEdgeRules({ platform }: Exchange): Answer {
  return ok(readEdgeRules(platform));
}

/** Sets a fixed answer that is sent before routing, like an answer from a rule in the customer's own zone or from a worker. */
export async function putEdgeRule(exchange: Exchange): Promise<Answer> {
  const { platform, query } = exchange;
  const rule: EdgeRule = await readShape(exchange, 'the rule', ruleShape);
  await changeInternet(platform, () => setEdgeRule(platform, rule), readNotice(query));
  return ok(rule);
}

export async function removeEdgeRule({ platform, query }: Exchange): Promise<Answer> {
  const host = plainName(query.get('host') ?? '');
  await changeInternet(platform, () => removeEdgeRules(platform, host));
  return ok({ host });
}

export function listInterventions({ platform }: Exchange): Answer {
  return ok(readInterventions(platform));
}

/** Sets a decision by the platform, its abuse desk or a certificate authority about a hostname. */
export async function putIntervention(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const intervention = await readShape(exchange, 'the intervention', interventionShape);
  const [served] = platform.registry().hostnames.named(intervention.hostname);
  const certificate = intervention.behind === true ? served?.keyed : undefined;
  await changeInternet(platform, () =>
    setIntervention(platform, { ...intervention, ...(certificate && { kept: certificate }) }),
  );
  return ok(intervention);
}

export async function dropIntervention({ platform, query }: Exchange): Promise<Answer> {
  const hostname = plainName(query.get('hostname') ?? '');
  await changeInternet(platform, () => removeIntervention(platform, hostname));
  return ok({ hostname });
}

/** Sets the state of a zone: active, or the state of a zone that does not use the platform's name servers. */
export async function putZoneState(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const { zone: wanted, status } = await readShape(exchange, 'the state of the zone', zoneStateShape);
  const zone = platform
    .registry()
    .zones.list()
    .find((one) => one.name === wanted);
  if (zone === undefined) throw refusal(404, codes.noRoute, `zone ${wanted} not found`);
  await changeInternet(platform, () =>
    setZoneState(platform, zone.id, status === 'active' ? undefined : status),
  );
  return ok({ zone: wanted, status });
}
