import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import type { Stage } from '../../services/hostnames/stage.ts';
import type { Kind, World } from './world.ts';

/** Who causes a fault and can end it. */
export type Party = 'us' | 'customer' | 'zone-owner' | 'provider' | 'nobody';

/** A world in a sandbox: what faults and their causes act on. */
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
  /** Sets records that the platform sees as the stage's worlds are played: at once, or at its next check. */
  dns(...entries: readonly (readonly [string, string, ...string[]])[]): Promise<void>;
  /** Removes the records of a name, of one type or all. */
  forget(name: string, type?: string): Promise<void>;
}

/** Parts of a world of which each has one fault at most. */
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

/** Something that goes wrong, as the specification or a document of the provider describes it. */
export interface Fault {
  readonly id: string;
  /** In which extension of the table it came: seeds make the same worlds with the faults of their time. Default: 1. */
  readonly generation?: number;
  /** The document that describes it. */
  readonly source: string;
  readonly slot: Slot;
  /** All who can end it. */
  readonly parties: readonly Party[];
  /** Those in some circumstances, instead of `parties`. */
  readonly partiesIn?: (world: Pick<World, 'plan'>) => readonly Party[];
  /** `zone`: it is a fault of our zone or account, which all of its hostnames share. */
  readonly scope: 'hostname' | 'zone';
  readonly kinds: readonly Kind[];
  /** `before`: from the beginning. `after`: at a random time once the hostname was in service. */
  readonly when: readonly ('before' | 'after')[];
  /** `start`: before the hostname is created. `tokens`: as soon as its tokens are known. */
  readonly phase: 'start' | 'tokens';
  /** The rest of its slot is as it must be: the fault comes over it. */
  readonly isOver?: boolean;
  /** Slots that cannot have a fault beside it. */
  readonly excludes?: readonly Slot[];
  /** Whether it can occur in these circumstances. */
  readonly fits?: (world: Pick<World, 'kind' | 'plan' | 'authority'>) => boolean;
  /** The first label of the hostname that it needs. */
  readonly label?: string;
  /** The authority that it needs. */
  readonly authority?: World['authority'];
  /** The body of the creation; null where nobody creates it. */
  readonly creation?: (body: CreationBody) => CreationBody | null;
  cause(site: Site): Promise<unknown>;
  /** Somebody else acts after each step, until its party has ended it. */
  reacts?(site: Site): Promise<unknown>;
  /** The `ssl` of a certificate that the customer brings, put in place of the ordered one at the creation. */
  upload?(site: Site): Promise<object>;
  /** Records that are made at or below the name are not seen, until its party has ended it. */
  readonly hidesRecords?: boolean;
  /** Advice in words that makes its party do `undo`. */
  readonly words?: RegExp;
  undo?(site: Site): Promise<unknown>;
  /** Seconds after which it ends without anybody. */
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
