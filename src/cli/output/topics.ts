import { undoLimits } from '../../model/undo/entry.ts';
import type { OwnVariable } from '../../profiles/misspelt-variable.ts';
import { formatSize } from '../../text/size.ts';
import { formatWait, maxAttempts, maxWaitMs } from '../../v4/retry-after.ts';
import { globalFlags } from '../parsing/flags.ts';
import { topics, type WrittenTopic } from '../parsing/topics.ts';
import { exitCodeMeanings } from './exit-codes.ts';
import { flagRows, wrap } from './help.ts';

const ownVariables: Readonly<Record<OwnVariable, string>> = {
  EDGECTL_API_TOKEN: 'API token',
  EDGECTL_API_EMAIL: 'Email address of the user, required with EDGECTL_API_KEY',
  EDGECTL_API_KEY: 'API key, requires EDGECTL_API_EMAIL',
  EDGECTL_ACCOUNT_ID: 'Account to act on',
  EDGECTL_ZONE_ID: 'Zone to act on',
  EDGECTL_API_BASE_URL: 'Base URL of the platform, ending in /client/v4',
  EDGECTL_ALLOW_HTTP_HOST:
    'Comma-separated list of other hosts that may be reached without TLS, such as a sandbox in another container',
  EDGECTL_SANDBOX_DIR:
    'Folder of the sandbox (default: a folder in your home folder); --sandbox=DIR and --dir take precedence',
  EDGECTL_PROFILE: 'Profile to use instead of the active profile',
  EDGECTL_READ_ONLY: '1 refuses every change; 0 does not override a read-only profile or setting',
  EDGECTL_WEBHOOK_SECRET: 'Secret that signs the requests of hostname watch --webhook',
  EDGECTL_THEME: 'Colors of the console: auto, dark, light, high-contrast or mono; --theme takes precedence',
  EDGECTL_SCREEN_READER:
    '1: the console prints changes as lines; 0: it draws a screen; overrides the setting screen-reader',
  EDGECTL_MOUSE: '1: the console uses the mouse; 0: the terminal uses it; overrides the setting mouse',
};

/** Environment variables that edgectl reads; docs/environment.md lists them. */
export const environmentVariables: readonly (readonly [string, string])[] = [
  ...Object.entries(ownVariables),
  ['CLOUDFLARE_API_TOKEN', 'API token, used if neither EDGECTL_* credentials nor EDGECTL_PROFILE is set'],
  ['CLOUDFLARE_EMAIL', 'Email address of the user, required with CLOUDFLARE_API_KEY'],
  ['CLOUDFLARE_API_KEY', 'API key, requires CLOUDFLARE_EMAIL'],
  ['CLOUDFLARE_ACCOUNT_ID', 'Account to act on, used with CLOUDFLARE_* credentials'],
  ['CLOUDFLARE_ZONE_ID', 'Zone to act on, used with CLOUDFLARE_* credentials'],
  ['CLOUDFLARE_API_BASE_URL', 'Base URL of the platform, used with CLOUDFLARE_* credentials'],
  [
    'R2_ACCESS_KEY_ID, R2_SECRET_ACCESS_KEY, R2_ENDPOINT',
    'S3 API access key and endpoint, for objects over 300 MiB and for links (default: derived from the API token)',
  ],
  [
    'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_S3',
    'S3 API access key and endpoint, used only if the endpoint belongs to this platform; AWS_ENDPOINT_URL also works',
  ],
  [
    'HTTPS_PROXY, HTTP_PROXY',
    'Proxy for HTTPS or HTTP requests to the platform, never for requests to this machine; https_proxy and http_proxy take precedence',
  ],
  ['NO_PROXY', 'Hosts that are reached without a proxy; no_proxy takes precedence'],
  ['NODE_EXTRA_CA_CERTS', 'File with additional certificate authorities to trust'],
  [
    'COLORFGBG',
    'Colors of the terminal, used if the terminal does not report whether its background is dark or light',
  ],
  ['NO_COLOR', 'Disables colors if not empty; an explicit theme takes precedence'],
  ['EDITOR, VISUAL', 'Editor for values in the console; VISUAL takes precedence'],
  ['XDG_CONFIG_HOME', 'Base folder; profiles and settings are in its subfolder edgectl (default: ~/.config)'],
  [
    'XDG_STATE_HOME',
    'Base folder; checkpoints, tasks and undo entries are in its subfolder edgectl (default: ~/.local/state)',
  ],
  ['XDG_DATA_HOME', 'Base folder; the sandbox is in its subfolder edgectl (default: ~/.local/share)'],
  [
    'XDG_CACHE_HOME',
    'Base folder; compiled code is in its subfolder edgectl, for a faster start (default: ~/.cache)',
  ],
];

