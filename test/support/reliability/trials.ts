/** The suites of faults, each with the promise that edgectl makes for these faults. */
export const suites = {
  kills: {
    title: 'Killed processes',
    promise: `The test kills a process with SIGKILL at a random moment, and runs the command again. Everything confirmed before the kill is
stored. Partial results are always recognizable. Running the command again completes the work, and repeats only requests
that were pending.`,
  },
  integrity: {
    title: 'Hostile names and many objects',
    promise: `Every name that the specification accepts is preserved by every command that reads or writes it: all of Unicode, control
characters, look-alikes, 512 bytes, \`..\` inside paths, \`%2f\`, and names of flags. Values, metadata and bytes are compared one by one.`,
  },
  network: {
    title: 'A failing network',
    promise: `A seeded proxy between edgectl and the sandbox disturbs 15 % of all requests: it closes the connection before or after the sandbox acts,
truncates the response, delays it, or itself responds with 429, 502 or 503. A command that succeeds has done exactly what it reports. After
a command that fails, each item has its old or its intended state, and nothing else has changed. If the exit code is 0, the output is
complete.`,
  },
  resources: {
    title: 'Scarce resources',
    promise: `Without disk space, file handles, memory or a reliable clock, a command either does what it reports, or fails with an
edgectl error and an exit code. Stored data stays readable, and the same command succeeds when the resource is available again.
The sandbox still answers when many connections never finish a request.`,
  },
} as const;

export interface Trial {
  readonly suite: keyof typeof suites;
  /** The tested command or situation, as shown on the page. */
  readonly tried: string;
  /** The noun for attempts, in the plural. */
  readonly unit: string;
  /** The environment variable that sets the size. */
  readonly variable: string;
  /** The size of a full run. */
  readonly size: number;
}

/** Every trial of `test/soak/reliability`. */
export const trials = {
  'bulk put': { suite: 'kills', tried: '`kv bulk put --resume`', unit: 'kills', variable: 'KILLS', size: 50 },
  'bulk delete': {
    suite: 'kills',
    tried: '`kv bulk delete --resume`',
    unit: 'kills',
    variable: 'KILLS',
    size: 30,
  },
  copy: { suite: 'kills', tried: '`kv copy --resume`', unit: 'kills', variable: 'KILLS', size: 15 },
  clear: { suite: 'kills', tried: '`kv namespace clear`', unit: 'kills', variable: 'KILLS', size: 15 },
  export: {
    suite: 'kills',
    tried: '`kv export --output --force`',
    unit: 'kills',
    variable: 'KILLS',
    size: 15,
  },
  'two puts': {
    suite: 'kills',
    tried: 'two processes of `kv bulk put --resume` on one file',
    unit: 'rounds',
    variable: 'KILLS',
    size: 6,
  },
  'snapshot load': {
    suite: 'kills',
    tried: '`sandbox snapshot load`',
    unit: 'kills',
    variable: 'KILLS',
    size: 30,
  },
  'snapshot save': {
    suite: 'kills',
    tried: '`sandbox snapshot save --force`',
    unit: 'kills',
    variable: 'KILLS',
    size: 30,
  },
  reconcile: {
    suite: 'kills',
    tried: '`hostname reconcile --apply`',
    unit: 'kills',
    variable: 'KILLS',
    size: 30,
  },
  watch: { suite: 'kills', tried: '`hostname watch --webhook`', unit: 'kills', variable: 'KILLS', size: 30 },
  'sync up': {
    suite: 'kills',
    tried: '`objstore object sync --delete`',
    unit: 'kills',
    variable: 'KILLS',
    size: 15,
  },
  'sync down': {
    suite: 'kills',
    tried: '`objstore object sync --download --delete`',
    unit: 'kills',
    variable: 'KILLS',
    size: 15,
  },
  'put in parts': {
    suite: 'kills',
    tried: '`objstore object put` of 304 MiB',
    unit: 'kills',
    variable: 'KILLS',
    size: 4,
  },
  'S3 parts': {
    suite: 'kills',
    tried: 'the sandbox during a multipart upload with the AWS SDK',
    unit: 'kills',
    variable: 'KILLS',
    size: 20,
  },
  undo: {
    suite: 'kills',
    tried: 'single deletes and `undo restore`',
    unit: 'kills',
    variable: 'KILLS',
    size: 60,
  },
  deploy: { suite: 'kills', tried: '`deploy`', unit: 'kills', variable: 'KILLS', size: 15 },
  server: {
    suite: 'kills',
    tried: 'the sandbox during writes by 4 clients',
    unit: 'kills',
    variable: 'KILLS',
    size: 20,
  },
  'hostile keys': {
    suite: 'integrity',
    tried: 'hostile keys',
    unit: 'comparisons',
    variable: 'HOSTILE_KEYS',
    size: 200_000,
  },
  network: {
    suite: 'network',
    tried:
      'put, get, list and delete of keys, objects, hostnames and DNS records; `kv bulk`, `kv copy`, `kv export`, `objstore object sync`',
    unit: 'commands',
    variable: 'NETWORK_COMMANDS',
    size: 500,
  },
  'many objects': {
    suite: 'integrity',
    tried: 'files with hostile names through `objstore object sync`, the AWS SDK and the AWS CLI',
    unit: 'comparisons',
    variable: 'OBJECTS',
    size: 5000,
  },
  clients: {
    suite: 'resources',
    tried: 'concurrent clients, and connections that never finish a request',
    unit: 'requests',
    variable: 'CLIENTS',
    size: 200,
  },
  'full disk': {
    suite: 'resources',
    tried: 'bulk put, export and large objects until the disk is full',
    unit: 'commands',
    variable: 'DISK_ROUNDS',
    size: 5,
  },
  'few handles': {
    suite: 'resources',
    tried: 'commands that open many files, with `ulimit -n`',
    unit: 'commands',
    variable: 'HANDLE_ROUNDS',
    size: 3,
  },
  'small heap': {
    suite: 'resources',
    tried: 'commands on many keys and files, with `--max-old-space-size`',
    unit: 'commands',
    variable: 'HEAP_ROUNDS',
    size: 1,
  },
  clock: {
    suite: 'resources',
    tried: 'commands with a clock that is wrong and jumps while they run',
    unit: 'commands',
    variable: 'CLOCK_ROUNDS',
    size: 10,
  },
  'sandbox clock': {
    suite: 'resources',
    tried: "jumps of the sandbox's clock",
    unit: 'jumps',
    variable: 'CLOCK_JUMPS',
    size: 60,
  },
} as const satisfies Readonly<Record<string, Trial>>;

export type TrialName = keyof typeof trials;
