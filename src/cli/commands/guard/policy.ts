import { resolve } from 'node:path';
import { plainName } from '../../../model/dns/dns.ts';
import type { Noun } from '../../../model/guard/effect.ts';
import {
  decide,
  describeRule,
  type GuardPolicy,
  type NamedFact,
  namedFacts,
  type Policies,
  type PolicyRule,
  type RequestFacts,
} from '../../../model/guard/policy.ts';
import { listPolicyWarnings } from '../../../model/guard/policy-warnings.ts';
import { Problem } from '../../../model/problem.ts';
import { decodePath, parseQuery } from '../../../s3/address.ts';
import { S3Refusal } from '../../../s3/refusal.ts';
import { loadPolicies } from '../../../services/guard/policy-file.ts';
import { findPolicyPaths } from '../../../services/guard/policy-paths.ts';
import { checkS3Ambiguity } from '../../../services/guard/s3-decision.ts';
import { escapeText } from '../../../text/escape.ts';
import { findAmbiguity, readRequestFacts } from '../../../v4/request-facts.ts';
import type { World } from '../../../world.ts';
import { confirmFlag } from '../../delete-limit.ts';
import { type CommandNode, type CommandRow, command } from '../../parsing/command.ts';
import { readCommandLine } from '../../parsing/command-line.ts';
import { globalFlags, localFlags, namespaceFlags, undoFlags, zoneFlags } from '../../parsing/flags.ts';
import type * as declared from './declarations.ts';

function readPolicies(
  world: World,
  named: string | undefined,
  otherwise: 'guard' | 'command',
): Promise<Policies> {
  return loadPolicies(findPolicyPaths(world), { named: named && resolve(world.cwd, named), otherwise });
}

export const showCommand = command<typeof declared.policyShow>({
  async run({ world, output }, { flags }) {
    const policies = await readPolicies(world, flags.policy, 'guard');
    const { deciding, tightening = [] } = policies;
    for (const message of listPolicyWarnings(policies)) output.warn(message);
    const all = [...deciding, ...tightening];
    if (output.json) return void (await output.answerJson(all.map(toJson)));
    for (const policy of all) {
      await output.line(formatSource(policy));
      for (const rule of policy.rules) await output.line(`  ${formatRule(rule)}`);
    }
    return undefined;
  },
});

function toJson({ source, path, digest, rules }: GuardPolicy) {
  return { source, ...(path !== undefined && { path }), ...(digest !== undefined && { digest }), rules };
}

const sourceNames: Readonly<Record<GuardPolicy['source'], string>> = {
  root: 'Administrator policy, which decides first',
  user: 'Your policy',
  named: 'Policy given with --policy',
  project: 'Project policy, which can only make a decision stricter',
  'built-in':
    'Built-in policy of a guard, for requests that match no rule above (without a guard, commands that match no rule are allowed)',
};

function formatSource({ source, path, digest }: GuardPolicy): string {
  const file = path === undefined ? '' : `: ${escapeText(path)} (SHA-256 ${digest})`;
  return `${sourceNames[source]}${file}`;
}

function formatRule({ name, decision, ...conditions }: PolicyRule): string {
  const parts = Object.entries(conditions).map(([field, value]) => `${field} ${[value].flat().join(', ')}`);
  return escapeText([`${decision}  "${name}"`, ...parts].join('; '));
}

export const testCommand = command<typeof declared.policyTest>({
  async run({ world, output, commands }, { args, flags }) {
    const [first = '', ...rest] = args.REQUEST;
    const isRequest = rest.length === 0 && /^[A-Z]+ \S/.test(first);
    const words = first === 'edgectl' ? rest : args.REQUEST;
    const client = flags.client ?? (isRequest ? 'curl' : 'edgectl');
    const facts = isRequest ? readRequest(first, client) : readCommandFacts(words, commands, client);
    const policies = await readPolicies(world, flags.policy, isRequest ? 'guard' : 'command');
    for (const message of listPolicyWarnings(policies)) output.warn(message);
    const decided = decide(policies, facts);
    const unnamed = [...facts.unnamed, ...(facts.count === undefined ? (['count'] as const) : [])];
    await output.result(
      `${decisionTexts[decided.decision]} by ${escapeText(describeRule(decided))}.${formatUnnamed(unnamed)}`,
      {
        decision: decided.decision,
        rule: decided.rule.name,
        policy: decided.policy.path ?? decided.policy.source,
        effect: facts.effect,
        ...(facts.noun !== undefined && { noun: facts.noun }),
        unnamed,
      },
    );
    return undefined;
  },
});

const decisionTexts = { allow: 'Allowed', ask: 'Requires approval', deny: 'Denied' } as const;

function formatUnnamed(unnamed: readonly string[]): string {
  if (unnamed.length === 0) return '';
  return ` This input does not specify: ${unnamed.join(', ')}. A rule that depends on an unknown fact matches only if it asks or denies.`;
}

