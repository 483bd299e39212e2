import { findRoute, type WorkerRoute } from '../../workers/route.ts';
import { type Facts, ifKnown } from '../facts.ts';
import type { Judgement, Rule } from '../finding.ts';
import { exactRecord } from './reading.ts';

/** G14: a worker in front of the origin. */
export const workerRouteRules: readonly Rule[] = [{ id: 'G14', judge: shadowed }];

/** Returns the worker route that receives the hostname's requests; undefined if there is none, or the routes are unknown. */
export function findWorkerRoute(facts: Facts): (WorkerRoute & { readonly script: string }) | undefined {
  const route = findRoute(ifKnown(facts.workerRoutes) ?? [], facts.hostname.replace(/^\*\./, 'any.'), '/');
  const { script } = route ?? {};
  return route === undefined || script === undefined ? undefined : { ...route, script };
}

function shadowed(facts: Facts): Judgement {
  const route = findWorkerRoute(facts);
  if (route === undefined || exactRecord(facts)?.status !== 'active') return undefined;
  const answers = [ifKnown(facts.http), ifKnown(facts.https)].filter((answer) => answer !== undefined);
  const bad = answers.filter(({ status }) => status >= 400);
  return {
    severity: bad.length > 0 ? 'error' : 'info',
    cause: `The worker "${route.script}" handles requests for the hostname before they reach the origin (route ${route.pattern}).`,
    evidence: [
      `route ${route.pattern}: worker ${route.script}`,
      ...answers.map(({ url, status }) => `${url}: ${status}`),
    ],
    who: 'us',
    remedy: {
      text:
        bad.length > 0
          ? `Fix the worker; or, if it is not meant for this hostname, create the route ${facts.hostname}/* without a worker.`
          : `No action needed if this is intended; otherwise create the route ${facts.hostname}/* without a worker.`,
    },
  };
}
