/** The data that a command acts on. `preview`: the namespaces with preview ids. `local`: the data on this machine. */
export type Target = 'production' | 'preview' | 'local';

/** Credentials: an API token, or the user's email address and API key. */
export type Auth = { readonly token: string } | { readonly email: string; readonly apiKey: string };