/** Configuration fields that edgectl reads; shown in docs and help. */
export const configurationKeys: readonly (readonly [string, string])[] = [
  ['name', 'Name of the worker, and prefix of the titles of its namespaces'],
  ['main', 'Entry point of the worker, relative to the configuration file'],
  ['compatibility_date', 'Compatibility date of the worker, such as 2026-11-01'],
  ['compatibility_flags', 'List of runtime flags'],
  ['workers_dev', 'false disables the workers.dev hostname of the worker'],
  ['route, routes', 'Routes of the worker'],
  ['account_id', 'Account to act on, if no flag, environment variable or --profile sets one'],
  ['zone_id', 'Zone to act on, if no flag, environment variable or --profile sets one'],
  ['kv_namespaces', 'List of entries with binding, id and preview_id'],
  [
    'objstore_buckets, r2_buckets',
    'List of entries with binding, bucket_name, preview_bucket_name and jurisdiction; objstore_buckets and r2_buckets are equivalent',
  ],
  ['vars', 'Plain variables of the worker, available on env'],
  ['env', 'Named environments with the same fields'],
];

type Paragraph = string | readonly (readonly [string, string])[];

/** The text of a topic: paragraphs and two-column tables. Manual pages use the same text. */
export const topicTexts: Readonly<Record<WrittenTopic, readonly Paragraph[]>> = {
  flags: [
    'Every command accepts these flags, before or after its words:',
    flagRows(globalFlags),
    'Every word after -- is an argument, even if it starts with a hyphen.',
    `A request that is safe to retry is sent up to ${maxAttempts} times. If the platform asks for a pause (Retry-After), edgectl waits up to ` +
      `${formatWait(maxWaitMs)} before each retry; if the platform asks for a longer pause, the command fails immediately.`,
  ],
  'exit-codes': [
    'Every command ends with one of these codes:',
    exitCodeMeanings.map(([code, about]) => [String(code), about]),
    'Code 2 means that nothing was sent, so a script can safely try again. With --json, the reason is on ' +
      'standard error as {"type":"error","error":{"code","message","hint"}}.',
  ],
  configuration: [
    'edgectl reads edgectl.toml in the working directory or above it. With -j, it reads edgectl.json (JSON with comments) instead; with ' +
      '--config, the given file. If no such file exists, edgectl reads wrangler.json, wrangler.jsonc or wrangler.toml, and prints a note.',
    'If the file belongs to another user, edgectl asks once on a terminal whether to use it. Without a terminal, edgectl refuses the file. ' +
      'To accept the file, use --config, or add its folder to the setting trusted-folders.',
    configurationKeys,
    '--env NAME selects the section [env.NAME]. An environment inherits account, zone, entry point and compatibility date, but no bindings and ' +
      'no vars. Base URLs and credentials are refused: they belong in a profile or in environment variables.',
  ],
  credentials: [
    'Credentials, account and base URL are taken as one set from the first of these sources that contains credentials. Sources are never mixed:',
    [
      ['1. --profile, --sandbox', 'on the command line'],
      ['2. EDGECTL_*', 'a token, or an email address and a key'],
      ['3. EDGECTL_PROFILE', 'the name of a profile'],
      ['4. CLOUDFLARE_*', "the same variables as for the provider's tools"],
      ['5. .edgectl-profile', 'in the working directory or above it (edgectl profile bind)'],
      ['6. the active profile', 'set with edgectl profile use'],
    ],
    'Until you accept a .edgectl-profile, on a terminal or with edgectl profile bind, its profile is read-only. If the active profile is ' +
      'read-only, the profile of the folder is read-only too.',
    'edgectl profile login NAME creates a profile. edgectl doctor shows where each value comes from and what the token is allowed to do.',
    'Environment variables:',
    environmentVariables.filter(([name]) => /^(?:EDGECTL|CLOUDFLARE)_/.test(name)),
  ],
  output: [
    'Results go to standard output. Messages go to standard error: progress, questions, warnings, and where a change was made. ' +
      'Values and objects are printed byte by byte, without an added newline.',
    'With --json, the result is one JSON value, or one per line. Each line of standard error is a JSON object with a type: note, ' +
      'warning, progress or error. --quiet omits notes and progress.',
    'On a terminal, control characters in data are escaped, for example as \\x1b, so they have no effect.',
    "To print one field of a result, use jq: edgectl hostname list --json | jq -r '.[].hostname'",
  ],
  undo: [
    'edgectl saves data that a single change deletes or overwrites. To restore it, use edgectl undo list and edgectl undo restore. ' +
      'The console always saves. Commands save single deletes, and single changes to a DNS record, a hostname or the fallback origin, unless ' +
      '--no-undo is set. kv key put, objstore object put and objstore object copy save on a terminal, or with --undo.',
    `Limits: ${undoLimits.entries} entries, ${formatSize(undoLimits.bytes)} in total, ${undoLimits.age / 86_400_000} days, in files that only you can read. ` +
      'Entries made without a terminal have separate limits of the same size. Secrets are never saved. Bulk changes are saved ' +
      'only if they go through a guard, as one entry of up to 1,000 keys or objects. To save nothing, run edgectl setting set undo off.',
  ],
  sandbox: [
    'With --sandbox, commands act on an embedded platform on this machine. The platform has its own account, zones, DNS, edge and clock, and needs ' +
      'no network and no real account. --sandbox=DIR uses the sandbox in that folder.',
    'edgectl sandbox start --demo serves demo data to any client of the v4 API. edgectl sandbox exec -- COMMAND runs ' +
      'a command, such as a test suite, against a temporary sandbox. edgectl sandbox clock advance 7d advances its clock by a week.',
    '--local is different: commands act on the local data of this project in .edgectl/state, in the Miniflare layout, without an account.',
  ],
  seed: [
    'edgectl sandbox exec --seed FILE and edgectl sandbox start --seed FILE load the data of a YAML or JSON file:',
    "namespaces: [{ title: flags, keys: [{ key: search, value: 'on', expiration_ttl: 3600 }] }]",
    'buckets: [{ name: assets, objects: [{ key: logo.svg, body: <svg/> }] }]',
    'hostnames: [{ hostname: shop.tea-house.demo, status: active, ssl: { expires_on: +3d } }]',
    'Every section is optional. Times are RFC 3339, or relative to the time of loading (+3d, -1h). If a field is invalid, its path is ' +
      'reported and nothing is loaded. docs/sandbox.md and docs/schema/seed.json in the package describe all fields.',
    'To create a seed file, use edgectl sandbox record FILE (from an account) or edgectl sandbox snapshot save FILE (from a sandbox).',
  ],
  schema: [
    "To print the JSON Schema of a command's --json result, run edgectl help schema COMMAND, for example edgectl help schema kv key get. " +
      'For the schema of the lines on standard error, run edgectl help schema stderr. docs/schema in the package contains the same schemas.',
    'edgectl help --json describes all commands: arguments, flags and their types, effect, exit codes, examples, schema. ' +
      'edgectl kv key get --help --json describes one command.',
  ],
  agents: [
    'To get descriptions as JSON:',
    [
      ['edgectl help --json', 'all commands: arguments, flags, effect, questions, exit codes, schema'],
      ['edgectl kv key --help --json', 'the commands of a group, or one command'],
      [
        'edgectl help schema kv key get',
        'the JSON Schema of a result (for notes and errors: edgectl help schema stderr)',
      ],
      ['edgectl doctor --sandbox --json', 'where commands act, with which credentials, and what is wrong'],
    ],
    'With --json, standard output is one value, or one per line, as described in the help of the command. Standard error has one ' +
      'object per line; if the exit code is not 0, the last one is the error. Base decisions on the exit code, error.code and ' +
      'error.retryable (retryAfter: seconds), because sentences can change. error.hint is often the command line to run instead.',
    'Exit codes: 0 success, 1 failed, 2 refused before anything was sent, 3 not found, 4 credentials, 5 not confirmed, 6 partly ' +
      'done, 7 a check found a fault or a difference.',
    'Practice in the sandbox, which needs no account. Without --sandbox, the same commands act on your account:',
    [
      ['edgectl kv namespace create KV --sandbox --json', 'creates worker-KV (if there is no project)'],
      [
        'edgectl kv key put a 1 --namespace worker-KV --sandbox --json',
        'reports whether it replaced a value',
      ],
      [
        'edgectl kv key get a --namespace worker-KV --sandbox --json',
        'prints value, sha256, metadata, expiration',
      ],
      ['edgectl kv key delete a --namespace worker-KV --sandbox --dry-run --json', 'shows what would change'],
      ['edgectl kv namespace delete --namespace worker-KV --sandbox --yes --json', '--yes confirms'],
      ['edgectl undo list --json', 'lists saved data; to restore it: edgectl undo restore ID'],
    ],
    'Pass long values as files or on standard input (--path FILE, --path -). Secrets cannot be arguments (use edgectl secret put NAME < ' +
      'FILE). EDGECTL_READ_ONLY=1 refuses every change. After an interruption, run the command again with --resume if it has that flag.',
  ],
  filters: [
    'Filters on the command line:',
    [
      ['--prefix TEXT', 'keys and objects that start with TEXT'],
      ['--value-contains TEXT', 'keys whose value contains TEXT; reads every value'],
      ['--expires-within DURATION', 'keys or certificates that expire soon; reads the whole list'],
      ['--status, --contains', 'hostnames for hostname list'],
      ['--status, --older-than', 'hostnames for hostname edit, refresh and delete'],
    ],
    'In the console, press / to filter a list: text, /regex/, !not or ~fuzzy. The search ignores case unless the text contains a capital letter. ' +
      'Press p to filter by prefix on the platform.',
  ],
};

/** Maximum line length of a topic, in columns. */
const width = 100;

/** Returns the help of a topic as text. */
export function topicHelp(topic: WrittenTopic): string {
  const parts = topicTexts[topic].map((part) =>
    typeof part === 'string' ? wrap(part, width).join('\n') : formatRows(part).join('\n'),
  );
  return `${[`${topics[topic]}.`, ...parts].join('\n\n')}\n`;
}

function formatRows(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(left)}  ${about}`);
}
