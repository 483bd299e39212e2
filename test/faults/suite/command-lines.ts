import { known, noFacts } from '../../../src/model/diagnosis/facts.ts';
import { hashValue } from '../../../src/services/kv/key-change.ts';
import { bucket, emptyBucket, hostname, type Stage, worker } from './stage.ts';

const aWorld = JSON.stringify({
  ...noFacts('w.acme.com', 0),
  zone: known({ id: 'z', name: 'saas.sandbox' }),
  record: known(null),
});

/** A command line that the suite runs with the faulty servers. */
export interface CommandLine {
  /** The words of the command's row in the command table. */
  readonly words: string;
  /** The arguments after the words; plain strings if the stage is not needed. */
  readonly rest: readonly string[] | ((stage: Stage) => readonly string[]);
  readonly stdin?: string;
  /** Files in the working directory. */
  readonly files?: Readonly<Record<string, string>>;
  /** A file that the command writes completely or not at all. */
  readonly output?: string;
  /** Whether the command's standard output is the response body, byte for byte. */
  readonly printsBody?: boolean;
  /** Requests that the command does not need, each given as the end of a path, or as a pattern for method and path. */
  readonly optional?: readonly (string | RegExp)[];
  /** Whether the command runs until Ctrl-C, so the suite interrupts it. */
  readonly interrupted?: boolean;
}

const at = ({ namespace }: Stage): string[] => ['--namespace-id', namespace];
const between = (stage: Stage): string[] => [...at(stage), '--to-namespace-id', stage.other];
const inSandbox = ({ servedFolder }: Stage): string[] => ['--dir', servedFolder];
const secretOf = ['--name', worker];
const keys = { 'keys.json': '["greeting","note"]' };
const entries = { 'entries.json': '[{"key":"a","value":"1"},{"key":"b","value":"2"}]' };
const folderOfFiles = { 'up/one.txt': 'one', 'up/two.txt': 'two' };
const lookAlone = ['--resolver', '127.0.0.1:9', '--no-probe'];

const kvLines: readonly CommandLine[] = [
  { words: 'kv namespace create', rest: ['NEW'] },
  {
    words: 'kv namespace create',
    rest: ['NEW', '--update-config'],
    files: { 'edgectl.toml': 'name = "shop"\n' },
  },
  { words: 'kv namespace create', rest: ['one', '--if-not-exists'], files: { 'edgectl.toml': '' } },
  { words: 'kv namespace list', rest: [] },
  { words: 'kv namespace rename', rest: (stage) => ['renamed', ...at(stage)] },
  { words: 'kv namespace delete', rest: (stage) => [...at(stage), '--yes'] },
  { words: 'kv namespace clear', rest: (stage) => [...at(stage), '--yes'] },
  { words: 'kv namespace clear', rest: (stage) => [...at(stage), '--dry-run'] },
  // The command reads the old state for undo; without the old state, the change still succeeds, but cannot be undone.
  { words: 'kv key put', rest: (stage) => ['new', 'value', ...at(stage)], optional: ['/keys'] },
  {
    words: 'kv key put',
    rest: (stage) => ['new', 'value', '--metadata', '{"a":1}', ...at(stage)],
    optional: ['/keys'],
  },
  {
    words: 'kv key put',
    rest: (stage) => ['greeting', 'value', '--if-unchanged', hashValue(Buffer.from('hello')), ...at(stage)],
  },
  { words: 'kv key list', rest: (stage) => ['--metadata', ...at(stage)] },
  { words: 'kv key list', rest: (stage) => ['--value-contains', 'hello', ...at(stage)] },
  { words: 'kv key get', rest: (stage) => ['greeting', ...at(stage)], printsBody: true },
  { words: 'kv key get', rest: (stage) => ['note', '--metadata', ...at(stage)] },
  { words: 'kv key diff', rest: (stage) => ['greeting', ...between(stage)] },
  {
    words: 'kv key delete',
    rest: (stage) => ['greeting', ...at(stage)],
    optional: [/^GET .*\/values\/greeting$/],
  },
  { words: 'kv bulk put', rest: (stage) => ['entries.json', ...at(stage)], files: entries },
  { words: 'kv bulk get', rest: (stage) => ['keys.json', ...at(stage)], files: keys },
  { words: 'kv bulk delete', rest: (stage) => ['keys.json', '--yes', ...at(stage)], files: keys },
  { words: 'kv bulk delete', rest: (stage) => ['--prefix', 'only:', '--yes', '--limit', '9', ...at(stage)] },
  { words: 'kv export', rest: at },
  { words: 'kv export', rest: (stage) => ['--output', 'out.json', ...at(stage)], output: 'out.json' },
  { words: 'kv copy', rest: (stage) => [...between(stage), '--on-conflict', 'overwrite'] },
  { words: 'kv copy', rest: (stage) => [...between(stage), '--prefix', 'only:', '--dry-run'] },
  { words: 'kv diff', rest: (stage) => [...between(stage), '--prefix', 'g'] },
];

