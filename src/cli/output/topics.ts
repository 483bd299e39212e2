import { undoLimits } from '../../model/undo/entry.ts';
import type { OwnVariable } from '../../profiles/misspelt-variable.ts';
import { formatSize } from '../../text/size.ts';
import { longestWait, mostAttempts, waitWords } from '../../v4/retry-after.ts';
import { globalFlags } from '../parsing/flags.ts';
import { topics, type WrittenTopic } from '../parsing/topics.ts';
import { exitCodeMeanings } from './exit-codes.ts';
import { flagRows, wrap } from './help.ts';

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

/** Fields of a configuration file that edgectl reads, as docs and help show them. */
export const configurationKeys: readonly (readonly [string, string])[] = [
  ['name', 'Name of the worker, and the first part of the titles of its namespaces'],
  ['main', 'Entry point of the worker, from the file'],
  ['compatibility_date', 'Date whose behaviour the worker has, as 2026-11-01'],
  ['compatibility_flags', 'List of flags of the runtime'],
  ['workers_dev', 'false keeps the worker from a hostname of its own'],
  ['route, routes', 'Addresses at which the worker is visited'],
  ['account_id', 'Account to act on, where neither flag, environment nor a typed profile says one'],
  ['zone_id', 'Zone to act on, likewise'],
  ['kv_namespaces', 'List of binding, id, preview_id'],
  [
    'objstore_buckets, r2_buckets',
    'List of binding, bucket_name, preview_bucket_name; both names mean the same',
  ],
  ['vars', 'Plain values that the worker finds on env'],
  ['env', 'Sections of the same fields, each by its name'],
];

type Paragraph = string | readonly (readonly [string, string])[];

