import type { RemedyWords } from '../../src/model/remedy.ts';
import { workerPackages } from '../../src/model/workers/packages.ts';

const ids = {
  account: 'A profile, the environment or the configuration names the account.',
  zone: 'Without it, edgectl finds the zone automatically; press z in the list of hostnames to choose another.',
  namespace: '1 lists the namespaces with their ids.',
} as const;

/** Remedies, worded for the console: keys, actions and files, no flags. */
/** The variables that name each folder. */
const folderVariables = {
  sandbox: 'EDGECTL_SANDBOX_DIR',
  local: 'the folder of the project',
  state: 'XDG_STATE_HOME',
  data: 'XDG_DATA_HOME',
  config: 'XDG_CONFIG_HOME',
  cache: 'XDG_CACHE_HOME',
} as const;

export const remedyWords: RemedyWords = {
  'report-fault': () => 'This is a fault of edgectl. Report what stands here; y copies it.',
  'allow-changes': () => 'This console only reads. Profiles and settings decide what is read-only.',
  'install-workers': () =>
    `Install the packages for workers next to edgectl, in a shell: npm install -g ${workerPackages.join(' ')}`,
  'install-package': () => 'It comes with the npm package of edgectl.',
  'check-network': () => 'Check the network, HTTPS_PROXY and the base URL of the profile.',
  'look-at-sandbox': () => 'Is the sandbox running? "edgectl sandbox status" in a shell shows it.',

  'sign-in': () =>
    'Set EDGECTL_API_TOKEN, or add a profile in a shell (edgectl profile add), and open the console again.',
  'choose-profile': ({ names }) =>
    `Choose another in a shell: edgectl profile use NAME. There are: ${names.join(', ')}.`,
  'name-profile': () =>
    'Open the console on a profile that is named, or remove that file if you did not make it.',
  'accept-profile': ({ file }) => `Check ${file}, and open the console again: it asks once.`,
  'bind-another': ({ names }) => `Bind another profile to the folder. There are: ${names.join(', ')}.`,
  'keep-unverified': () => 'Keep them without asking the platform.',
  'replace-profile': () => 'Replace it, or choose another name.',
  'give-account': () => 'Use a token that has an account, or a profile that names one.',
  'choose-account': () =>
    'Choose one with EDGECTL_ACCOUNT_ID, account_id in the configuration, or in the profile; then open the console again.',
  'find-id': ({ of }) => ids[of],
  'add-permission': ({ permission }) =>
    `Where it is needed, give the token "${permission}" in the dashboard.`,
  'new-token': () => 'Make a new token in the dashboard, and keep it in the profile.',
  'check-ids': ({ asked, source }) =>
    `Asked for ${asked}, with the credentials of ${source}: check its ids. If they are right, this server does not have the route.`,
  'look-elsewhere': ({ namespace, where, source }) =>
    `Namespace ${namespace} is not in ${where} of ${source}: 1 lists what is; a console on another profile looks elsewhere.`,

  'demo-data': () => 'Start the demo with edgectl demo.',
  'name-config': ({ file }) => `Create ${file} there, or open the console where it is.`,
  'make-config': ({ file }) => `Create ${file} there, or open the console where it is.`,
  'bind-or-name': ({ file }) => `Create ${file} there, or open the console where it is.`,
  'accept-config': ({ file }) => `Check ${file}, and open the console again: it asks once.`,
  'add-config': () => 'Write an edgectl.toml next to it with the names and ids.',
  'read-json-config': ({ file }) => `${file} is read where edgectl.json is asked for, and edgectl.toml here.`,
  'leave-site': () => 'edgectl does not support static-site projects. Open the console on another file.',
  'keep-in-profile': () => 'Keep it in a profile or in the environment; a file gives account_id and zone_id.',
  'add-binding-id': ({ binding, preview, other }) =>
    `Add ${preview ? 'preview_id' : 'id'} = "<namespace id>" beside binding = "${binding}"` +
    (other ? `, or choose the ${preview ? 'production' : 'preview'} target.` : '.'),
  'edit-binding': ({ key }) => `Change the file yourself, or take its ${key} out first.`,
  'allow-writing': () => 'Allow it with chmod u+w, or change the file yourself.',
  'remove-by-hand': () => 'Remove the entry by hand.',

  'choose-folder': ({ of, instead }) =>
    `${instead === undefined ? 'Allow yourself to write there' : instead.replace(/\.$/, '')}, or start edgectl with another folder${of === undefined ? '' : ` (${folderVariables[of]})`}.`,
  'name-local-folder': ({ folder }) => `If these data are meant, open the console on ${folder} by name.`,
  'leave-data': () => 'Another version of Miniflare made it. Use another folder, or a newer edgectl.',
  'remove-stranger': () =>
    'Remove it if you did not make it. Of data that lie elsewhere, open the console on their folder.',
  'copy-files': () => 'A copy made of hard links (cp -al) is read-only; copy the files themselves: cp -r.',
  'make-sandbox': () => 'Make one in a shell: edgectl sandbox start',
  // A running console stays in its own process: it connects to the server when it is opened again.
  'start-sandbox': ({ folder }) =>
    `Start one in a shell (edgectl sandbox start) on ${folder}, and open the console again.`,
  'update-sandbox': () => 'Start the sandbox once to bring it up to date, in a shell: edgectl sandbox start',
  'reset-sandbox': () => 'Start again in a shell: edgectl sandbox reset',
  'name-sandbox': () =>
    'Open the console on the folder of one, or make one in a shell: edgectl sandbox start',
  'choose-port': () => 'Choose another port, or any free one.',

  'write-any-key': () => 'Leave white space and what cannot be printed out of it.',
  'take-existing': () => 'Choose another name, or take the one in the list.',
  'skip-wrong': () => 'Correct them, or leave them out: s in the preview of the import.',
  'start-anew': () => 'Start it again from the beginning.',
  'name-destination': () => 'Name another one, or another place for it.',
  'choose-existing': ({ resume }) =>
    'Choose what becomes of them: skip or overwrite.' +
    (resume.length === 0 ? '' : ' A copy at a command line was interrupted, and can be resumed there.'),

  'empty-bucket': () => 'Delete its objects first; d in the list of buckets does both.',
  'choose-bucket': () => '2 lists those there are, and n there makes one.',
  'upload-folder': () => 'Upload the folder with all that is below it.',
  'read-pipe': () => 'Name a file; a pipe is read at a command line only.',
  'download-alone': () => 'Download it separately, under a name that can be a path.',
  'download-many': () => 'Name a file in it, or mark the objects to download below it.',

  'deploy-worker': () => 'Deploy it first, in a shell: edgectl deploy',
  'deploy-newest': () => 'It runs an older version. Deploy it again, in a shell: edgectl deploy',
  'list-workers': () => '4 lists those that there are.',
  'give-compatibility-date': () => 'Add it to the configuration.',
  'trust-folder': () => 'Remove the import, or add the folder to the setting trusted-folders.',
  'name-worker': () => 'Add it to the configuration.',
  'name-entry': () => 'Add it to the configuration.',
  'bind-namespace': () => '1 lists the namespaces with their ids.',
  'bind-bucket': () => '2 lists the buckets.',
  'create-namespace': () => 'Create one with n in the list of namespaces, and bind its id.',
  'create-bucket': ({ bucket }) => `Create ${bucket} with n in the list of buckets.`,
  'delete-secret': ({ secret }) =>
    `Rename the binding, or delete the secret ${secret} first: d on it, in its worker.`,
  'init-elsewhere': () => 'Name an empty folder.',

  diagnose: ({ hostname }) => `D on ${hostname} in the list of hostnames says why.`,
  'plan-again': () => 'Plan again.',
  'name-alone': ({ name }) => `Give its hostname alone: ${name}`,
  'explain-missing': ({ hostname }) =>
    `List the hostnames again; in a shell, edgectl hostname diagnose ${hostname} says why it is not there.`,
  'show-hostname': ({ hostname }) => `It is in this zone: / finds ${hostname} in the list.`,
  'await-issuance': ({ seconds }) => `Wait ${seconds} seconds, then try again.`,
  'raise-quota': () => 'Delete hostnames that are dead, or have the quota raised.',
  'make-origin-record': () =>
    'Make its proxied A, AAAA or CNAME record in the zone first: Q in the list of hostnames.',
  'add-wildcard': () => 'Give the name without "*.", and choose a wildcard.',
  'leave-metadata': () =>
    'Metadata takes an Enterprise plan: leave it out, or ask the platform for access to it.',
  'leave-wildcard-metadata': () =>
    'The zone has opted out of metadata for wildcards: leave it out, or create the hostnames below one by one; or ask the platform to take it back.',
  'leave-origin': () =>
    'The zone may not set origins of hostnames: leave it out, so that the fallback origin takes it, or ask the platform for access to it.',
  'leave-authority': () =>
    'Choosing an authority takes an Enterprise plan: leave the choice to the platform.',
  'add-branding': () => "Choose branding: the provider's generic name becomes the Common Name.",
  'edit-hostname': () => 'e on it in the list of hostnames changes settings of one that is there.',
  'export-world': () => 'Such a file is written in a shell: edgectl hostname export-world FILE',

  'replace-file': () => 'Name another file.',
  'list-kept': () => 'Press U to see what can be restored.',
  'change-without-undo': () =>
    'Nothing was changed. To change it without a way back, in a shell: edgectl setting set undo off',

  'earlier-run': () => 'An earlier run of this was interrupted; this one starts from the beginning.',
  stopping: () => 'Stopping after the requests in flight.',
};

/** The commands that set what a link requires: the console has no flags. */
export const linkSettings = {
  template: 'edgectl setting set domain-connect',
  key: 'edgectl setting set domain-connect-key',
};
