import type { RemedyTexts } from '../../model/remedy.ts';
import { workerPackages } from '../../model/workers/packages.ts';
import { commandLine, shellWord } from '../../text/shell.ts';

const findIdAdvice = (at: string) => ({
  account: `edgectl${at} whoami shows the ids of the accounts that the credentials reach.`,
  zone: 'Without it, edgectl finds the zone automatically or lists the ids; --zone takes a name.',
  namespace: `edgectl${at} kv namespace list shows the ids; --binding takes a name.`,
});

const ports = {
  api: '--port',
  dns: '--dns-port',
  'edge-tls': '--edge-tls-port',
  proxy: '--proxy-port',
} as const;

const otherFolderAdvice = 'Data that lie elsewhere are named: --persist-to DIR, of a sandbox --dir DIR.';

/** The flags and variables that choose each folder. */
const folderFlags = {
  sandbox: '--sandbox=DIR or EDGECTL_SANDBOX_DIR for a sandbox',
  local: '--persist-to DIR for local data',
  state: 'XDG_STATE_HOME for the state of edgectl',
  data: 'XDG_DATA_HOME for its data',
  config: 'XDG_CONFIG_HOME for its profiles and settings',
  cache: 'XDG_CACHE_HOME for its cache',
} as const;

function formatFolderFlags(of: keyof typeof folderFlags | undefined): string {
  return of === undefined ? Object.values(folderFlags).join('; ') : folderFlags[of];
}

/** Flags that choose where and as whom a command acts, and whether a value follows each. */
const placeFlags: ReadonlyMap<string, boolean> = new Map([
  ['--sandbox', false],
  ['--profile', true],
  ['--account-id', true],
  ['--zone-id', true],
  ['--api-base-url', true],
  ['--config', true],
  ['-c', true],
  ['--env', true],
  ['-e', true],
  ['--experimental-json-config', false],
  ['-j', false],
]);

/** Returns the flags of a command line that choose its place, so that a command it recommends acts there too. */
export function keepPlaceFlags(argv: readonly string[], more: readonly string[] = []): readonly string[] {
  const end = argv.indexOf('--');
  const typed = end === -1 ? argv : argv.slice(0, end);
  return typed.flatMap((word, at) => {
    const [name = ''] = word.split('=', 1);
    const takesValue = more.includes(name) || placeFlags.get(name);
    if (takesValue === undefined) return [];
    const value = takesValue && name === word ? typed.slice(at + 1, at + 2) : [];
    return [word, ...value];
  });
}

/** Like `keepPlaceFlags`, for commands on custom hostnames: includes the zone. */
export function keepZoneFlags(argv: readonly string[]): readonly string[] {
  return keepPlaceFlags(argv, ['--zone']);
}

function formatArguments(words: readonly string[]): string {
  return words.map((word) => ` ${shellWord(word)}`).join('');
}

/**
 * Texts of remedies for the command line: the only place that names flags for services. Recommended commands act where this one
 * does; if a word of this command is wrong, the whole corrected line is shown.
 */
