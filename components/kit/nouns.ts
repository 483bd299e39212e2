import { type Capability, refusalMessage } from '../../src/model/capability.ts';
import type { Services } from '../../src/services/console/services.ts';
import type { OpenPane } from './open-pane.ts';

/** An area of the console that a digit opens, usually the list of a kind of resource. */
interface Noun {
  readonly name: string;
  readonly press: string;
  readonly label: string;
  /** A label for a narrow screen. */
  readonly short: string;
  readonly opens: OpenPane;
  /** The service that the panes of the area need; a session without this service does not have the area. Home and tasks need no service. */
  readonly service?: keyof Services;
  /** The capability that the service requires. */
  readonly needs?: Capability;
}

/** The areas, in the order of the header. */
export const nouns = [
  { name: 'home', press: '0', label: 'Home', short: 'Home', opens: { pane: 'home' } },
  {
    name: 'namespaces',
    press: '1',
    label: 'Namespaces',
    short: 'NS',
    opens: { pane: 'namespaces' },
    service: 'kv',
  },
  {
    name: 'buckets',
    press: '2',
    label: 'Buckets',
    short: 'Bkts',
    opens: { pane: 'buckets' },
    service: 'objects',
  },
  {
    name: 'hostnames',
    press: '3',
    label: 'Hostnames',
    short: 'Hosts',
    opens: { pane: 'hostnames' },
    service: 'hostnames',
    needs: 'holdHostnames',
  },
  {
    name: 'workers',
    press: '4',
    label: 'Workers',
    short: 'Wkrs',
    opens: { pane: 'workers' },
    service: 'workers',
    needs: 'holdWorkers',
  },
  { name: 'tasks', press: '5', label: 'Tasks', short: 'Tasks', opens: { pane: 'tasks' } },
] as const satisfies readonly Noun[];

export type NounName = (typeof nouns)[number]['name'];

/** Returns the areas that a session supports. */
export function availableNouns(services: Services): readonly Noun[] {
  const all: readonly Noun[] = nouns;
  return all.filter(({ service }) => service === undefined || services[service] !== undefined);
}

/** Returns why a session does not have an area, as a sentence without its full stop. */
export function unavailableReason(name: NounName): string {
  const noun = nouns.find((one) => one.name === name);
  return noun !== undefined && 'needs' in noun ? refusalMessage(noun.needs) : `This session has no ${name}`;
}

/** Returns the first pane of a session: the requested pane, or Home if the session does not support it. */
export function firstPane(services: Services, wanted: OpenPane): OpenPane {
  return availableNouns(services).find(({ opens }) => opens.pane === wanted.pane)?.opens ?? nouns[0].opens;
}
