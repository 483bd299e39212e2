import type { Format } from './formats.ts';

/**
 * The folders below which edgectl stores files. `temporary`: the system's folder for temporary files. `project`: the folder of the
 * configuration, or the working directory if there is no configuration. `named`: files at paths that the user chooses.
 */
export type TracePlace = 'config' | 'state' | 'data' | 'cache' | 'temporary' | 'project' | 'named';

/** A group of files that edgectl stores. */
export interface Trace {
  /** The name of the group, stable across versions. */
  readonly name: string;
  readonly in: TracePlace;
  /** Paths below the folder. `*` matches any part of a name; a final `**` matches everything below a folder. */
  readonly paths: readonly string[];
  readonly about: string;
  /** Permissions of the files. edgectl creates the folders of these files with permissions 0700. */
  readonly mode: string;
  /** The time for which the files are kept. */
  readonly lifetime: string;
  /** The command that removes the files. If absent, the files can be deleted by hand. */
  readonly remove?: string;
  readonly format?: Format;
}

/**
 * All files that edgectl stores. docs/traces.md and `doctor --traces` show this list, and test/traces.test.ts compares it with the files
 * that commands write.
 */
export const traces: readonly Trace[] = [
  {
    name: 'settings',
    in: 'config',
    paths: ['settings.json'],
    about: 'settings that differ from their defaults, and the active profile',
    mode: '0600',
    lifetime: 'until you delete it',
    remove: 'edgectl setting unset NAME',
    format: 'settings',
  },
  {
    name: 'profiles',
    in: 'config',
    paths: ['profiles/*.json'],
    about: 'profiles with their API tokens or keys',
    mode: '0600',
    lifetime: 'until you remove the profile',
    remove: 'edgectl profile remove NAME',
    format: 'profile',
  },
  {
    name: 'accepted-profiles',
    in: 'config',
    paths: ['trusted.json'],
    about: 'folders whose profile you accepted',
    mode: '0600',
    lifetime: 'until you delete it',
    format: 'accepted-profiles',
  },
  {
    name: 'keys',
    in: 'config',
    paths: ['keys.toml'],
    about: 'key bindings for the console, written by you',
    mode: 'yours',
    lifetime: 'until you delete it',
  },
  {
    name: 'policy',
    in: 'config',
    paths: ['policy.toml'],
    about: 'policy rules, written by you',
    mode: 'yours',
    lifetime: 'until you delete it',
  },
  {
    name: 'audit-log',
    in: 'state',
    paths: ['audit/*.ndjson', 'audit/held', 'audit/held.*'],
    about: 'writes to accounts: user, program, route, names and status; no values and no secrets',
    mode: '0600',
    lifetime: 'up to 64 MiB; beyond that, the oldest files are deleted',
    format: 'audit-log',
  },
  {
    name: 'checkpoints',
    in: 'state',
    paths: ['checkpoints/*.json'],
    about: 'progress of interrupted bulk commands: file names and positions, no values',
    mode: '0600',
    lifetime: 'until the command completes; at most about 30 days',
    format: 'checkpoint',
  },
  {
    name: 'completion-names',
    in: 'state',
    paths: ['completion/*.json'],
    about: 'names of resources, for shell completion',
    mode: '0600',
    lifetime: 'used for a minute; deleted by the next completion after a day',
    format: 'completion-names',
  },
  {
    name: 'console-places',
    in: 'state',
    paths: ['console/*.json'],
    about: 'bookmarks, last visited places and filters of the console: names, no values',
    mode: '0600',
    lifetime: 'until you delete it',
    format: 'console-places',
  },
  {
    name: 'deletions',
    in: 'state',
    paths: ['deletions/*.json'],
    about: 'names that a dry run listed, so that --confirm deletes exactly these names',
    mode: '0600',
    lifetime: 'a day; deleted by the next dry run after that',
    format: 'deletion',
  },
  {
    name: 'deployments',
    in: 'state',
    paths: ['deploys/*.json'],
    about: 'names of the bindings in the last deployment of each worker',
    mode: '0600',
    lifetime: 'until you delete it',
    format: 'deployment',
  },
  {
    name: 'downloads',
    in: 'state',
    paths: ['downloads/*.json', 'downloads/*.lock', 'downloads/*.lock.*'],
    about: 'progress of large downloads: paths and digests of parts',
    mode: '0600',
    lifetime: 'until the download completes; at most about 8 days',
    format: 'download',
  },
  {
    name: 'uploads',
    in: 'state',
    paths: ['uploads/*.json', 'uploads/*.lock', 'uploads/*.lock.*'],
    about: 'progress of large uploads: ids and digests of parts',
    mode: '0600',
    lifetime: 'until the upload completes; at most about 8 days',
    format: 'upload',
  },
  {
    name: 'zone-locks',
    in: 'state',
    paths: ['fleets/*.held', 'fleets/*.held.*'],
    about: 'locks of commands that change many hostnames: a process id',
    mode: 'a link',
    lifetime: 'until the command ends; after a kill, until the next such command',
  },
  {
    name: 'hostname-dates',
    in: 'state',
    paths: ['hostnames/*.json'],
    about: 'dates and settings that the platform does not report for custom hostnames',
    mode: '0600',
    lifetime: 'an entry: 60 days; the file: until you delete it',
    format: 'hostname-dates',
  },
  {
    name: 'diagnoses',
    in: 'state',
    paths: ['looks/*.ndjson', 'looks/*.held', 'looks/*.held.*'],
    about: 'facts that a diagnosis of many hostnames gathered, without the metadata of the hostnames',
    mode: '0600',
    lifetime: 'until the diagnosis completes; at most about a day',
    format: 'diagnosis',
  },
  {
    name: 'newest-version',
    in: 'state',
    paths: ['newest-version.json'],
    about: 'time and result of the last check for a newer version',
    mode: '0600',
    lifetime: 'used for a day; until you delete it',
    format: 'newest-version',
  },
  {
    name: 'pace',
    in: 'state',
    paths: ['pace/*.json', 'pace/*.tmp', 'pace/*.lock', 'pace/*.lock.*'],
    about: 'number and times of the requests with each token; the file name is a hash of the token',
    mode: '0600',
    lifetime: 'a day after the last request; deleted by the next command after that',
    format: 'pace',
  },
  {
    name: 'plans',
    in: 'state',
    paths: ['plans/*.json'],
    about: 'saved plans of hostname reconcile: names and digests, no values',
    mode: '0600',
    lifetime: 'a day; deleted by the next plan after that',
    format: 'plan',
  },
  {
    name: 'tasks',
    in: 'state',
    paths: [
      'tasks/*/task.json',
      'tasks/*/marked.ndjson',
      'tasks/*/list.ndjson',
      'tasks/*/held',
      'tasks/*/held.*',
    ],
    about: 'tasks of the console: names of the marked keys, objects or hostnames, and results',
    mode: '0600',
    lifetime: '7 days if the task is done, otherwise 30 days; deleted by the console',
    format: 'task',
  },
  {
    name: 'undo-entries',
    in: 'state',
    paths: ['undo/*.undo'],
    about: 'deleted and overwritten values, objects, records and hostname settings',
    mode: '0600',
    lifetime:
      '14 days, up to 1,000 entries and 256 MiB, separately for people and for scripts; deleted by the next change after that',
    remove: 'edgectl undo purge',
    format: 'undo-entry',
  },
  {
    name: 'verdicts',
    in: 'state',
    paths: ['verdicts/*.json'],
    about: 'newest diagnosis of each hostname that has a fault',
    mode: '0600',
    lifetime: 'an entry: a day; the file: until you delete it',
    format: 'verdicts',
  },
  {
    name: 'watches',
    in: 'state',
    paths: ['watches/*.json', 'watches/*.done', 'watches/*.held', 'watches/*.held.*'],
    about: 'last state of watched hostnames, and undelivered events',
    mode: '0600',
    lifetime: 'until you delete it',
    format: 'watch',
  },
  {
    name: 'guards',
    in: 'state',
    paths: ['guards/*.sock'],
    about:
      'sockets at which running guards list held requests and accept decisions; the files have no content',
    mode: '0600',
    lifetime: 'until the guard stops; after a kill, until guards are next listed',
  },
  {
    name: 'spool',
    in: 'state',
    paths: ['spool-*'],
    about: 'an upload from standard input, or the body of a held request, in an unnamed file',
    mode: '0600',
    lifetime: 'until the data is sent or the command ends',
  },
  {
    name: 'sandbox',
    in: 'data',
    paths: ['sandbox/**'],
    about: "the sandbox's data, its own credentials, and the lease of a running server",
    mode: '0600; values and objects according to your umask, in a folder of mode 0700',
    lifetime: 'until you delete it',
    remove: 'edgectl sandbox reset',
    format: 'registry',
  },
  {
    name: 'demo',
    in: 'data',
    paths: ['demo/**'],
    about: 'the settings, state and sandbox that edgectl demo uses',
    mode: 'as above',
    lifetime: 'until you delete it',
  },
  {
    name: 'compiled-code',
    in: 'cache',
    paths: ['*.code', '*.code.*', 'node/**'],
    about: "edgectl's own code as compiled by V8, for a fast start",
    mode: '0600',
    lifetime: 'until you delete it; a new version of edgectl replaces it',
  },
  {
    name: 'temporary-sandboxes',
    in: 'temporary',
    paths: ['edgectl-sandbox-*/**'],
    about: 'data of sandbox exec and sandbox start --ephemeral',
    mode: '0600; values and objects according to your umask, in a folder of mode 0700',
    lifetime: 'until the command ends; after a kill, until the next such command',
  },
  {
    name: 'tour',
    in: 'temporary',
    paths: ['edgectl-tour-*/**'],
    about: 'data of edgectl demo without a terminal',
    mode: '0600; values and objects according to your umask, in a folder of mode 0700',
    lifetime: 'until the command ends; after a kill, until you delete it',
  },
  {
    name: 'edited-values',
    in: 'temporary',
    paths: ['edgectl-edit-*/**'],
    about: 'the value that is open in your editor',
    mode: '0600',
    lifetime: 'until the editor exits; after a kill, until you delete it',
  },
  {
    name: 'workers',
    in: 'temporary',
    paths: ['edgectl-workers-*/**'],
    about: 'files of Miniflare while it runs workers',
    mode: 'according to your umask, in a folder of mode 0700',
    lifetime: 'until the command ends; after a kill, until you delete it',
  },
  {
    name: 'local-data',
    in: 'project',
    paths: ['.edgectl/state/**'],
    about:
      'local namespaces and buckets (--local, dev), and the lease of a running server; in another folder with --persist-to',
    mode: '0600; values and objects according to your umask, in a folder of mode 0700',
    lifetime: 'until you delete it',
    format: 'lease',
  },
  {
    name: 'folder-profile',
    in: 'project',
    paths: ['.edgectl-profile'],
    about: 'the name of the profile to use in this folder; no secret',
    mode: 'according to your umask',
    lifetime: 'until you unbind it',
    remove: 'edgectl profile unbind',
  },
  {
    name: 'configuration',
    in: 'project',
    paths: ['edgectl.toml', 'edgectl.json', 'wrangler.*'],
    about: 'your configuration, which --update-config changes and init creates',
    mode: 'yours',
    lifetime: 'yours',
  },
  {
    name: 'named-files',
    in: 'named',
    paths: ['FILE'],
    about: 'exports, snapshots, recordings, ready files, downloads and projects that you request',
    mode: '0600; downloads and projects according to your umask',
    lifetime: 'until you delete it; a ready file until the server stops',
    format: 'seed',
  },
];

