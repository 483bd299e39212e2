import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import type { Stage } from '../../services/hostnames/stage.ts';
import type { Kind, World } from './world.ts';

/** A party that causes a fault and that can end the fault. */
export type Party = 'us' | 'customer' | 'zone-owner' | 'provider' | 'nobody';

/** A world in a sandbox, on which faults act. */
export interface Site {
  readonly stage: Stage;
  readonly world: World;
  readonly host: string;
  readonly domain: string;
  /** The name to which customers point. */
  readonly target: string;
  /** The hostname's own origin, for faults that concern an origin. */
  readonly origin: string;
  record(): Promise<CustomHostname | undefined>;
  /** Sets records, which the platform notices immediately or at its next check, depending on the stage. */
  dns(...entries: readonly (readonly [string, string, ...string[]])[]): Promise<void>;
  /** Removes the records of a name, of one type or of all types. */
  forget(name: string, type?: string): Promise<void>;
}

/** Parts of a world; each has at most one fault. */
export type Slot =
  | 'routing'
  | 'ownership'
  | 'challenge'
  | 'caa'
  | 'token-path'
  | 'origin'
  | 'authority'
  | 'registration'
  | 'hold'
  | 'rival'
  | 'abuse';

/** A fault that is described in the specification or in the provider's documentation. */
export interface Fault {
  readonly id: string;
  /**
   * The extension of the table that added the fault (default: 1). A seed keeps creating its world from the faults that existed then.
   */
  readonly generation?: number;
  /** The document that describes the fault. */
  readonly source: string;
  readonly slot: Slot;
  /** All parties that can end the fault. */
  readonly parties: readonly Party[];
  /** Returns the parties for some circumstances, instead of `parties`. */
  readonly partiesIn?: (world: Pick<World, 'plan'>) => readonly Party[];
  /** `zone`: a fault of our zone or account, which affects all hostnames. */
  readonly scope: 'hostname' | 'zone';
  readonly kinds: readonly Kind[];
  /** `before`: the fault exists from the beginning. `after`: the fault starts at a random time after the hostname became active. */
  readonly when: readonly ('before' | 'after')[];
  /** `start`: the fault starts before the hostname is created. `tokens`: the fault starts as soon as the hostname's tokens are known. */
  readonly phase: 'start' | 'tokens';
  /** Whether this part of the world is set up correctly before the fault is applied. */
  readonly isOver?: boolean;
  /** Parts of the world that cannot have a fault together with this fault. */
  readonly excludes?: readonly Slot[];
  /** Returns true if the fault can occur in these circumstances. */
  readonly fits?: (world: Pick<World, 'kind' | 'plan' | 'authority'>) => boolean;
  /** The required first label of the hostname. */
  readonly label?: string;
  /** The required authority. */
  readonly authority?: World['authority'];
  /** Returns the body of the create request; null if nobody creates the hostname. */
  readonly creation?: (body: CreationBody) => CreationBody | null;
  cause(site: Site): Promise<unknown>;
  /** Acts after each step, as another actor, until the party has ended the fault. */
  reacts?(site: Site): Promise<unknown>;
  /** Returns the `ssl` of the customer's own certificate, which replaces the ordered certificate when the hostname is created. */
  upload?(site: Site): Promise<object>;
  /** Whether new records at or below the name are invisible until the party has ended the fault. */
  readonly hidesRecords?: boolean;
  /** A pattern of the advice in words that makes the party run `undo`. */
  readonly words?: RegExp;
  undo?(site: Site): Promise<unknown>;
  /** The number of seconds after which the fault ends automatically. */
  readonly lasts?: number;
}

export interface CreationBody {
  readonly hostname: string;
  readonly custom_origin_server?: string;
  readonly ssl: {
    readonly method: string;
    readonly type: 'dv';
    readonly wildcard?: boolean;
    readonly certificate_authority?: string;
    readonly cloudflare_branding?: boolean;
  };
}
