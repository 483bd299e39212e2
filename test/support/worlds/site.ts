import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import type { Stage } from '../../services/hostnames/stage.ts';
import type { Kind, World } from './world.ts';

/** A party that causes a fault and can end it. */
export type Party = 'us' | 'customer' | 'zone-owner' | 'provider' | 'nobody';

/** A world in a sandbox, which faults act on. */
export interface Site {
  readonly stage: Stage;
  readonly world: World;
  readonly host: string;
  readonly domain: string;
  /** The name to which customers point. */
  readonly target: string;
  /** The hostname's own origin, for faults of an origin. */
  readonly origin: string;
  record(): Promise<CustomHostname | undefined>;
  /** Sets records that the platform sees immediately or at its next check, depending on the stage. */
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

/** A fault described in the specification or in a document of the provider. */
export interface Fault {
  readonly id: string;
  /** The extension of the table that added it: seeds create the same worlds from the faults of their time. Default: 1. */
  readonly generation?: number;
  /** The document that describes it. */
  readonly source: string;
  readonly slot: Slot;
  /** All parties that can end it. */
  readonly parties: readonly Party[];
  /** The parties in some circumstances, instead of `parties`. */
  readonly partiesIn?: (world: Pick<World, 'plan'>) => readonly Party[];
  /** `zone`: a fault of our zone or account, which all hostnames share. */
  readonly scope: 'hostname' | 'zone';
  readonly kinds: readonly Kind[];
  /** `before`: from the beginning. `after`: at a random time once the hostname was in service. */
  readonly when: readonly ('before' | 'after')[];
  /** `start`: before the hostname is created. `tokens`: as soon as its tokens are known. */
  readonly phase: 'start' | 'tokens';
  /** The slot is set up correctly before the fault is applied. */
  readonly isOver?: boolean;
  /** Slots that cannot have a fault together with it. */
  readonly excludes?: readonly Slot[];
  /** Whether it can occur in these circumstances. */
  readonly fits?: (world: Pick<World, 'kind' | 'plan' | 'authority'>) => boolean;
  /** The required first label of the hostname. */
  readonly label?: string;
  /** The required authority. */
  readonly authority?: World['authority'];
  /** The body of the creation; null if nobody creates it. */
  readonly creation?: (body: CreationBody) => CreationBody | null;
  cause(site: Site): Promise<unknown>;
  /** Another actor acts after each step, until the party has ended the fault. */
  reacts?(site: Site): Promise<unknown>;
  /** The `ssl` of the customer's own certificate, which replaces the ordered one at the creation. */
  upload?(site: Site): Promise<object>;
  /** New records at or below the name are not visible until the party has ended the fault. */
  readonly hidesRecords?: boolean;
  /** Advice in words after which the party does `undo`. */
  readonly words?: RegExp;
  undo?(site: Site): Promise<unknown>;
  /** Seconds after which it ends automatically. */
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