export function remedyTextsFor(argv: readonly string[]): RemedyTexts {
  const at = formatArguments(keepPlaceFlags(argv));
  const inZone = formatArguments(keepZoneFlags(argv));
  return {
    'report-fault': () =>
      'This is a fault of edgectl. Run the command again with --debug and report what it prints.',
    'allow-changes': () => 'edgectl profile list and edgectl setting list show what is read-only.',
    'install-workers': () =>
      `Install the packages for workers next to edgectl: npm install -g ${workerPackages.join(' ')} (without -g where edgectl is in a project).`,
    'install-package': () => 'It comes with the npm package of edgectl.',
    'check-network': () =>
      'Check the network, HTTPS_PROXY and the base URL (--api-base-url, EDGECTL_API_BASE_URL, or that of the profile).',
    'look-at-sandbox': () => 'Is the sandbox running? edgectl sandbox status',

    'sign-in': () =>
      'Set EDGECTL_API_TOKEN, or sign in (edgectl profile login NAME --use), or try without an account: --sandbox.',
    'choose-profile': ({ names }) =>
      `Choose another: edgectl profile use NAME. There are: ${names.join(', ')}.`,
    'name-profile': () => 'Name one with --profile, or remove that file if you did not make it.',
    'accept-profile': ({ file }) =>
      `Check ${file}, and run a command on a terminal here: edgectl asks once. Or bind the folder yourself (edgectl profile bind NAME), or name the profile with --profile.`,
    'bind-another': ({ names }) =>
      `Bind another: edgectl profile bind NAME, or none: edgectl profile unbind. There are: ${names.join(', ')}.`,
    'keep-unverified': () => 'To save them anyway, add --no-verify.',
    'replace-profile': () => 'Replace it with --replace, or choose another name.',
    'give-account': () => 'Give the account with --account-id, or use a token that has one.',
    'choose-account': () =>
      'Choose one with --account-id, EDGECTL_ACCOUNT_ID, account_id in the configuration, or in the profile.',
    'find-id': ({ of, folderWith }) =>
      folderWith === undefined
        ? findIdAdvice(at)[of]
        : `${findIdAdvice(at)[of]} With --${folderWith} it would be the name of a folder of local data.`,
    'add-permission': ({ permission }) =>
      `Where it is needed, give the token "${permission}" in the dashboard, or make another token: edgectl profile login.`,
    'new-token': () => 'Make a new token, and keep it: edgectl profile login NAME --replace',
    'check-ids': ({ asked, source }) =>
      `Asked for ${asked}, with the credentials of ${source}: check the id (--account-id, --zone-id). If it is right, this server does not have the route.`,
    'look-elsewhere': ({ namespace, where, source }) =>
      `Namespace ${namespace} is not in ${where} of ${source}: edgectl${at} kv namespace list shows what is; --account-id and --profile look elsewhere.`,

    'demo-data': () =>
      'Demo data in a folder, for --sandbox=DIR: edgectl sandbox exec --demo --dir DIR -- true   Served: edgectl sandbox start --demo',
    'name-config': ({ file }) => `Create ${file}, or name a file with --config.`,
    'make-config': ({ file, name }) => {
      const text = file.endsWith('.json') ? `{ "name": "${name}" }` : `name = "${name}"`;
      return `To make one: echo '${text}' > ${file}   Or leave --update-config out.`;
    },
    'bind-or-name': ({ file }) =>
      `Create ${file}, or name a file with --config, or name the namespace by --namespace-id: edgectl${at} kv namespace list shows the ids.`,
    'accept-config': ({ file, folders }) =>
      `Check the file. To use it once: --config ${shellWord(file)}. To trust its folder: edgectl setting set trusted-folders ${shellWord(folders)}`,
    'add-config': () => 'Write an edgectl.toml next to it with the names and ids, or use flags.',
    'read-json-config': ({ file }) => `${file} is read with --experimental-json-config (-j).`,
    'leave-site': () => 'edgectl does not support static-site projects. Name another file with --config.',
    'keep-in-profile': () =>
      'Keep it in a profile (edgectl profile add) or in the environment; a file gives account_id and zone_id.',
    'add-binding-id': ({ binding, preview, other }) =>
      `Add ${preview ? 'preview_id' : 'id'} = "<namespace id>" beside binding = "${binding}"` +
      (other ? `, or ${preview ? 'omit --preview' : 'use --preview'}.` : '.'),
    'edit-binding': ({ key }) =>
      `Leave --update-config out and change the file yourself, or take its ${key} out first.`,
    'allow-writing': () =>
      'Allow it with chmod u+w, or leave --update-config out and change the file yourself.',
    'remove-by-hand': () => 'Leave --update-config out, and remove the entry by hand.',

    'choose-folder': ({ of, instead }) =>
      `${instead === undefined ? 'Allow yourself to write there' : instead.replace(/\.$/, '')}, or name another folder: ${formatFolderFlags(of)}.`,
    'name-local-folder': ({ folder }) => `If these data are meant, name them: --persist-to ${folder}`,
    'leave-data': () =>
      'Another version of Miniflare made it. Use another folder with --persist-to, or a newer edgectl.',
    'remove-stranger': () => `Remove it if you did not make it. ${otherFolderAdvice}`,
    'copy-files': () =>
      `A copy made of hard links (cp -al) is read-only; copy the files themselves: cp -r. ${otherFolderAdvice}`,
    'make-sandbox': ({ folder }) =>
      folder === undefined
        ? 'Make one: edgectl sandbox start.'
        : `Make one: edgectl sandbox start --dir ${shellWord(folder)}`,
    'start-sandbox': ({ folder }) =>
      `Start one in another terminal: edgectl sandbox start --dir ${shellWord(folder)}`,
    'update-sandbox': () => 'Start the sandbox once to bring it up to date: edgectl sandbox start.',
    'reset-sandbox': () => 'Start again: edgectl sandbox reset.',
    'name-sandbox': () => 'Name its folder with --dir, or make one: edgectl sandbox start.',
    'choose-port': ({ of }) => `Choose another with ${ports[of]} N, or any free one with ${ports[of]} 0.`,

    'write-any-key': () => 'Write it anyway with --any-key.',
    'take-existing': () => 'Use the existing one with --if-not-exists, or choose another name.',
    'skip-wrong': () => 'Correct them, or leave them out with --skip-invalid.',
    'start-anew': () => 'Start from the beginning, without --resume.',
    'name-destination': () =>
      'Name another one with --to-binding or --to-namespace-id, and its place with --to-local or --to-profile.',
    'choose-existing': ({ resume }) =>
      'Choose what becomes of them: --on-conflict skip, or --on-conflict overwrite.' +
      (resume.length === 0 ? '' : ` To resume the interrupted copy: ${commandLine(resume)}`),

    'empty-bucket': () => 'Delete its objects first with --empty-first.',
    'choose-bucket': () =>
      `edgectl${at} objstore bucket list shows those there are; edgectl${at} objstore bucket create makes one.`,
    'upload-folder': () => 'Upload a folder with --recursive.',
    'read-pipe': () => 'Read a pipe with --path -.',
    'download-alone': () => 'Download it separately with --file.',
    'download-many': () => 'Name a file in it, or download many objects with --recursive.',

    'deploy-worker': ({ name }) => `Deploy it first: edgectl${at} deploy --name ${name}`,
    'deploy-newest': ({ name }) =>
      `It runs an older version. Deploy it again, or run its newest one, which edgectl${at} worker deployments ${name} shows: edgectl${at} worker rollback ${name} VERSION`,
    'list-workers': () => `Those that there are: edgectl${at} worker list`,
    'give-compatibility-date': () => 'Add it, or give --compatibility-date 2026-11-01.',
    'trust-folder': ({ folders }) =>
      `Remove the import, or trust the folder: edgectl setting set trusted-folders ${shellWord(folders)}`,
    'name-worker': () => 'Add it, or name the worker with --name.',
    'name-entry': () => `Add it, or name a file: edgectl${at} deploy src/index.ts`,
    'bind-namespace': ({ binding }) => `edgectl${at} kv namespace create ${binding} shows one.`,
    'bind-bucket': () => `edgectl${at} objstore bucket list shows one.`,
    'create-namespace': ({ binding }) =>
      `Take its id out of the configuration, and create one: edgectl${at} kv namespace create ${binding} --update-config`,
    'create-bucket': ({ bucket }) => `Create it: edgectl${at} objstore bucket create ${bucket}`,
    'delete-secret': ({ secret, worker }) =>
      `Rename the binding, or delete the secret first: edgectl${at} secret delete ${secret} --name ${worker}`,
    'init-elsewhere': () => 'Name an empty folder: edgectl init my-worker',

    diagnose: ({ hostname }) => `edgectl${inZone} hostname diagnose ${hostname}`,
    'plan-again': () => `Plan again: edgectl${inZone} hostname reconcile --file FILE --plan`,
    'name-alone': ({ typed, name }) =>
      argv.includes(typed)
        ? `Did you mean ${commandLine(argv.map((word) => (word === typed ? name : word)))}?`
        : `Give its hostname alone: ${name}`,
    'explain-missing': ({ hostname }) =>
      `Why that is, and what to do: edgectl${inZone} hostname diagnose ${hostname}`,
    'show-hostname': ({ hostname }) => `It is in this zone: edgectl${inZone} hostname get ${hostname}`,
    'await-issuance': ({ seconds }) =>
      `Wait ${seconds} seconds; "hostname create --file" stays below the limit automatically.`,
    'raise-quota': () =>
      `Delete hostnames that are dead, or have the quota raised: edgectl${inZone} hostname quota.`,
    'make-origin-record': () =>
      `Make its proxied A, AAAA or CNAME record in the zone first: edgectl${at} zone record set ORIGIN A ADDRESS --proxied`,
    'add-wildcard': () => 'Give the name without "*." and add --wildcard.',
    'leave-metadata': () =>
      'Metadata takes an Enterprise plan: leave --metadata out, or ask the platform for access to it.',
    'leave-wildcard-metadata': () =>
      'The zone has opted out of metadata for wildcards: leave --metadata out, or create the hostnames below one by one; or ask the platform to take it back.',
    'leave-origin': () =>
      'The zone may not set origins of hostnames: leave --origin out, so that the fallback origin takes it, or ask the platform for access to it.',
    'leave-authority': () => 'Choosing an authority takes an Enterprise plan: leave --ca out.',
    'add-branding': () => "Add --branding: the provider's generic name becomes the Common Name.",
    'edit-hostname': () => `edgectl${inZone} hostname edit changes settings of one that is there.`,
    'export-world': () => `Such a file is written by: edgectl hostname export-world FILE`,

    'list-kept': () => 'To see what can be restored: edgectl undo list',
    'change-without-undo': () => 'Nothing was changed. To change it without saving the old state: --no-undo',

    'replace-file': () => 'Name another file, or replace it: --force',

    'earlier-run': () =>
      'An earlier run was interrupted; this one starts from the beginning (--resume continues the earlier one).',
    stopping: () => 'Stopping after the requests in flight. Press Ctrl-C again to stop immediately.',
  };
}
