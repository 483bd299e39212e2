/** Which data a command acts on. `preview` picks the binding's preview id, `local` the data on this machine. */
export type Target = 'production' | 'preview' | 'local';

/** Credentials: an API token, or the account's e-mail with its API key. */
export type Auth = { readonly token: string } | { readonly email: string; readonly apiKey: string };
