import type { RemedyTexts } from '../../model/remedy.ts';
import { workerPackages } from '../../model/workers/packages.ts';
import { commandLine, shellWord } from '../../text/shell.ts';

const findIdAdvice = (at: string) => ({
  account: `edgectl${at} whoami shows the ids of the accounts that the credentials can access.`,
  zone: 'Without an id, edgectl finds the zone automatically or lists the ids; --zone takes a name.',
  namespace: `edgectl${at} kv namespace list shows the ids; --binding takes a name.`,
});

const ports = {
  api: '--port',
  dns: '--dns-port',
  'edge-tls': '--edge-tls-port',
  proxy: '--proxy-port',
} as const;

const otherFolderAdvice = 'To use data in another folder: --persist-to DIR; for a sandbox, --dir DIR.';

/** The flags and variables that choose each folder. */
const folderFlags = {
  sandbox: '--sandbox=DIR or EDGECTL_SANDBOX_DIR for a sandbox',
  local: '--persist-to DIR for local data',
  state: "XDG_STATE_HOME for edgectl's state",
  data: "XDG_DATA_HOME for edgectl's data",
  config: 'XDG_CONFIG_HOME for profiles and settings',
  cache: 'XDG_CACHE_HOME for the cache',
} as const;

function formatFolderFlags(of: keyof typeof folderFlags | undefined): string {
  return of === undefined ? Object.values(folderFlags).join('; ') : folderFlags[of];
}

/** Flags that choose the account, the sandbox, the credentials or the configuration, and whether a value follows each flag. */
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

/**
 * Returns the flags of a command line that choose the account, the sandbox, the credentials or the configuration, so that a recommended
 * command with these flags acts on the same data.
 */
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
 * Returns the wording of remedies on the command line. Services do not contain names of flags; this module adds these names. Recommended
 * commands act on the same data as the running command. If a word in the running command is wrong, the whole corrected line is shown.
 */
