import type { CallLine, Client } from './client.ts';
import { wranglers } from './wrangler.ts';

/** The sandbox's zone that the clients act on. */
export const zone = 'tea-house.com';

const asJson = 'this version sends value and metadata as one JSON document, which is stored as the value';

/** The last release of each major version of the official SDK, and the calls in which the SDK itself is wrong. */
const sdks: readonly Client[] = Object.entries({
  '3.2.0': { 'kv bulk delete': 'this version sends no names, so the sandbox refuses the request' },
  '4.3.0': { 'kv.namespaces.values.get': asJson, 'kv.namespaces.metadata.get': asJson },
  '5.1.0': {},
  '6.4.0': {},
  '7.3.0': {},
}).map(([version, differs]) => ({
  name: 'cloudflare (TypeScript SDK)',
  npm: `cloudflare@${version}`,
  from: 'npm',
  calls: { line: 'node "$PROGRAMS/sdk.mjs"', differs },
}));

const javaScript: readonly Client[] = [
  {
    name: 'AWS SDK for JavaScript',
    npm: '@aws-sdk/client-s3@3.1169.0',
    from: 'npm',
    calls: { line: 'node "$PROGRAMS/aws-sdk.mjs"' },
  },
  { name: 'minio-js', npm: 'minio@8.0.7', from: 'npm', calls: { line: 'node "$PROGRAMS/minio.mjs"' } },
  {
    name: 'unstorage',
    npm: 'unstorage@1.17.6 aws4fetch@1.0.20',
    from: 'npm',
    byProxy: true,
    calls: {
      line: `post() { curl -fsS -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN" -H 'Content-Type: application/json' -d "$2" \\
          "https://api.cloudflare.com/client/v4/accounts/$CLOUDFLARE_ACCOUNT_ID/$1"; }
        post r2/buckets '{"name":"unstorage"}' > /dev/null
        id=$(post storage/kv/namespaces '{"title":"unstorage"}' | grep -o '"id":"[0-9a-f]*"' | cut -d'"' -f4)
        node "$PROGRAMS/unstorage.mjs" "$id"`,
    },
  },
  {
    name: 'alchemy',
    npm: 'alchemy@0.94.0',
    from: 'npm',
    // If CI is set, this program refuses to keep its state in a local folder.
    calls: { line: 'env -u CI node "$PROGRAMS/alchemy.mjs"' },
  },
  {
    name: 'cfcli',
    npm: 'cloudflare-cli@5.1.2',
    from: 'npm',
    byProxy: true,
    calls: cfcliCalls(),
  },
];

function cfcliCalls(): readonly CallLine[] {
  const cfcli = `CF_API_KEY="$CLOUDFLARE_API_TOKEN" "$CLIENT/.bin/cfcli" -d ${zone}`;
  return [
    { does: 'zones', line: `${cfcli} zones`, prints: /tea-house\.com/ },
    { does: 'add', line: `${cfcli} -t A add cli 192.0.2.7` },
    { does: 'ls', line: `${cfcli} ls`, prints: /192\.0\.2\.7/ },
    {
      does: 'edit',
      line: `${cfcli} -t A edit cli 192.0.2.8`,
      differs: 'it changes the record in the first zone of the account, regardless of the chosen zone',
    },
    { does: 'find', line: `${cfcli} find cli`, prints: /192\.0\.2\.7/ },
    { does: 'rm', line: `${cfcli} rm cli` },
  ];
}

/** Variables that configure the sandbox as the rclone remote `s`. */
const rclone = `export RCLONE_CONFIG=/dev/null RCLONE_CONFIG_S_TYPE=s3 RCLONE_CONFIG_S_PROVIDER=Cloudflare RCLONE_CONFIG_S_ENV_AUTH=true
  export RCLONE_CONFIG_S_REGION=auto RCLONE_CONFIG_S_ENDPOINT=$AWS_ENDPOINT_URL; rclone`;
/** AWS CLI versions before 2.13 do not read AWS_ENDPOINT_URL. */
const aws = '/usr/bin/aws --endpoint-url "$AWS_ENDPOINT_URL"';
const restic = 'RESTIC_PASSWORD=secret restic -r "s3:$AWS_ENDPOINT_URL/restic/backup" --no-cache';
const s3cmd =
  'host=$(echo "$AWS_ENDPOINT_URL" | cut -d/ -f3); s3cmd --config=/dev/null --no-ssl --host=$host --host-bucket=$host --region=auto ' +
  '--access_key=$AWS_ACCESS_KEY_ID --secret_key=$AWS_SECRET_ACCESS_KEY';
const lexicon = 'lexicon cloudflare --auth-token "$CLOUDFLARE_API_TOKEN"';
const certbot = '/usr/bin/python3 challenge.py';

