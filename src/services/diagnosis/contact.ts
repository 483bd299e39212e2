import type { DnsFailure, Resolver } from '../../model/dns/dns.ts';
import { isProblem } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';

/** Failures of DNS in which nobody has answered: they say nothing of the name. */
const unanswered: ReadonlySet<DnsFailure> = new Set(['timeout', 'unreachable', 'interrupted']);

/** Notices whether all who are asked can be reached: what is gathered while the network is away holds for that moment only. */
export class Contact {
  #isLost = false;

  get isWhole(): boolean {
    return !this.#isLost;
  }

  /** Told of somebody else who could not be reached. */
  lose(): void {
    this.#isLost = true;
  }

  overDns(resolver: Resolver): Resolver {
    return {
      resolve: async (name, type) => {
        const outcome = await resolver.resolve(name, type);
        if (outcome.kind === 'failed' && unanswered.has(outcome.why)) this.lose();
        return outcome;
      },
    };
  }

  overPlatform(session: Session): Session {
    return {
      ...session,
      send: async (call) => {
        try {
          return await session.send(call);
        } catch (error) {
          if (isProblem(error) && error.code === 'unreachable') this.lose();
          throw error;
        }
      },
    };
  }
}
