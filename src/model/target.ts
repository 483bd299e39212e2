/** Which data a command acts on. `preview` picks the binding's preview id, `local` the data on this machine. */
export type Target = 'production' | 'preview' | 'local';

/** Who one is to the platform: an API token, or the account's e-mail with its API key. */
export type Auth = { readonly token: string } | { readonly email: string; readonly apiKey: string };

/** Everything that one acts with, from one source. */
export interface Credentials {
  /** Ends in `/client/v4`, https or loopback, without credentials in it. */
  readonly apiBaseUrl: string;
  readonly auth: Auth;
  /** Prefix of `<brand>_branding` on the wire. */
  readonly brand: string;
}
