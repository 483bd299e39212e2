import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../support/program.ts';
import { scratchFolder } from '../support/world.ts';

const checkout = resolve(import.meta.dirname, '../..');
const zone = 'tea-house.com';

interface Client {
  readonly name: string;
  /** A command that succeeds if the client is installed. */
  readonly probe: readonly string[];
  /** Files that are created next to the script. */
  readonly files?: Readonly<Record<string, string>>;
  readonly script: string;
  /** Text that is expected in the output. */
  readonly says: string;
}

const python = (code: string) => `import json, os
token = os.environ["CLOUDFLARE_API_TOKEN"]
headers = {"Authorization": "Bearer " + token}
url = "https://api.cloudflare.com/client/v4/zones"
${code}`;

/** Clients whose base URL cannot be changed. */
const clients: readonly Client[] = [
  {
    name: 'the official SDK, by the fetch of Node',
    probe: [process.execPath, '--version'],
    files: {
      'sdk.mjs': `import { createRequire } from 'node:module';
        const Cloudflare = createRequire(${JSON.stringify(join(checkout, 'package.json'))})('cloudflare').default;
        const client = new Cloudflare();
        console.log(client.baseURL, (await client.zones.list()).result.map(({ name }) => name));`,
    },
    script: `unset CLOUDFLARE_BASE_URL && '${process.execPath}' sdk.mjs`,
    says: 'https://api.cloudflare.com/client/v4 [',
  },
  {
    name: 'wrangler, with its usual base URL',
    probe: [process.execPath, '--version'],
    script: `unset CLOUDFLARE_API_BASE_URL && '${process.execPath}' '${checkout}/node_modules/wrangler/bin/wrangler.js' kv namespace create proxied`,
    says: 'proxied',
  },
  {
    name: 'curl',
    probe: ['curl', '--version'],
    script:
      'curl -sS -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN" https://api.cloudflare.com/client/v4/zones',
    says: zone,
  },
  {
    name: 'urllib of Python',
    probe: ['python3', '--version'],
    files: {
      'asks.py': python(`import urllib.request
print(json.load(urllib.request.urlopen(urllib.request.Request(url, headers=headers)))["result"])`),
    },
    script: 'python3 asks.py',
    says: zone,
  },
  {
    name: 'requests of Python',
    probe: ['python3', '-c', 'import requests'],
    files: {
      'asks.py': python('import requests\nprint(requests.get(url, headers=headers).json()["result"])'),
    },
    script: 'python3 asks.py',
    says: zone,
  },
  {
    name: "certbot's plugin",
    probe: ['/usr/bin/python3', '-c', 'import certbot_dns_cloudflare'],
    files: {
      'asks.py': python(`from certbot_dns_cloudflare._internal.dns_cloudflare import _CloudflareClient
client = _CloudflareClient(email=None, api_key=None, api_token=token)
client.add_txt_record("${zone}", "_acme-challenge.${zone}", "proof", 120)
client.del_txt_record("${zone}", "_acme-challenge.${zone}", "proof")
print("challenge set")`),
    },
    script: '/usr/bin/python3 asks.py',
    says: 'challenge set',
  },
  {
    name: 'lexicon',
    probe: ['lexicon', '--version'],
    script: `lexicon cloudflare --auth-token "$CLOUDFLARE_API_TOKEN" create ${zone} TXT --name demo --content hello
      lexicon cloudflare --auth-token "$CLOUDFLARE_API_TOKEN" list ${zone} TXT`,
    says: `demo.${zone}`,
  },
  {
    name: 'ddclient',
    probe: ['ddclient', '-help'],
    script: `umask 077
      printf 'protocol=cloudflare\\nuse=ip, ip=198.51.100.7\\nssl=yes\\nzone=${zone}\\nlogin=token\\npassword=%s\\nhome.${zone}\\n' "$CLOUDFLARE_API_TOKEN" > dd.conf
      ddclient -curl -foreground -daemon=0 -force -verbose -noquiet -file dd.conf -cache dd.cache -pid '' 2>&1`,
    says: 'IPv4 address set to 198.51.100.7',
  },
];

/** Runs a script in a folder, with a sandbox that has a zone, through the sandbox's proxy. */
function runProxied(cwd: string, script: string) {
  const records = [{ type: 'A', name: `home.${zone}`, content: '192.0.2.9' }];
  writeFileSync(join(cwd, 'seed.json'), JSON.stringify({ zones: [{ name: zone, records }] }));
  const line = [program, 'sandbox', 'exec', '--proxy', '--seed', 'seed.json', '--', 'sh', '-c', script];
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...process.env, PATH: path, NO_PROXY: undefined, WRANGLER_SEND_METRICS: 'false', HOME: cwd };
  return spawnSync(process.execPath, line, { cwd, env, encoding: 'utf8' });
}

test.for(clients)('$name reaches the sandbox', ({ name, probe, files = {}, script, says }, { skip }) => {
  const [first = '', ...rest] = probe;
  skip(spawnSync(first, rest).status !== 0, `${name} is not installed here`);
  const cwd = scratchFolder('fixed-host');
  for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text);
  const { status, stdout, stderr } = runProxied(cwd, script);
  expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
  expect(stdout).toContain(says);
});