const secretLines: readonly CommandLine[] = [
  { words: 'secret put', rest: ['NEW_SECRET', ...secretOf], stdin: 'a text' },
  { words: 'secret list', rest: secretOf },
  { words: 'secret delete', rest: ['API_KEY', '--yes', ...secretOf] },
  { words: 'secret put', rest: ['NEW_SECRET', '--all-workers', '--yes'], stdin: 'a text' },
  { words: 'secret delete', rest: ['API_KEY', '--workers', worker, '--yes'] },
  {
    words: 'secret bulk',
    rest: ['secrets.json', '--yes', ...secretOf],
    files: { 'secrets.json': '{"ONE":"1","API_KEY":null}' },
  },
  {
    words: 'deploy',
    rest: ['index.js', ...secretOf, '--compatibility-date', '2026-11-01', '--yes'],
    files: { 'index.js': 'export default { fetch: () => new Response("again") };\n' },
  },
];

const objectLines: readonly CommandLine[] = [
  { words: 'objstore bucket create', rest: ['a-new-bucket'] },
  { words: 'objstore bucket create', rest: [bucket, '--if-not-exists'] },
  { words: 'objstore bucket list', rest: [] },
  { words: 'objstore bucket get', rest: [bucket] },
  { words: 'objstore bucket delete', rest: [emptyBucket, '--yes'] },
  { words: 'objstore bucket delete', rest: [bucket, '--empty-first', '--yes'] },
  {
    words: 'objstore object put',
    rest: [`${bucket}/c.txt`, '--path', 'up/one.txt'],
    files: folderOfFiles,
    // A token that cannot list can still store objects.
    optional: ['/objects'],
  },
  {
    words: 'objstore object put',
    rest: [`${bucket}/up`, '--recursive', '--path', 'up'],
    files: folderOfFiles,
  },
  { words: 'objstore object get', rest: [`${bucket}/b.txt`], printsBody: true },
  { words: 'objstore object get', rest: [`${bucket}/b.txt`, '--metadata'] },
  { words: 'objstore object get', rest: [`${bucket}/b.txt`, '--file', 'b.txt'], output: 'b.txt' },
  { words: 'objstore object get', rest: [`${bucket}/a`, '--recursive', '--file', 'down'] },
  { words: 'objstore object list', rest: [bucket] },
  {
    words: 'objstore object copy',
    rest: [`${bucket}/b.txt`, `${emptyBucket}/b.txt`],
    optional: [`/${emptyBucket}/objects`],
  },
  // With an account token, this request fails, because the token does not belong to a user.
  { words: 'objstore object presign', rest: [`${bucket}/b.txt`], optional: ['/user/tokens/verify'] },
  // This request reads the old state for undo.
  { words: 'objstore object delete', rest: [`${bucket}/b.txt`], optional: [/^GET .*\/objects\/b\.txt$/] },
  { words: 'objstore object delete', rest: [`${bucket}/a`, '--recursive', '--yes'] },
  { words: 'objstore object sync', rest: ['up', `${bucket}/up`, '--yes'], files: folderOfFiles },
  {
    words: 'objstore object sync',
    rest: ['down', `${bucket}/a`, '--download', '--yes'],
    files: { 'down/three.txt': 'three' },
  },
];

