import type { OwnVariable } from '../../profiles/misspelt-variable.ts';

const own: Readonly<Record<OwnVariable, string>> = {
  EDGECTL_API_TOKEN: 'API token',
  EDGECTL_API_EMAIL: 'E-mail of the account, with EDGECTL_API_KEY',
  EDGECTL_API_KEY: 'API key, with EDGECTL_API_EMAIL',
  EDGECTL_ACCOUNT_ID: 'Account to act on',
  EDGECTL_ZONE_ID: 'Zone to act on',
  EDGECTL_API_BASE_URL: 'Base URL of the platform, ends in /client/v4',
  EDGECTL_ALLOW_HTTP_HOST:
    'Hosts beside this machine that may be spoken to without TLS, with commas between: a sandbox in another container',
  EDGECTL_SANDBOX_DIR: "Folder of the sandbox, instead of the user's own; --sandbox=DIR and --dir win",
  EDGECTL_PROFILE: 'Profile to use instead of the chosen one',
  EDGECTL_READ_ONLY: '1 refuses every change; 0 allows nothing that a profile or setting forbids',
  EDGECTL_WEBHOOK_SECRET: 'Secret that hostname watch --webhook signs its messages with',
  EDGECTL_THEME: 'Colours of the console: auto, dark, light, high-contrast or mono; --theme wins',
  EDGECTL_SCREEN_READER:
    '1 writes what changes in the console as lines, 0 draws a screen whatever the settings say',
  EDGECTL_MOUSE: '1 lets the console take the mouse, 0 leaves it to the terminal whatever the settings say',
};

/** Environment variables that edgectl reads; docs/environment.md shows them. */
export const environmentVariables: readonly (readonly [string, string])[] = [
  ...Object.entries(own),
  ['CLOUDFLARE_API_TOKEN', 'Read when no EDGECTL_* credentials are set'],
  ['CLOUDFLARE_EMAIL', 'The same, with CLOUDFLARE_API_KEY'],
  ['CLOUDFLARE_API_KEY', 'The same, with CLOUDFLARE_EMAIL'],
  ['CLOUDFLARE_ACCOUNT_ID', 'Account that goes with CLOUDFLARE_* credentials'],
  ['CLOUDFLARE_ZONE_ID', 'Zone that goes with CLOUDFLARE_* credentials'],
  ['CLOUDFLARE_API_BASE_URL', 'Base URL that goes with CLOUDFLARE_* credentials'],
  [
    'R2_ACCESS_KEY_ID, R2_SECRET_ACCESS_KEY, R2_ENDPOINT',
    'Access key of the S3 API, for objects above 300 MiB and links, in the place of the one derived from the API token',
  ],
  [
    'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_S3',
    "The same, where the endpoint is this platform's own; AWS_ENDPOINT_URL counts too",
  ],
  [
    'HTTPS_PROXY, HTTP_PROXY',
    'Proxy for https (http) requests to the platform; https_proxy and http_proxy win. This machine is never reached through one',
  ],
  ['NO_PROXY', 'Hosts that no proxy is used for; no_proxy wins'],
  ['NODE_EXTRA_CA_CERTS', 'File of further certificate authorities to trust'],
  ['COLORFGBG', 'Colours of the terminal, where it does not say itself whether it is dark or light'],
  ['NO_COLOR', 'No colours, when it is not empty; a theme that is named wins'],
  ['EDITOR, VISUAL', 'Editor that the console opens a value in'],
  ['XDG_CONFIG_HOME', 'Profiles lie in edgectl below it (~/.config)'],
  [
    'XDG_STATE_HOME',
    'Checkpoints and tasks, with the names they are about, lie in edgectl below it (~/.local/state)',
  ],
  ['XDG_DATA_HOME', 'The sandbox lies in edgectl below it (~/.local/share)'],
  [
    'XDG_CACHE_HOME',
    'Compiled code is kept in edgectl below it (~/.cache), so that the next start is faster',
  ],
];