/** A destination to which edgectl, or a program that it starts, connects. */
export interface Destination {
  readonly to: string;
  readonly when: string;
  readonly sends: string;
  /** The modules that open the connection, for a test. */
  readonly modules: readonly string[];
}

/** All destinations, except sandboxes on this machine. */
export const destinations: readonly Destination[] = [
  {
    to: 'the platform: api.cloudflare.com, or the base URL of the profile or environment, and its S3 endpoint',
    when: 'a command or pane acts on an account',
    sends: 'the data that the command needs, with your credentials; `User-Agent: edgectl` and its version',
    modules: ['src/v4/remote.ts', 'src/v4/agent.ts'],
  },
  {
    to: "the address that the platform returns for a worker's logs",
    when: 'worker tail, and the logs in the console',
    sends: 'no data',
    modules: ['src/services/workers/tail-socket.ts'],
  },
  {
    to: "the system's DNS resolver, or the one set with --resolver",
    when: 'diagnose, forecast, watch, instructions and export-world; a connection to another destination in this table',
    sends:
      'hostnames, the names of their zones, targets and validation records, and the names of the destinations',
    modules: ['src/dns/exchange.ts'],
  },
  {
    to: 'the addresses of a custom hostname, ports 80 and 443',
    when: 'hostname diagnose, forecast and instructions, to check whether the hostname is served',
    sends: 'GET requests for the hostname, without credentials',
    modules: ['src/probe/probe.ts'],
  },
  {
    to: "a customer's DNS provider, found through its Domain Connect record",
    when: 'hostname instructions',
    sends: "the names of the customer's zone and of your template",
    modules: ['src/probe/probe.ts'],
  },
  {
    to: 'the URL of --webhook, or the program that --exec names',
    when: 'hostname watch',
    sends: 'events about hostnames, signed with your secret; no credentials',
    modules: ['src/services/hostnames/fleet/sinks.ts'],
  },
  {
    to: "npm's registry, through your npm",
    when: 'doctor, at most once a day; never in CI, for a sandbox or for local data, or after `edgectl setting set update-check off`',
    sends: 'the package name edgectl',
    modules: ['src/services/doctor/newer-version.ts'],
  },
  {
    to: 'a page of the dashboard, in your browser',
    when: 'profile login',
    sends: 'the permissions to request',
    modules: ['src/services/session/open-page.ts'],
  },
  {
    to: 'your editor, or the program that sandbox exec or guard exec starts',
    when: 'you edit a value, or run sandbox exec or guard exec',
    sends:
      "to the editor: the value; to the program: the sandbox's own credentials, or the guard's own token",
    modules: ['components/kit/terminal/editor.ts', 'src/services/program.ts'],
  },
  {
    to: 'the platform, for the clients of a guard',
    when: 'a client sends a request that the policy allows',
    sends: "the client's request, with your credentials",
    modules: ['door', 's3-door', 'forward', 's3-forward', 'tails'].map(
      (name) => `src/services/guard/${name}.ts`,
    ),
  },
  {
    to: 'a guard that the same user runs, at a socket in the state folder',
    when: 'guard held, approve and refuse, and the console',
    sends: 'decisions about requests that wait for approval; the passphrase of a locked profile',
    modules: ['src/services/guard/approvals.ts'],
  },
  {
    to: 'programs that scrape --metrics on this machine',
    when: 'hostname watch',
    sends:
      'hostname counts, the days until a hostname is deleted or its certificate expires, and statistics about the watch',
    modules: ['src/services/hostnames/fleet/metrics-server.ts'],
  },
];