const hostnameLines: readonly CommandLine[] = [
  { words: 'hostname list', rest: [] },
  { words: 'hostname list', rest: ['--zone', 'saas.sandbox'] },
  {
    words: 'hostname get',
    rest: [hostname, '--resolver', '127.0.0.1:9'],
    // The answer consists of the record. If evidence cannot be read, the command only prints warnings.
    optional: [
      '/fallback_origin',
      '/quota',
      '/dcv_delegation/uuid',
      '/ips',
      '/sandbox/issuance',
      '/workers/routes',
      '/dns_records',
      '/prefixes',
      /\/zones\/[0-9a-f]{32}$/,
    ],
  },
  { words: 'hostname create', rest: ['new.acme.com'] },
  { words: 'hostname create', rest: ['new.acme.com', '--wait', '--timeout', '1h'] },
  { words: 'hostname create', rest: [hostname, '--if-not-exists'] },
  {
    words: 'hostname create',
    rest: ['--file', 'new.csv'],
    files: { 'new.csv': 'hostname\na.acme.com\nb.acme.com\n' },
  },
  { words: 'hostname edit', rest: [hostname, '--min-tls', '1.2'] },
  { words: 'hostname edit', rest: ['--status', 'active', '--min-tls', '1.2', '--yes'] },
  { words: 'hostname refresh', rest: [hostname] },
  { words: 'hostname refresh', rest: ['--status', 'active', '--yes'] },
  { words: 'hostname delete', rest: [hostname, '--yes'] },
  { words: 'hostname delete', rest: ['--status', 'active', '--yes', '--limit', '1'] },
  { words: 'hostname watch', rest: [hostname, '--timeout', '1h'] },
  { words: 'hostname watch', rest: ['--all', '--once'] },
  { words: 'hostname quota', rest: [] },
  { words: 'hostname diagnose', rest: [hostname, ...lookAlone] },
  { words: 'hostname diagnose', rest: ['--all', ...lookAlone] },
  { words: 'hostname forecast', rest: ['--resolver', '127.0.0.1:9'] },
  { words: 'hostname export', rest: [] },
  { words: 'hostname export', rest: ['--output', 'all.tf'] },
  {
    words: 'hostname reconcile',
    rest: ['--file', 'new.csv', '--plan'],
    files: { 'new.csv': 'hostname\nnew.acme.com\n' },
  },
  {
    words: 'hostname reconcile',
    rest: ['--file', 'new.csv', '--prune', '--limit', '1', '--yes'],
    files: { 'new.csv': 'hostname\nnew.acme.com\n' },
  },
  { words: 'hostname export-world', rest: ['world.ndjson', '--resolver', '127.0.0.1:9'] },
  { words: 'hostname import-world', rest: ['world.ndjson'], files: { 'world.ndjson': aWorld } },
  { words: 'hostname instructions', rest: [hostname, '--resolver', '127.0.0.1:9'] },
  { words: 'zone list', rest: [] },
  { words: 'zone record list', rest: [] },
  { words: 'zone record set', rest: ['new', 'A', '192.0.2.9'] },
  { words: 'zone record delete', rest: ['origin', 'A', '--yes'] },
  { words: 'hostname fallback-origin get', rest: [] },
  // A missing DNS record only causes a warning.
  { words: 'hostname fallback-origin set', rest: ['origin.saas.sandbox'], optional: ['/dns_records'] },
  // This request reads the old state for undo.
  { words: 'hostname fallback-origin delete', rest: ['--yes'], optional: [/^GET .*\/fallback_origin$/] },
  { words: 'zone hold get', rest: [] },
  { words: 'zone hold set', rest: ['--include-subdomains'] },
  { words: 'zone hold release', rest: ['--yes'] },
];

