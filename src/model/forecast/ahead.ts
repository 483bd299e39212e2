import type { NextStep, Responsible } from '../diagnosis/finding.ts';

/** How control is proved at a renewal. */
export type ProofWay = 'http' | 'txt' | 'delegation' | 'email';

/** An obstacle to a renewal. `known` is whether it surely does. */
export interface Obstacle {
  readonly known: boolean;
  readonly reason: string;
  readonly who: Responsible;
  readonly remedy: NextStep;
}

/**
 * `renews`: it will succeed in the present state. `fails`: it will not. `ends`: nothing renews it. `gone`: the hostname itself
 * is deleted before. `unclear`: a fact is unknown, or someone outside decides. `none`: there is no certificate.
 */
export type ForecastOutcome = 'renews' | 'fails' | 'ends' | 'gone' | 'unclear' | 'none';

/** The next renewal of one certificate. Times are milliseconds since the epoch. */
export interface Forecast {
  readonly hostname: string;
  readonly id?: string;
  /** Status of hostname and certificate now. */
  readonly status: string;
  readonly certificate: string;
  readonly outcome: ForecastOutcome;
  /** When that happens, or is decided: the renewal, the expiry, the deletion. */
  readonly at: number;
  /** When the present certificate expires. */
  readonly endsAt?: number;
  /** How control is proved, and who issues. */
  readonly method?: ProofWay;
  readonly authority?: string;
  /** One sentence. Holds bytes from outside. */
  readonly reason: string;
  readonly who: Responsible;
  readonly remedy?: NextStep;
}

/** The part of a forecast that is about what comes, without what is now. */
export type Ahead = Omit<Forecast, 'hostname' | 'id' | 'status' | 'certificate' | 'endsAt'>;