/** A large file, which clients send in parts, and a small one whose name needs escapes. */
const makeFiles = `mkdir -p up/sub && head -c 12000000 /dev/zero | tr '\\0' x > up/large.bin && printf small > 'up/sub/ä b+c.txt'`;

const debian: readonly Client[] = [
  {
    name: 'AWS CLI',
    version: '/usr/bin/aws --version',
    from: 'apt-get install awscli',
    calls: [
      { does: 's3 mb', line: `${makeFiles}; ${aws} s3 mb s3://aws-cli` },
      { does: 's3 sync up', line: `${aws} s3 sync up s3://aws-cli/x`, prints: /upload: up\/large\.bin/ },
      { does: 's3 sync down', line: `${aws} s3 sync s3://aws-cli/x down && diff -r up down` },
      { does: 's3 sync without changes', line: `test -z "$(${aws} s3 sync up s3://aws-cli/x)"` },
      { does: 's3 ls', line: `${aws} s3 ls --recursive s3://aws-cli`, prints: /12000000 x\/large\.bin/ },
      // By default, the command also copies tags, which R2 does not implement: https://developers.cloudflare.com/r2/api/s3/api/.
      {
        does: 's3 mv',
        line: `${aws} s3 mv --copy-props metadata-directive s3://aws-cli/x/large.bin s3://aws-cli/y/large.bin`,
      },
      {
        does: 's3 presign',
        line: `curl -fsS "$(${aws} s3 presign "s3://aws-cli/x/sub/ä b+c.txt")"`,
        prints: /^small/,
      },
      {
        does: 's3api head-object',
        line: `${aws} s3api head-object --bucket aws-cli --key y/large.bin`,
        prints: /"ContentLength": 12000000/,
      },
      {
        does: 's3api put-object with metadata',
        line: `${aws} s3api put-object --bucket aws-cli --key m --body "up/sub/ä b+c.txt" --metadata tag=one --content-type text/plain`,
        prints: /"ETag"/,
      },
      {
        does: 's3api list-objects-v2 in pages',
        line: `${aws} s3api list-objects-v2 --bucket aws-cli --page-size 1 --query "Contents[].Key" --output text`,
        prints: /^m\s+x\/sub\/ä b\+c\.txt\s+y\/large\.bin/,
      },
      { does: 's3 rm', line: `${aws} s3 rm --recursive s3://aws-cli` },
      { does: 's3 rb', line: `${aws} s3 rb s3://aws-cli` },
    ],
  },
  {
    name: 'boto3',
    version: '/usr/bin/python3 -c "import boto3; print(boto3.__version__)"',
    from: 'apt-get install python3-boto3',
    calls: { line: '/usr/bin/python3 "$PROGRAMS/s3-boto.py"' },
  },
  {
    name: 'rclone',
    version: 'rclone version',
    from: 'apt-get install rclone',
    calls: [
      { does: 'mkdir', line: `${makeFiles}; ${rclone} mkdir s:rclone` },
      { does: 'sync up', line: `${rclone} sync --s3-upload-cutoff 6M up s:rclone/x` },
      { does: 'sync down', line: `${rclone} sync s:rclone/x down && diff -r up down` },
      { does: 'check', line: `${rclone} check up s:rclone/x`, prints: /2 matching files/ },
      { does: 'lsjson', line: `${rclone} lsjson -R s:rclone`, prints: /"Path":"x\/large\.bin"/ },
      { does: 'copyto', line: `${rclone} copyto s:rclone/x/large.bin s:rclone/copy.bin` },
      { does: 'moveto', line: `${rclone} moveto s:rclone/copy.bin s:rclone/moved.bin` },
      { does: 'cat', line: `${rclone} cat "s:rclone/x/sub/ä b+c.txt"`, prints: /^small/ },
      { does: 'size', line: `${rclone} size s:rclone`, prints: /Total objects: 3/ },
      { does: 'rcat', line: `printf streamed | { ${rclone} rcat s:rclone/streamed; }` },
      { does: 'touch', line: `${rclone} touch s:rclone/touched` },
      {
        does: 'link',
        line: `link=$(${rclone} link --expire 1h s:rclone/streamed); curl -fsS "$link"`,
        prints: /^streamed/,
      },
      { does: 'dedupe', line: `${rclone} delete s:rclone/x` },
      { does: 'purge', line: `${rclone} purge s:rclone && test -z "$(rclone lsf s:)"` },
    ],
  },
  {
    name: 'restic',
    version: 'restic version',
    from: 'apt-get install restic',
    calls: [
      { does: 'init', line: `${makeFiles}; ${restic} init`, prints: /created restic repository/ },
      { does: 'backup', line: `${restic} backup up`, prints: /snapshot [0-9a-f]+ saved/ },
      { does: 'backup without changes', line: `${restic} backup up`, prints: /0 new, +0 changed/ },
      { does: 'snapshots', line: `${restic} snapshots`, prints: /2 snapshots/ },
      { does: 'restore', line: `${restic} restore latest --target back && diff -r up back/up` },
      { does: 'check', line: `${restic} check --read-data`, prints: /no errors were found/ },
      { does: 'forget', line: `${restic} forget --keep-last 1 --prune` },
    ],
  },
  {
    name: 's3cmd',
    version: 's3cmd --version',
    from: 'apt-get install s3cmd',
    calls: [
      { does: 'mb', line: `${makeFiles}; ${s3cmd} mb s3://s3cmd` },
      { does: 'sync up', line: `${s3cmd} sync --multipart-chunk-size-mb=5 up/ s3://s3cmd/x/` },
      { does: 'sync down', line: `mkdir down && ${s3cmd} sync s3://s3cmd/x/ down/ && diff -r up down` },
      { does: 'ls', line: `${s3cmd} ls -r s3://s3cmd`, prints: /12000000 .*s3:\/\/s3cmd\/x\/large\.bin/ },
      { does: 'info', line: `${s3cmd} info s3://s3cmd/x/large.bin`, prints: /File size: 12000000/ },
      { does: 'cp', line: `${s3cmd} cp s3://s3cmd/x/large.bin s3://s3cmd/copy.bin` },
      { does: 'mv', line: `${s3cmd} mv s3://s3cmd/copy.bin s3://s3cmd/moved.bin` },
      { does: 'du', line: `${s3cmd} du s3://s3cmd`, prints: /24000005 +3 objects/ },
      { does: 'del', line: `${s3cmd} del -r -f s3://s3cmd` },
      { does: 'rb', line: `${s3cmd} rb s3://s3cmd` },
    ],
  },
  {
    name: 'lexicon',
    version: 'lexicon --version',
    from: 'apt-get install lexicon',
    byProxy: true,
    calls: [
      { does: 'create', line: `${lexicon} create ${zone} TXT --name demo --content hello` },
      {
        does: 'create again',
        line: `${lexicon} create ${zone} TXT --name demo --content hello`,
        differs: 'it recognizes only error 81057; an identical record is refused with 81058',
      },
      { does: 'list', line: `${lexicon} list ${zone} TXT`, prints: /demo\.tea-house\.com.*hello/ },
      { does: 'update', line: `${lexicon} update ${zone} TXT --name demo --content changed` },
      { does: 'list after an update', line: `${lexicon} list ${zone} TXT`, prints: /changed/ },
      { does: 'delete', line: `${lexicon} delete ${zone} TXT --name demo` },
    ],
  },
  {
    name: "certbot's plugin",
    version:
      '/usr/bin/python3 -c "import importlib.metadata as m; print(m.version(\'certbot-dns-cloudflare\'))"',
    from: 'apt-get install python3-certbot-dns-cloudflare',
    byProxy: true,
    files: {
      'challenge.py': `import os, sys
from certbot_dns_cloudflare._internal.dns_cloudflare import _CloudflareClient
client = _CloudflareClient(email=None, api_key=None, api_token=os.environ["CLOUDFLARE_API_TOKEN"])
name = "_acme-challenge.${zone}"
if sys.argv[1] == "add": client.add_txt_record("${zone}", name, sys.argv[2], 120)
else: client.del_txt_record("${zone}", name, sys.argv[2])
`,
    },
    calls: [
      { does: 'add_txt_record', line: `${certbot} add one` },
      { does: 'add_txt_record, a second value', line: `${certbot} add two` },
      { does: 'del_txt_record', line: `${certbot} del one` },
      { does: 'del_txt_record, the second value', line: `${certbot} del two` },
    ],
  },
  {
    name: 'cloudflare (Python, major 2)',
    version: '/usr/bin/python3 -c "import importlib.metadata as m; print(m.version(\'cloudflare\'))"',
    from: 'apt-get install python3-cloudflare',
    byProxy: true,
    calls: { line: '/usr/bin/python3 "$PROGRAMS/python-cloudflare.py"' },
  },
];

/** Programs, or versions of programs, that neither npm nor Debian 12 provides. */
const absent: readonly Client[] = [
  ['octoDNS', 'not in Debian 12 or npm'],
  ['flarectl', 'not in Debian 12 or npm'],
  ['acme.sh', 'not in Debian 12 or npm'],
  ['cloudflare (Python SDK, from major 3)', 'Debian 12 contains only major 2'],
  ['cloudflare-go', 'not in Debian 12'],
].map(([name = '', from = '']) => ({ name, from, calls: [] }));

export const clients: readonly Client[] = [...wranglers, ...sdks, ...javaScript, ...debian, ...absent];
