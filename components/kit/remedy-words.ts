import type { RemedyTexts } from '../../src/model/remedy.ts';
import { workerPackages } from '../../src/model/workers/packages.ts';

const ids = {
  account: 'A profile, the environment or the configuration sets the account.',
  zone: 'Without an id, edgectl finds the zone automatically; press z in the list of hostnames to choose another zone.',
  namespace: 'Press 1 to list the namespaces with their ids.',
} as const;

/** The variable (or description) that names each kind of folder. */
const folderVariables = {
  sandbox: 'EDGECTL_SANDBOX_DIR',
  local: 'the folder of the project',
  state: 'XDG_STATE_HOME',
  data: 'XDG_DATA_HOME',
  config: 'XDG_CONFIG_HOME',
  cache: 'XDG_CACHE_HOME',
} as const;

/** Remedies, worded for the console: the sentences name keys, actions and files, but no flags. */
export const remedyWords: RemedyTexts = {
  'report-fault': () => 'This is a bug in edgectl. Report this message; press y to copy it.',
  'allow-changes': () => 'The profile or the setting read-only makes this console read-only.',
  'install-workers': () =>
    `Install the packages for workers next to edgectl, in a shell: npm install -g ${workerPackages.join(' ')}`,
  'install-package': () => "Install edgectl's npm package, which contains the file.",
  'check-network': () => 'Check the network, HTTPS_PROXY and the base URL of the profile.',
  'look-at-sandbox': () => 'Is the sandbox running? To check, run in a shell: edgectl sandbox status',

  'sign-in': () =>
    'Set EDGECTL_API_TOKEN, or add a profile in a shell (edgectl profile add), and open the console again.',
  'choose-profile': ({ names }) =>
    `To choose another profile, run in a shell: edgectl profile use NAME. Available: ${names.join(', ')}.`,
  'name-profile': () =>
    'Open the console with a named profile. If you did not create the file that selects the profile, delete that file.',
  'accept-profile': ({ file }) =>
    `Check ${file}, then open the console again: the console asks once whether to use the file.`,
  'bind-another': ({ names }) => `Bind another profile to the folder. Available: ${names.join(', ')}.`,
  'keep-unverified': () => 'Save the credentials without checking them.',
  'replace-profile': () => 'Replace the profile, or choose another name.',
  'give-account': () => 'Use a token with access to an account, or a profile with an account.',
  'choose-account': () =>
    'Set EDGECTL_ACCOUNT_ID, or account_id in the configuration or the profile; then open the console again.',
  'find-id': ({ of }) => ids[of],
  'add-permission': ({ permission }) =>
    `If needed, add the permission "${permission}" to the token in the dashboard.`,
  'new-token': () => 'Create a new token in the dashboard, and save it in the profile.',
  'check-ids': ({ asked, source }) =>
    `edgectl requested ${asked} with the credentials of ${source}. Check the ids. If the ids are correct, this server does not support the request.`,
  'look-elsewhere': ({ namespace, where, source }) =>
    `Namespace ${namespace} is not in ${where} of ${source}. Press 1 to list the namespaces there, or open the console with another profile.`,

  'demo-data': () => 'Start the demo with edgectl demo.',
  'name-config': ({ file }) =>
    `Create ${file} in the folder from which you open the console, or open the console in the folder that contains ${file}.`,
  'make-config': ({ file }) =>
    `Create ${file} in the folder from which you open the console, or open the console in the folder that contains ${file}.`,
  'bind-or-name': ({ file }) =>
    `Create ${file} in the folder from which you open the console, or open the console in the folder that contains ${file}.`,
  'accept-config': ({ file }) =>
    `Check ${file}, then open the console again: the console asks once whether to use the file.`,
  'add-config': () => 'Create an edgectl.toml in the same folder, with the names and ids.',
  'read-json-config': ({ file }) =>
    `This console reads edgectl.toml. To use ${file}, open the console with the flag for a JSON configuration.`,
  'leave-site': () =>
    'edgectl does not support static-site projects. Open the console with another configuration file.',
  'keep-in-profile': () =>
    'Save credentials and base URL in a profile or in the environment; the file may contain only account_id and zone_id.',
  'add-binding-id': ({ binding, preview, other }) =>
    `Add ${preview ? 'preview_id' : 'id'} = "<namespace id>" next to binding = "${binding}"` +
    (other ? `, or choose the ${preview ? 'production' : 'preview'} target.` : '.'),
  'edit-binding': ({ key }) => `Edit the file yourself, or remove ${key} from the file first.`,
  'allow-writing': () => 'Make the file writable with chmod u+w, or edit the file yourself.',
  'remove-by-hand': () => 'Remove the entry from the file yourself.',

  'choose-folder': ({ of, instead }) =>
    `${instead === undefined ? 'Give yourself write permission' : instead.replace(/\.$/, '')}, or start edgectl with another folder${of === undefined ? '' : ` (${folderVariables[of]})`}.`,
  'name-local-folder': ({ folder }) =>
    `To use this data, specify its folder when you open the console: ${folder}`,
  'leave-data': () =>
    'Another version of Miniflare created the data. Use another folder, or a newer edgectl.',
  'remove-stranger': () =>
    'Delete the path if you did not create it. If the data is in another folder, open the console with that folder.',
  'copy-files': () =>
    'A copy made of hard links (cp -al) is read-only. Copy the files themselves with cp -r.',
  'make-sandbox': () => 'Create a sandbox in a shell: edgectl sandbox start',
  // A running console keeps its embedded sandbox; it connects to a server only after it is reopened.
  'start-sandbox': ({ folder }) =>
    `Start a server for ${folder} in a shell (edgectl sandbox start), then open the console again.`,
  'update-sandbox': () => 'To update the sandbox, start it once in a shell: edgectl sandbox start',
  'reset-sandbox': () => 'Reset the sandbox in a shell: edgectl sandbox reset',
  'name-sandbox': () =>
    'Open the console with the folder of a sandbox, or create a sandbox in a shell: edgectl sandbox start',
  'choose-port': () => 'Choose another port, or any free port.',

  'write-any-key': () => 'Remove spaces and control characters from the key.',
  'take-existing': () => 'Choose another name, or use the existing entry in the list.',
  'skip-wrong': () =>
    'Correct the invalid entries, or press Ctrl-O in the import preview to skip the invalid entries.',
  'start-anew': () => 'Start the task again from the beginning.',
  'name-destination': () => 'Choose another name, or another destination.',
  'choose-existing': ({ resume }) =>
    'Choose what to do with existing keys: skip or overwrite.' +
    (resume.length === 0
      ? ''
      : ' If a command started the interrupted copy, resume the copy with a command.'),

  'empty-bucket': () =>
    'Delete the objects in the bucket first, or press d in the list of buckets to delete the bucket and its objects.',
  'choose-bucket': () => 'Press 2 to list the buckets; press n in the list to create a bucket.',
  'upload-folder': () => 'Upload the folder itself, with all its files.',
  'read-pipe': () => 'Enter the name of a file: only commands can read pipes.',
  'download-alone': () => 'Download the object separately, under a name that can be a path.',
  'download-many': () =>
    'Enter the name of a file in the folder, or mark the objects to download to the folder.',

  'deploy-worker': () => 'Deploy the worker first, in a shell: edgectl deploy',
  'deploy-newest': () =>
    'The worker runs an older version. Deploy the worker again, in a shell: edgectl deploy',
  'list-workers': () => 'Press 4 to list the workers.',
  'give-compatibility-date': () => 'Add compatibility_date to the configuration.',
  'trust-folder': () => 'Remove the import, or add the folder to the setting trusted-folders.',
  'name-worker': () => 'Set name in the configuration to the name of the worker.',
  'name-entry': () => 'Set main in the configuration to the entry file of the worker.',
  'bind-namespace': () => 'Press 1 to list the namespaces with their ids.',
  'bind-bucket': () => 'Press 2 to list the buckets.',
  'create-namespace': () => 'Press n in the list of namespaces to create a namespace, and bind its id.',
  'create-bucket': ({ bucket }) => `Press n in the list of buckets to create ${bucket}.`,
  'delete-secret': ({ secret }) =>
    `Rename the binding, or delete the secret ${secret} first: press d on the secret in the worker.`,
  'init-elsewhere': () => 'Choose an empty folder.',

  diagnose: ({ hostname }) => `Press D on ${hostname} in the list of hostnames to see the cause.`,
  'plan-again': () => 'Create a new plan.',
  'name-alone': ({ name }) => `Enter only the hostname: ${name}`,
  'explain-missing': ({ hostname }) =>
    `Reload the hostnames. In a shell, edgectl hostname diagnose ${hostname} shows why the hostname is missing.`,
  'show-hostname': ({ hostname }) =>
    `The hostname exists in this zone: press / to find ${hostname} in the list.`,
  'await-issuance': ({ seconds }) =>
    `Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then try again.`,
  'raise-quota': () => 'Delete unused hostnames, or ask the platform for a higher quota.',
  'make-origin-record': () =>
    'First create a proxied A, AAAA or CNAME record for the origin in the zone: press Q in the list of hostnames.',
  'add-wildcard': () => 'Enter the name without "*.", and choose a wildcard.',
  'leave-metadata': () =>
    'Metadata requires an Enterprise plan: omit the metadata, or ask the platform for access.',
  'leave-wildcard-metadata': () =>
    'The zone has opted out of metadata for wildcards: omit the metadata, create the hostnames one by one, or ask the platform to reverse the opt-out.',
  'leave-origin': () =>
    'The zone is not allowed to set origins for hostnames: omit the origin to use the fallback origin, or ask the platform for access.',
  'leave-authority': () =>
    'Choosing an authority requires an Enterprise plan: leave the choice to the platform.',
  'add-branding': () => "Choose branding: the provider's generic name becomes the Common Name.",
  'edit-hostname': () => 'To change an existing hostname, press e on the hostname in the list.',
  'export-world': () => 'Create the file in a shell: edgectl hostname export-world FILE',

  'replace-file': () => 'Choose another file.',
  'list-kept': () => 'Press U to list the items that can be restored.',
  'change-without-undo': () =>
    'Nothing was changed. To make the change without undo, first run in a shell: edgectl setting set undo off',

  'earlier-run': () => 'An earlier run of this task was interrupted; this run starts from the beginning.',
  stopping: () => 'Stopping after the requests in flight.',
};

/** The commands that set the template and the key for a Domain Connect link. The console names commands, because it has no flags. */
export const linkSettings = {
  template: 'edgectl setting set domain-connect',
  key: 'edgectl setting set domain-connect-key',
};