/** Parses a request such as `DELETE /zones/ID`, or `DELETE s3:/BUCKET/KEY` for the S3 API. */
function readRequest(text: string, client: string): RequestFacts {
  const [method = '', address = ''] = text.split(/ +/);
  if (address.startsWith('s3:/')) {
    const path = address.slice('s3:'.length);
    checkS3Request(method, path);
    return readRequestFacts({ method, path, api: 's3' }, { target: 'production', client });
  }
  const path = address.replace(/^https?:\/\/[^/]+/, '').replace(/^\/client\/v4(?=\/)/, '');
  const ambiguity = findAmbiguity(method, path, {});
  if (ambiguity !== undefined) throw refusedByGuard(ambiguity);
  return readRequestFacts({ method, path }, { target: 'production', client });
}

function checkS3Request(method: string, path: string): void {
  try {
    checkS3Ambiguity({ method, path: decodePath(path), query: parseQuery(path), headers: {} });
  } catch (error) {
    throw error instanceof S3Refusal ? refusedByGuard(error.message) : error;
  }
}

function refusedByGuard(why: string): Problem {
  return new Problem('usage', `A guard refuses this request: ${why}`);
}

/** The kind of resource that a command affects, by the first words of the command; the longest match is used. */
const commandNouns: Readonly<Record<string, Noun>> = {
  kv: 'key',
  'kv namespace': 'namespace',
  'kv namespace clear': 'key',
  'objstore bucket': 'bucket',
  'objstore object': 'object',
  secret: 'secret',
  worker: 'worker',
  deploy: 'worker',
  hostname: 'hostname',
  'hostname fallback-origin': 'fallback-origin',
  'zone record': 'record',
  'zone hold': 'hold',
  'zone list': 'zone',
};

/** Commands that delete exactly what their only argument names, unless a flag selects more. */
const exactDeletes: readonly string[] = [
  'kv key delete',
  'kv namespace delete',
  'objstore bucket delete',
  'objstore object delete',
  'hostname delete',
  'secret delete',
];

/** Flags that do not select items: they choose the namespace, zone or target, and control confirmation, undo and output. */
const otherFlags = new Set(
  [globalFlags, namespaceFlags, localFlags, zoneFlags, confirmFlag, undoFlags].flatMap((flags) =>
    Object.keys(flags),
  ),
);

/** The facts that a request can contain, for some kinds of resources. A request about any other kind of resource can contain all facts. */
const possibleFacts: Partial<Record<Noun, readonly NamedFact[]>> = {
  key: ['account', 'namespace', 'name'],
  namespace: ['account', 'namespace', 'name'],
  object: ['account', 'bucket', 'name'],
  bucket: ['account', 'bucket', 'name'],
  hostname: ['account', 'zone', 'hostname', 'name'],
};

/** Returns the facts about a command's requests that follow from its declaration and its flags. */
function readCommandFacts(argv: readonly string[], root: CommandNode, client: string): RequestFacts {
  const { at, flags, args } = readCommandLine(argv, root);
  const { row } = at;
  if (row === undefined)
    throw new Problem('usage', `"${argv[0] ?? ''}" is neither an edgectl command nor a request.`, {
      hint: "For other programs, test a request: edgectl policy test 'DELETE /zones/ID' or 'DELETE s3:/BUCKET/KEY'",
    });
  const flag = (name: string) => flags.find((one) => one.name === name)?.value;
  const noun = findNoun(row);
  const isDelete = row.effect === 'destroy';
  // The arguments of these commands are a file, a folder, or a source and a destination.
  const isMany = /bulk|copy|sync|clear|import|export/.test(row.words);
  const isOne =
    !isMany && (!isDelete || (args.length <= 1 && flags.every(({ name }) => otherFlags.has(name))));
  // Requests about an existing hostname contain only its id.
  const isNamed = noun !== 'hostname' || row.words === 'hostname create';
  const named = isOne && isNamed ? args[0] : undefined;
  const [, bucket, key] = /^([^/]+)\/?(.*)$/s.exec(named ?? '') ?? [];
  const known: Partial<Record<NamedFact, string | undefined>> = {
    account: flag('account-id'),
    zone: flag('zone-id'),
    namespace: flag('namespace-id'),
    name: noun === 'object' ? key || undefined : named,
    ...(noun === 'hostname' && { hostname: named && plainName(named) }),
    ...((noun === 'bucket' || noun === 'object') && { bucket }),
    ...(noun === 'worker' && { worker: named }),
  };
  const names = Object.fromEntries(namedFacts.map((fact) => [fact, known[fact]])) as Record<
    NamedFact,
    string | undefined
  >;
  const possible = (noun === undefined ? undefined : possibleFacts[noun]) ?? namedFacts;
  return {
    method: '',
    path: row.words,
    effect: isDelete ? 'destroy' : row.effect === 'write' ? 'change' : 'read',
    route: undefined,
    noun,
    ...names,
    unnamed: possible.filter((fact) => names[fact] === undefined),
    count: isOne && (!isDelete || exactDeletes.includes(row.words)) ? 1 : undefined,
    target: findTarget(flags.map(({ name }) => name)),
    client,
  };
}

function findTarget(flags: readonly string[]): string {
  return flags.includes('local') ? 'local' : flags.includes('preview') ? 'preview' : 'production';
}

function findNoun({ words }: CommandRow): Noun | undefined {
  const [prefix] = Object.keys(commandNouns)
    .filter((start) => words === start || words.startsWith(`${start} `))
    .sort((one, other) => other.length - one.length);
  return prefix === undefined ? undefined : commandNouns[prefix];
}
