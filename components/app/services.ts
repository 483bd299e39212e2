import { type Services, servicesOver as servicesOf } from '../../src/services/console/services.ts';
import type { Session } from '../../src/services/session/session.ts';
import { linkSettings } from '../kit/remedy-words.ts';

/** The services of panes over a session, in the words of the console. */
export function servicesOver(session: Session): Services {
  return servicesOf(session, linkSettings);
}