export function remedyTextsFor(argv: readonly string[]): RemedyTexts {
  const at = formatArguments(keepPlaceFlags(argv));
  const inZone = formatArguments(keepZoneFlags(argv));
  return {
    'report-fault': () =>
      'This is a bug in edgectl. Run the command again with --debug and report what it prints.',
    'allow-changes': () => 'edgectl profile list and edgectl setting list show what is read-only.',
    'install-workers': () =>
      `Install the packages for workers next to edgectl: npm install -g ${workerPackages.join(' ')} (without -g if edgectl is installed in a project).`,
    'install-package': () => 'The file is included in the npm package of edgectl.',
    'check-network': () =>
      'Check the network, HTTPS_PROXY and the base URL (from --api-base-url, EDGECTL_API_BASE_URL or the profile).',
    'look-at-sandbox': () => 'To check whether the sandbox is running: edgectl sandbox status',

    'sign-in': () =>
      'Set EDGECTL_API_TOKEN, or sign in (edgectl profile login NAME --use), or try without an account: --sandbox.',
    'choose-profile': ({ names }) =>
      `Choose another profile: edgectl profile use NAME. Profiles: ${names.join(', ')}.`,
    'name-profile': () =>
      'Choose a profile with --profile. If you did not create the file that selects the profile, delete the file.',
    'accept-profile': ({ file }) =>
      `Check ${file}, and run a command here on a terminal: edgectl asks once. Alternatively, bind the folder yourself (edgectl profile bind NAME), or name the profile with --profile.`,
    'bind-another': ({ names }) =>
      `Bind another profile: edgectl profile bind NAME; to bind none: edgectl profile unbind. Profiles: ${names.join(', ')}.`,
    'keep-unverified': () => 'To save the credentials anyway, add --no-verify.',
    'replace-profile': () => 'Overwrite the profile with --replace, or choose another name.',
    'give-account': () => 'Use --account-id, or a token that can access an account.',
    'choose-account': () =>
      'Choose an account with --account-id, EDGECTL_ACCOUNT_ID, or account_id in the configuration or the profile.',
    'find-id': ({ of, folderWith }) =>
      folderWith === undefined
        ? findIdAdvice(at)[of]
        : `${findIdAdvice(at)[of]} With --${folderWith}, the value is the name of a local data folder.`,
    'add-permission': ({ permission }) =>
      `If needed, add the permission "${permission}" to the token in the dashboard, or create another token: edgectl profile login.`,
    'new-token': () => 'Create a new token: edgectl profile login NAME --replace',
    'check-ids': ({ asked, source }) =>
      `Requested ${asked} with the credentials of ${source}: check the id (--account-id, --zone-id). If the id is correct, this server does not support the request.`,
    'look-elsewhere': ({ namespace, where, source }) =>
      `Namespace ${namespace} is not in ${where} of ${source}: edgectl${at} kv namespace list shows the existing namespaces. For another account, use --account-id or --profile.`,

    'demo-data': () =>
      'To create demo data for --sandbox=DIR: edgectl sandbox exec --demo --dir DIR -- true   To serve demo data: edgectl sandbox start --demo',
    'name-config': ({ file }) => `Create ${file}, or choose a file with --config.`,
    'make-config': ({ file, name }) => {
      const text = file.endsWith('.json') ? `{ "name": "${name}" }` : `name = "${name}"`;
      return `To create the file: echo '${text}' > ${file}   Or omit --update-config.`;
    },
    'bind-or-name': ({ file }) =>
      `Create ${file}, choose a file with --config, or choose the namespace with --namespace-id: edgectl${at} kv namespace list shows the ids.`,
    'accept-config': ({ file, folders }) =>
      `Check the file. To use it once: --config ${shellWord(file)}. To trust its folder: edgectl setting set trusted-folders ${shellWord(folders)}`,
    'add-config': () => 'Create an edgectl.toml in the same folder, with the names and ids; or use flags.',
    'read-json-config': ({ file }) => `${file} is read with --experimental-json-config (-j).`,
    'leave-site': () => 'edgectl does not support static-site projects. Choose another file with --config.',
    'keep-in-profile': () =>
      'Save credentials and base URL in a profile (edgectl profile add) or in the environment; the file may contain only account_id and zone_id.',
    'add-binding-id': ({ binding, preview, other }) =>
      `Add ${preview ? 'preview_id' : 'id'} = "<namespace id>" next to binding = "${binding}"` +
      (other ? `, or ${preview ? 'omit --preview' : 'use --preview'}.` : '.'),
    'edit-binding': ({ key }) =>
      `Omit --update-config and edit the file yourself, or remove ${key} from the file first.`,
    'allow-writing': () =>
      'Make the file writable with chmod u+w, or omit --update-config and edit the file yourself.',
    'remove-by-hand': () => 'Omit --update-config, and remove the entry from the file yourself.',

    'choose-folder': ({ of, instead }) =>
      `${instead === undefined ? 'Give yourself write permission' : instead.replace(/\.$/, '')}, or choose another folder: ${formatFolderFlags(of)}.`,
    'name-local-folder': ({ folder }) => `To use this data: --persist-to ${folder}`,
    'leave-data': () =>
      'Another version of Miniflare created the data. Use another folder with --persist-to, or a newer edgectl.',
    'remove-stranger': () => `Delete the path if you did not create it. ${otherFolderAdvice}`,
    'copy-files': () =>
      `A copy with hard links (cp -al) is read-only; copy the files themselves: cp -r. ${otherFolderAdvice}`,
    'make-sandbox': ({ folder }) =>
      folder === undefined
        ? 'Create a sandbox: edgectl sandbox start'
        : `Create a sandbox: edgectl sandbox start --dir ${shellWord(folder)}`,
    'start-sandbox': ({ folder }) =>
      `Start a server in another terminal: edgectl sandbox start --dir ${shellWord(folder)}`,
    'update-sandbox': () => 'To upgrade its data, start the sandbox once: edgectl sandbox start',
    'reset-sandbox': () => 'Reset the sandbox: edgectl sandbox reset',
    'name-sandbox': () => 'Choose the sandbox folder with --dir, or create a sandbox: edgectl sandbox start',
    'choose-port': ({ of }) =>
      `Choose another port with ${ports[of]} N, or any free port with ${ports[of]} 0.`,

    'write-any-key': () => 'Write the key anyway with --any-key.',
    'take-existing': () => 'To use the existing resource, add --if-not-exists; or choose another name.',
    'skip-wrong': () => 'Correct the invalid entries, or skip them with --skip-invalid.',
    'start-anew': () => 'Start from the beginning, without --resume.',
    'name-destination': () =>
      'Choose another namespace with --to-binding or --to-namespace-id. For a namespace in local data or another account, add --to-local or --to-profile.',
    'choose-existing': ({ resume }) =>
      'Skip or overwrite existing keys: --on-conflict skip, or --on-conflict overwrite.' +
      (resume.length === 0 ? '' : ` To resume the interrupted copy: ${commandLine(resume)}`),

    'empty-bucket': () => 'Delete the objects in the bucket first with --empty-first.',
    'choose-bucket': () =>
      `edgectl${at} objstore bucket list shows existing buckets; edgectl${at} objstore bucket create creates one.`,
    'upload-folder': () => 'Upload a folder with --recursive.',
    'read-pipe': () => 'Read a pipe with --path -.',
    'download-alone': () => 'Download the object separately with --file.',
    'download-many': () => 'Choose a file in the folder, or download many objects with --recursive.',

    'deploy-worker': ({ name }) => `Deploy the worker first: edgectl${at} deploy --name ${name}`,
    'deploy-newest': ({ name }) =>
      `The worker runs an older version. Deploy the worker again, or roll forward to its newest version (edgectl${at} worker deployments ${name} lists versions): edgectl${at} worker rollback ${name} VERSION`,
    'list-workers': () => `To list the workers: edgectl${at} worker list`,
    'give-compatibility-date': () =>
      'Add compatibility_date to the configuration, or use --compatibility-date 2026-11-01.',
    'trust-folder': ({ folders }) =>
      `Remove the import, or trust the folder: edgectl setting set trusted-folders ${shellWord(folders)}`,
    'name-worker': () => 'Add name to the configuration, or use --name.',
    'name-entry': () => `Add main to the configuration, or pass a file: edgectl${at} deploy src/index.ts`,
    'bind-namespace': ({ binding }) =>
      `edgectl${at} kv namespace create ${binding} creates a namespace and prints its id.`,
    'bind-bucket': () => `edgectl${at} objstore bucket list shows the buckets.`,
    'create-namespace': ({ binding }) =>
      `Remove the id from the configuration, and create a namespace: edgectl${at} kv namespace create ${binding} --update-config`,
    'create-bucket': ({ bucket }) => `Create the bucket: edgectl${at} objstore bucket create ${bucket}`,
    'delete-secret': ({ secret, worker }) =>
      `Rename the binding, or delete the secret first: edgectl${at} secret delete ${secret} --name ${worker}`,
    'init-elsewhere': () => 'Choose an empty folder: edgectl init my-worker',

    diagnose: ({ hostname }) => `edgectl${inZone} hostname diagnose ${hostname}`,
    'plan-again': () => `Create a new plan: edgectl${inZone} hostname reconcile --file FILE --plan`,
    'name-alone': ({ typed, name }) =>
      argv.includes(typed)
        ? `Did you mean ${commandLine(argv.map((word) => (word === typed ? name : word)))}?`
        : `Use only the hostname: ${name}`,
    'explain-missing': ({ hostname }) =>
      `To see the cause and the fix: edgectl${inZone} hostname diagnose ${hostname}`,
    'show-hostname': ({ hostname }) =>
      `The hostname exists in this zone: edgectl${inZone} hostname get ${hostname}`,
    'await-issuance': ({ seconds }) =>
      `Wait ${seconds} second${seconds === 1 ? '' : 's'}; "hostname create --file" stays below the limit automatically.`,
    'raise-quota': () =>
      `Delete unused hostnames, or ask the platform for a higher quota. To see the quota: edgectl${inZone} hostname quota`,
    'make-origin-record': () =>
      `First create a proxied A, AAAA or CNAME record for the origin in the zone: edgectl${at} zone record set ORIGIN A ADDRESS --proxied`,
    'add-wildcard': () => 'Omit "*." and add --wildcard.',
    'leave-metadata': () =>
      'Metadata requires an Enterprise plan: omit --metadata, or request access from the platform.',
    'leave-wildcard-metadata': () =>
      'The zone has opted out of metadata for wildcards: omit --metadata, create the hostnames below the wildcard one by one, or ask the platform to reverse the opt-out.',
    'leave-origin': () =>
      'The zone is not allowed to set custom origins: omit --origin to use the fallback origin, or request access from the platform.',
    'leave-authority': () => 'Choosing an authority requires an Enterprise plan: omit --ca.',
    'add-branding': () => "Add --branding: the provider's generic name becomes the Common Name.",
    'edit-hostname': () => `edgectl${inZone} hostname edit changes the settings of an existing hostname.`,
    'export-world': () => `To create the file: edgectl hostname export-world FILE`,

    'list-kept': () => 'To see what can be restored: edgectl undo list',
    'change-without-undo': () =>
      'Nothing was changed. To make the change without saving the old state: --no-undo',

    'replace-file': () => 'Choose another file, or overwrite the file with --force.',

    'earlier-run': () =>
      'An earlier run was interrupted; this run starts from the beginning (--resume continues the earlier run).',
    stopping: () => 'Stopping after the requests in flight. Press Ctrl-C again to stop immediately.',
  };
}
