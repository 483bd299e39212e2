import type { NextStep, Responsible } from '../diagnosis/finding.ts';

export const proofWays = ['http', 'txt', 'delegation', 'email'] as const;

/** The method by which control is proved at a renewal. */
export type ProofWay = (typeof proofWays)[number];

export const forecastOutcomes = ['renews', 'fails', 'ends', 'gone', 'unclear', 'none'] as const;

/** An obstacle to a renewal. `known`: whether the obstacle will certainly prevent the renewal. */
export interface Obstacle {
  readonly known: boolean;
  readonly reason: string;
  readonly who: Responsible;
  readonly remedy: NextStep;
}

/**
 * `renews`: the renewal will succeed in the current state. `fails`: the renewal will fail. `ends`: nothing renews the certificate. `gone`:
 * the hostname itself is deleted before the renewal. `unclear`: a fact is unknown or outside our control. `none`: there is no certificate.
 */
export type ForecastOutcome = (typeof forecastOutcomes)[number];

/** The next renewal of one certificate. Times are milliseconds since the epoch. */
export interface Forecast {
  readonly hostname: string;
  readonly id?: string;
  /** The current statuses of the hostname and its certificate. */
  readonly status: string;
  readonly certificate: string;
  readonly outcome: ForecastOutcome;
  /** The time of the renewal, expiry or deletion; the time of the forecast if the outcome is already certain. */
  readonly at: number;
  /** When the current certificate expires. */
  readonly endsAt?: number;
  /** The method by which control is proved, and the authority that issues the certificate. */
  readonly method?: ProofWay;
  readonly authority?: string;
  /** The reason in one sentence, which contains untrusted data. */
  readonly reason: string;
  readonly who: Responsible;
  readonly remedy?: NextStep;
}

/** The part of a forecast that describes the future, without the current state. */
export type Ahead = Omit<Forecast, 'hostname' | 'id' | 'status' | 'certificate' | 'endsAt'>;