/** Commands that act only on this machine, and commands that query a sandbox on this machine. */
const machineLines: readonly CommandLine[] = [
  { words: 'console', rest: [] },
  { words: 'demo', rest: [] },
  { words: 'dev', rest: ['nowhere.js', '--port', '0'] },
  { words: 'init', rest: ['new-worker'] },
  { words: 'profile add', rest: ['acme', '--no-verify'], stdin: 'a-token-of-acme\n' },
  { words: 'profile login', rest: ['acme', '--no-verify'], stdin: 'a-token-of-acme\n' },
  { words: 'profile bind', rest: ['sandbox'] },
  { words: 'profile unbind', rest: [], files: { '.edgectl-profile': 'sandbox\n' } },
  { words: 'profile list', rest: [] },
  { words: 'profile use', rest: ['sandbox'] },
  { words: 'profile lock', rest: ['nobody'] },
  { words: 'profile unlock', rest: ['nobody'] },
  { words: 'profile remove', rest: ['nobody', '--yes'] },
  { words: 'completion', rest: ['bash'] },
  { words: 'man', rest: ['kv'] },
  { words: 'licenses', rest: [] },
  { words: 'setting list', rest: [] },
  { words: 'setting get', rest: ['undo'] },
  { words: 'setting set', rest: ['undo', 'off', '--yes'] },
  { words: 'setting unset', rest: ['undo'] },
  { words: 'guard exec', rest: ['true'] },
  { words: 'guard start', rest: [], interrupted: true },
  { words: 'guard held', rest: [] },
  { words: 'guard approve', rest: ['417-1'] },
  { words: 'guard refuse', rest: ['417-1'] },
  { words: 'policy show', rest: [] },
  { words: 'policy test', rest: ['DELETE /zones/z'] },
  { words: 'audit list', rest: [] },
  { words: 'audit show', rest: ['1'] },
  { words: 'audit verify', rest: [] },
  { words: 'audit follow', rest: [], interrupted: true },
  { words: 'audit export', rest: [] },
  { words: 'undo list', rest: [] },
  { words: 'undo show', rest: [] },
  { words: 'undo restore', rest: [] },
  { words: 'undo purge', rest: ['--yes'] },
  { words: 'doctor', rest: [] },
  { words: 'whoami', rest: [], optional: ['/client/v4/user'] },
  { words: 'worker list', rest: [] },
  { words: 'worker get', rest: [worker] },
  // This request reads the message of a version that no longer exists.
  { words: 'worker deployments', rest: [worker], optional: [/^GET .*\/versions\/[0-9a-f-]{36}$/] },
  { words: 'worker rollback', rest: [worker] },
  { words: 'worker delete', rest: [worker, '--yes'] },
  { words: 'worker tail', rest: [worker] },
  { words: 'sandbox start', rest: ['--port', '0'], interrupted: true },
  { words: 'sandbox status', rest: inSandbox },
  { words: 'sandbox reset', rest: (stage) => ['--yes', ...inSandbox(stage)] },
  {
    words: 'sandbox dns set',
    rest: (stage) => ['new.acme.com', 'A', '192.0.2.9', ...inSandbox(stage)],
  },
  { words: 'sandbox dns unset', rest: (stage) => [hostname, ...inSandbox(stage)] },
  { words: 'sandbox dns list', rest: inSandbox },
  {
    words: 'sandbox record',
    rest: ['account.json'],
    // The answer omits a field that the token has no permission to read.
    optional: [
      '/r2/buckets',
      '/dns_records',
      '/custom_hostnames',
      '/client/v4/zones',
      '/hold',
      '/workers/scripts',
      '/fallback_origin',
      /\/zones\/[0-9a-f]{32}$/,
    ],
  },
  { words: 'sandbox snapshot save', rest: (stage) => ['all.json', ...inSandbox(stage)] },
  {
    words: 'sandbox snapshot load',
    rest: (stage) => ['none.json', '--yes', ...inSandbox(stage)],
    files: { 'none.json': '{}' },
  },
  { words: 'sandbox exec', rest: ['true'] },
  { words: 'sandbox requests', rest: inSandbox },
  { words: 'sandbox fault add', rest: (stage) => ['--match', '/**', '--latency', '1', ...inSandbox(stage)] },
  { words: 'sandbox fault list', rest: inSandbox },
  { words: 'sandbox fault clear', rest: inSandbox },
  { words: 'sandbox clock advance', rest: (stage) => ['7d', ...inSandbox(stage)] },
  { words: 'sandbox clock show', rest: inSandbox },
];

/**
 * The command lines of the suite, at least one for each command in the table; `test/faults/commands.test.ts` reports a command without a
 * line.
 */
export const commandLines: readonly CommandLine[] = [
  ...kvLines,
  ...secretLines,
  ...objectLines,
  ...hostnameLines,
  ...machineLines,
];

/** Returns the title of the test for a command line. */
export function titleOf({ words, rest }: CommandLine): string {
  const flags = typeof rest === 'function' ? rest(titleStage) : rest;
  const messages = flags.filter(
    (word) => !['--namespace-id', '--to-namespace-id', '--dir', ''].includes(word),
  );
  return ['edgectl', words, ...messages].join(' ');
}

const titleStage: Stage = {
  servedFolder: '',
  access: { accountId: '', accountName: '', apiToken: '', email: '', apiKey: '' },
  zoneId: '',
  namespace: '',
  other: '',
  now: 0,
  openCopy() {
    throw new Error('There is no sandbox behind a title.');
  },
};
