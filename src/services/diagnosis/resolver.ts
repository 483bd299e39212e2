import { getServers } from 'node:dns';
import * as v from 'valibot';
import { cachingResolver, openResolver } from '../../dns/resolver.ts';
import type { DnsOutcome, Resolver } from '../../model/dns/dns.ts';
import { asProblem } from '../../model/problem.ts';
import { callResult } from '../../v4/client.ts';
import { reading } from '../hostnames/calls.ts';
import type { PlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';

/**
 * Returns a caching resolver that queries the given servers. If no servers are given, the resolver queries this machine's servers or, for a
 * sandbox, the sandbox's DNS, so that public DNS servers do not receive fictitious names.
 */
export function diagnosisResolver(
  session: Session,
  info: PlatformInfo,
  servers: readonly string[],
): Resolver {
  if (servers.length === 0 && info.sandbox && info.dns === undefined)
    return cachingResolver(sandboxResolver(session));
  const chosen = servers.length > 0 ? servers : info.sandbox ? [info.dns ?? []].flat() : getServers();
  const { random, interrupted: signal } = session.world;
  return cachingResolver(openResolver({ servers: chosen, random, signal }));
}

const outcomeShape = v.variant('kind', [
  v.looseObject({ kind: v.literal('records'), records: v.array(v.unknown()), aliases: v.array(v.unknown()) }),
  v.looseObject({ kind: v.picklist(['nodata', 'nxdomain', 'failed']), aliases: v.array(v.unknown()) }),
]);

/** Returns a resolver that queries the sandbox's API, for a sandbox without a DNS port. */
function sandboxResolver(session: Session): Resolver {
  return {
    async resolve(name, type) {
      try {
        const call = reading(['sandbox', 'dns', 'answer'], { name, type });
        const { result } = await callResult(session.send, call, (value) => v.parse(outcomeShape, value));
        return result as DnsOutcome;
      } catch (error) {
        return { kind: 'failed', why: 'unreachable', detail: asProblem(error).message, aliases: [] };
      }
    },
  };
}
