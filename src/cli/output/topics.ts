import { undoLimits } from '../../model/undo/entry.ts';
import { formatSize } from '../../text/size.ts';
import { globalFlags } from '../parsing/flags.ts';
import { type Topic, topics } from '../parsing/topics.ts';
import { configurationKeys } from './configuration.ts';
import { environmentVariables } from './environment.ts';
import { exitCodeMeanings } from './exit-codes.ts';
import { flagRows } from './help.ts';

type Paragraph = string | readonly (readonly [string, string])[];

/** The text of a subject: paragraphs, and tables of two columns. Man pages are made of the same. */
export const topicTexts: Readonly<Record<Topic, readonly Paragraph[]>> = {
  flags: [
    'Every command takes these, before or after its words:',
    flagRows(globalFlags),
    'A word after -- is an argument, whatever it begins with.',
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
  filters: [
    'At the command line the platform filters, where it can:',
    [
      ['--prefix TEXT', 'keys and objects that begin so'],
      ['--value-contains TEXT', 'keys whose value contains it; each value is read'],
      ['--status, --contains', 'hostnames, and many at once with edit, refresh and delete'],
    ],
    'In the console / filters a list: a text, /regex/, !not, ~fuzzy. Lower case ignores case, a capital makes it exact. p asks ' +
      'the platform for a prefix.',
  ],
};

/** Longest line of a text, in columns. */
const width = 100;

/** Help of a subject, as text for people. */
export function topicHelp(topic: Topic): string {
  const parts = topicTexts[topic].map((part) =>
    typeof part === 'string' ? wrapped(part) : rowsOf(part).join('\n'),
  );
  return `${[`${topics[topic]}.`, ...parts].join('\n\n')}\n`;
}

function rowsOf(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(left)}  ${about}`);
}

function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