/** The text of a subject: paragraphs, and tables of two columns. Man pages are made of the same. */
export const topicTexts: Readonly<Record<WrittenTopic, readonly Paragraph[]>> = {
  flags: [
    'Every command takes these, before or after its words:',
    flagRows(globalFlags),
    'A word after -- is an argument, whatever it begins with.',
    `A request that is safe to repeat is sent up to ${mostAttempts} times. If the platform asks to wait (Retry-After), edgectl waits up to ` +
      `${waitWords(longestWait)} before each retry; if it asks for longer, the command fails immediately.`,
  ],
  'exit-codes': [
    'Every command ends with one of these codes:',
    exitCodeMeanings.map(([code, about]) => [String(code), about]),
    'Code 2 means that nothing was sent, so that a script can try again without a doubt. With --json the reason stands on ' +
      'standard error as {"type":"error","error":{"code","message","hint"}}.',
  ],
  configuration: [
    'edgectl.toml in the working directory or above it; edgectl.json, with comments, with -j; or a file named with ' +
      '--config. Where there is none, wrangler.json, wrangler.jsonc or wrangler.toml is read, and a note says so.',
    'A file of another user is not used: edgectl asks once at a terminal, and refuses it elsewhere unless it is named with ' +
      '--config or is in a folder of the setting trusted-folders.',
    configurationKeys,
    'A section [env.NAME] is chosen with --env NAME. It inherits account, zone, entry point and date, but no bindings and ' +
      'no vars. Addresses and credentials are refused in it: they belong into a profile or the environment.',
  ],
  credentials: [
    'Credentials, account and address come as one set from the first of these that has them, and are never mixed:',
    [
      ['1. --profile, --sandbox', 'typed'],
      ['2. EDGECTL_*', 'a token, or e-mail and key'],
      ['3. EDGECTL_PROFILE', 'the name of a profile'],
      ['4. CLOUDFLARE_*', 'as for the tools of the provider'],
      ['5. .edgectl-profile', 'in the working directory or above it: edgectl profile bind'],
      ['6. the chosen profile', 'edgectl profile use'],
    ],
    'A .edgectl-profile that the user has not accepted, on a terminal or by edgectl profile bind, only reads. A read-only ' +
      'chosen profile stays read-only there.',
    'edgectl profile login NAME makes a profile; edgectl doctor says where each value comes from and what the token may do.',
    'Variables:',
    environmentVariables.filter(([name]) => /^(?:EDGECTL|CLOUDFLARE)_/.test(name)),
  ],
  output: [
    'The answer goes to standard output, everything else to standard error: progress, questions, warnings, and where ' +
      'something is changed. A value or an object is printed byte by byte, without a line feed of ours.',
    'With --json the answer is one JSON value, and each line of standard error one JSON object with a type: note, ' +
      'warning, progress, error. --quiet leaves out notes and progress.',
    'What comes from outside is escaped on a terminal: a control character shows as \\x1b, and does nothing.',
    "For one field of an answer, use jq: edgectl hostname list --json | jq -r '.[].hostname'",
  ],
  undo: [
    'What a single change deletes or replaces is saved, and can be put back where it was: edgectl undo list, edgectl undo ' +
      'restore. The console saves it always. Commands save single deletes, and changes of a DNS record, a hostname or the ' +
      'fallback origin, unless --no-undo; kv key put, objstore object put and copy on a terminal, or with --undo.',
    `Up to ${undoLimits.entries} entries, ${formatSize(undoLimits.bytes)} in all, for ${undoLimits.age / 86_400_000} days, in files that only you can read; ` +
      'entries made without a terminal have the same limits for themselves. Many things at once and secrets are never ' +
      'saved. edgectl setting set undo off saves nothing.',
  ],
  sandbox: [
    '--sandbox acts on an embedded platform on this machine: an account with zones, DNS, an edge and a clock of its own. ' +
      'It needs no network and no account. --sandbox=DIR is the one in that folder.',
    'edgectl sandbox start --demo serves one with data, for any client of the v4 API; edgectl sandbox exec -- COMMAND runs ' +
      'a test suite against one that is made for it. edgectl sandbox clock advance 7d lets a week pass.',
    '--local is something else: the data of this project in .edgectl/state, in the layout of Miniflare, without an account.',
  ],
  seed: [
    'edgectl sandbox exec --seed FILE and edgectl sandbox start --seed FILE begin with what a YAML or JSON file holds:',
    "namespaces: [{ title: flags, keys: [{ key: search, value: 'on', expiration_ttl: 3600 }] }]",
    'buckets: [{ name: assets, objects: [{ key: logo.svg, body: <svg/> }] }]',
    'hostnames: [{ hostname: shop.tea-house.demo, status: active, ssl: { expires_on: +3d } }]',
    'All may be left out. Times are RFC 3339, or so much before or after the loading. A wrong field is told by its path, and ' +
      'nothing is loaded then. docs/sandbox.md and docs/schema/seed.json of the package have all fields.',
    'edgectl sandbox record FILE writes such a file of an account, edgectl sandbox snapshot save FILE of a sandbox.',
  ],
  schema: [
    'edgectl help schema kv key get prints the JSON Schema of what that command answers with --json; edgectl help schema ' +
      'stderr that of the lines on standard error. The package has the same in docs/schema.',
    'edgectl help --json describes all commands: arguments, flags and their types, effect, exit codes, examples, schema. ' +
      'edgectl kv key get --help --json describes one.',
  ],
  agents: [
    'Ask the program, as data:',
    [
      ['edgectl help --json', 'all commands: arguments, flags, effect, questions, exit codes, schema'],
      ['edgectl kv key --help --json', 'those of a group, or one'],
      [
        'edgectl help schema kv key get',
        'the JSON Schema of an answer; help schema stderr, of notes and errors',
      ],
      ['edgectl doctor --sandbox --json', 'where a command would act, as whom, and what is wrong'],
    ],
    'With --json standard output has one value, or one on each line, as the help of the command says. Standard error has an ' +
      'object on each line; the last one is the error where the exit code is not 0. Decide by exit code, error.code and ' +
      'error.retryable (retryAfter: seconds); sentences change. error.hint often is the command line to run instead.',
    'Exit codes: 0 done, 1 failed, 2 refused before anything was sent, 3 not found, 4 credentials, 5 not confirmed, 6 partly ' +
      'done, 7 a check found something.',
    'Practise on the sandbox, which needs no account; leave --sandbox out to act for real:',
    [
      ['edgectl kv namespace create KV --sandbox --json', 'its title is worker-KV without a project'],
      ['edgectl kv key put a 1 --namespace worker-KV --sandbox --json', 'says what it replaced'],
      ['edgectl kv key get a --namespace worker-KV --sandbox --json', 'value, sha256, metadata, expiration'],
      ['edgectl kv key delete a --namespace worker-KV --sandbox --dry-run --json', 'what would be sent'],
      [
        'edgectl kv namespace delete --namespace worker-KV --sandbox --yes --json',
        '--yes answers the question',
      ],
      ['edgectl undo list --json', 'what single changes took away; edgectl undo restore ID'],
    ],
    'Values come from files or standard input (--path FILE, --path -), secrets never from arguments (edgectl secret put NAME < ' +
      'FILE). EDGECTL_READ_ONLY=1 refuses every change. Repeat what was interrupted with --resume where help has it.',
  ],
  filters: [
    'At the command line the platform filters, where it can:',
    [
      ['--prefix TEXT', 'keys and objects that begin so'],
      ['--value-contains TEXT', 'keys whose value contains it; each value is read'],
      ['--expires-within DURATION', 'keys, or certificates of hostnames, that expire soon; all are read'],
      ['--status, --contains', 'hostnames that hostname list shows'],
      ['--status, --older-than', 'hostnames that hostname edit, refresh and delete change'],
    ],
    'In the console / filters a list: a text, /regex/, !not, ~fuzzy. Lower case ignores case, a capital makes it exact. p asks ' +
      'the platform for a prefix.',
  ],
};

/** Longest line of a text, in columns. */
const width = 100;

/** Help of a subject, as text for people. */
export function topicHelp(topic: WrittenTopic): string {
  const parts = topicTexts[topic].map((part) =>
    typeof part === 'string' ? wrap(part, width).join('\n') : rowsOf(part).join('\n'),
  );
  return `${[`${topics[topic]}.`, ...parts].join('\n\n')}\n`;
}

function rowsOf(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(left)}  ${about}`);
}
