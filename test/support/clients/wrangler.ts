import type { CallLine, Client } from './client.ts';

/** Differences between versions of wrangler on the command line. */
interface Dialect {
  /** The character between `kv` and the group of a command. */
  readonly separator: ':' | ' ';
  /** The flag for acting on the account; without this flag, version 4 acts on local data. */
  readonly remote: string;
  readonly deploy: string;
  /** Whether this version has `versions` and `rollback` for versions of workers. */
  readonly hasVersions: boolean;
  readonly bulkSecrets: string;
}

const second: Dialect = {
  separator: ':',
  remote: '',
  deploy: 'publish',
  hasVersions: false,
  bulkSecrets: 'secret:bulk',
};
const third: Dialect = {
  separator: ' ',
  remote: '',
  deploy: 'deploy',
  hasVersions: true,
  bulkSecrets: 'secret bulk',
};
const fourth: Dialect = { ...third, remote: ' --remote' };

const files = {
  'src/index.js': `import text from './page.txt';
export default {
  async fetch(request, env) {
    return Response.json({ text, word: env.WORD, colour: await env.KV.get('colour'), secret: env.TOKEN ?? null });
  },
};
`,
  'src/page.txt': 'page',
  'pairs.json': JSON.stringify([
    { key: 'colour', value: 'green' },
    { key: 'blob', value: 'AAH/', base64: true, expiration_ttl: 600, metadata: { size: 3 } },
  ]),
  'names.json': '["blob"]',
  'secrets.json': '{"TOKEN":"second","OTHER":"third"}',
  'wrangler.toml': `name = "peer"
main = "src/index.js"
compatibility_date = "2023-11-01"
[vars]
WORD = "first"
`,
};

function callsIn({ separator, remote, deploy, hasVersions, bulkSecrets }: Dialect): readonly CallLine[] {
  const wrangler = 'node "$CLIENT/wrangler/bin/wrangler.js"';
  const kv = (words: string) => `${wrangler} kv${separator}${words} --namespace-id "$ID"`;
  const bind = `printf '[[kv_namespaces]]\\nbinding = "KV"\\nid = "%s"\\n' "$ID" >> wrangler.toml`;
  return [
    { does: 'whoami', line: `${wrangler} whoami`, prints: /operator@sandbox\.example/ },
    {
      does: 'kv namespace create',
      line: `${wrangler} kv${separator}namespace create titled`,
      saves: { ID: /"?id"?[ =:]+"([0-9a-f]{32})"/ },
    },
    { does: 'kv namespace list', line: `${wrangler} kv${separator}namespace list | grep "$ID"` },
    {
      does: 'kv key put',
      line: `${kv('key put')} 'a/b c' 'a value' --ttl 600 --metadata '{"tag":"ü"}'${remote}`,
    },
    { does: 'kv key get', line: `${kv('key get')} 'a/b c'${remote}`, prints: /^a value$/m },
    { does: 'kv key list', line: `${kv('key list')} --prefix a/${remote}`, prints: /"tag": ?"ü"/ },
    { does: 'kv bulk put', line: `${kv('bulk put')} pairs.json${remote}` },
    { does: 'kv bulk delete', line: `${kv('bulk delete')} names.json --force${remote}` },
    { does: 'kv key delete', line: `${kv('key delete')} 'a/b c'${remote}` },
    {
      does: 'kv key list of what is left',
      line: `${kv('key list')}${remote} | tr -d ' \\n' | grep -F '[{"name":"colour"}]'`,
    },
    { does: 'r2 bucket create', line: `${wrangler} r2 bucket create peer-bucket` },
    { does: 'r2 bucket list', line: `${wrangler} r2 bucket list`, prints: /peer-bucket/ },
    {
      does: 'r2 object put',
      line: `${wrangler} r2 object put peer-bucket/a/page.txt --file src/page.txt --content-type text/plain${remote}`,
    },
    {
      does: 'r2 object get',
      line: `${wrangler} r2 object get peer-bucket/a/page.txt --file got.txt${remote} && cmp got.txt src/page.txt`,
    },
    { does: 'r2 object delete', line: `${wrangler} r2 object delete peer-bucket/a/page.txt${remote}` },
    { does: 'r2 bucket delete', line: `${wrangler} r2 bucket delete peer-bucket` },
    {
      does: 'deploy of a new worker',
      line: `${bind} && ${wrangler} ${deploy}`,
      prints: /peer\.sandbox\.workers/,
    },
    { does: 'secret put', line: `printf first | ${wrangler} secret put TOKEN` },
    { does: 'secret list', line: `${wrangler} secret list`, prints: /"name": ?"TOKEN"/ },
    {
      does: 'the deployed worker answers',
      line: `curl -fsS "http://peer.localhost:$EDGE_PORT/"`,
      prints: /"text":"page","word":"first","colour":"green","secret":"first"/,
    },
    { does: 'secret bulk', line: `${wrangler} ${bulkSecrets} secrets.json` },
    {
      does: 'deploy of a changed worker',
      line: `sed -i s/first/again/ wrangler.toml && ${wrangler} ${deploy}`,
    },
    {
      does: 'the changed worker answers',
      line: `curl -fsS "http://peer.localhost:$EDGE_PORT/"`,
      prints: /"word":"again".*"secret":"second"/,
    },
    {
      does: 'deployments list',
      line: `${wrangler} deployments list`,
      prints: /[0-9a-f]{8}-[0-9a-f]{4}-/,
      ...(!hasVersions && {
        differs:
          'it calls a beta route from 2023 (`workers/deployments/by-script`), which is not implemented',
      }),
    },
    { does: 'secret delete', line: `yes | ${wrangler} secret delete OTHER` },
    ...(hasVersions
      ? [
          { does: 'versions list', line: `${wrangler} versions list`, prints: /[0-9a-f]{8}-[0-9a-f]{4}-/ },
          {
            does: 'versions upload',
            line: `${wrangler} versions upload`,
            saves: { VERSION: /Worker Version ID: ([0-9a-f-]{36})/ },
          },
          { does: 'versions deploy', line: `${wrangler} versions deploy "$VERSION@100%" -y` },
          { does: 'rollback', line: `${wrangler} rollback -m back -y` },
        ]
      : []),
    { does: 'delete of a worker', line: `${wrangler} delete${hasVersions ? ' --force' : ''}` },
    {
      does: 'kv namespace delete',
      line: `${wrangler} kv${separator}namespace delete --namespace-id "$ID"`,
    },
  ];
}

const versions: readonly (readonly [version: string, dialect: Dialect])[] = [
  ['2.21.3', second],
  ['3.114.8', third],
  ['4.0.0', fourth],
  ['4.20.5', fourth],
  ['4.40.2', fourth],
  ['4.55.0', fourth],
  ['4.164.0', fourth],
];

export const wranglers: readonly Client[] = versions.map(([version, dialect]) => ({
  name: 'wrangler',
  npm: `wrangler@${version}`,
  from: 'npm',
  files,
  calls: callsIn(dialect),
}));
