import { readConfig } from '../../config/read.ts';
import { type FoundKind, type Reader, readFound } from '../../files/found.ts';
import { orUnreadableProblem, untrustedProblem } from '../../files/trust-problems.ts';
import { plainName } from '../../model/dns/dns.ts';
import { hashLine } from '../../model/guard/audit.ts';
import { callEffects, nouns } from '../../model/guard/effect.ts';
import {
  commandPolicy,
  decisions,
  type GuardPolicy,
  guardPolicy,
  matchesPattern,
  type Policies,
  type PolicyRule,
  type PolicySource,
  readOnlyPolicy,
} from '../../model/guard/policy.ts';
import { isObject } from '../../model/json-object.ts';
import { s3Operations } from '../../model/objects/s3-operation.ts';
import { Problem } from '../../model/problem.ts';
import { nearest } from '../../text/nearest.ts';
import { allowedMethods, isPercentEncodedUtf8 } from '../../v4/request-facts.ts';
import type { PolicyPaths } from './policy-paths.ts';

export interface PolicyChoice {
  /** A policy file named by the user, which replaces the user's own policy. */
  readonly named?: string | undefined;
  /** Why the session is read-only; undefined if the session is not read-only. */
  readonly readOnly?: string | undefined;
  /** The built-in policy to use if no file applies: the policy for guards, or the policy for commands. */
  readonly otherwise: 'guard' | 'command';
}

/** Reads the policies that apply. Refuses an untrusted file; refuses an invalid rule and reports its line. */
export async function loadPolicies(paths: PolicyPaths, choice: PolicyChoice): Promise<Policies> {
  const [root, user, project] = await Promise.all([
    readPolicy('root', paths.root, 'settings', rootReader),
    choice.named === undefined
      ? readPolicy('user', paths.user, 'settings')
      : readPolicy('named', choice.named, undefined),
    readPolicy('project', paths.project, 'folder-policy'),
  ]);
  const readOnly = choice.readOnly === undefined ? undefined : readOnlyPolicy(choice.readOnly);
  const builtIn = choice.otherwise === 'guard' ? guardPolicy : commandPolicy;
  return {
    deciding: [root, user, builtIn].filter((policy) => policy !== undefined),
    tightening: [project, readOnly].filter((policy) => policy !== undefined),
  };
}

/** The administrator's policy must belong to root, whichever user reads the policy. */
const rootReader: Reader = { uid: 0, cwd: '/' };

/** Reads a policy. A file named by the user has no `kind`, because it needs no trust check. */
async function readPolicy(
  source: PolicySource,
  path: string | undefined,
  kind: FoundKind | undefined,
  reader?: Reader,
): Promise<GuardPolicy | undefined> {
  if (path === undefined) return undefined;
  const bytes = kind === undefined ? undefined : readPolicyBytes(path, kind, reader);
  const parsed = await readConfig({ path, format: 'toml', fallback: false }, bytes);
  const fail = (at: readonly (string | number)[], message: string): never => {
    const line = parsed.locate(at)?.line;
    throw new Problem('config-invalid', `${path}${line === undefined ? '' : `:${line}`}: ${message}`);
  };
  const rules = checkRules(parsed.data, fail);
  return { source, path, digest: hashLine(bytes ?? Buffer.from(parsed.text)), rules };
}

function readPolicyBytes(path: string, kind: FoundKind, reader: Reader | undefined): Buffer {
  const found = orUnreadableProblem('config-invalid', path, () => readFound(kind, path, reader));
  if (found === undefined) throw new Problem('config-invalid', `${path} was deleted.`);
  if ('doubt' in found)
    throw untrustedProblem('config-invalid', path, found.doubt, 'edgectl does not act without this policy');
  return found.bytes;
}

type Fail = (at: readonly (string | number)[], message: string) => never;

/** The fields of a rule in a file, and how each is checked. */
const fields = {
  name: 'text',
  decision: decisions,
  effect: [...callEffects, 'unknown'],
  noun: nouns,
  route: 'patterns',
  account: 'patterns',
  zone: 'patterns',
  namespace: 'patterns',
  bucket: 'patterns',
  worker: 'patterns',
  hostname: 'patterns',
  names: 'patterns',
  target: ['production', 'preview', 'local'],
  client: 'patterns',
  over: 'number',
} as const;

type Field = keyof typeof fields;

function checkRules(data: unknown, fail: Fail): PolicyRule[] {
  const top = isObject(data) ? data : {};
  for (const name of Object.keys(top))
    if (name !== 'rule') fail([name], `unknown field "${name}"; define each rule as a [[rule]] table.`);
  const rules = top['rule'] ?? [];
  if (!Array.isArray(rules))
    return fail(['rule'], 'define each rule as a [[rule]] table, with double brackets.');
  return rules.map((rule: unknown, index) => checkRule(rule, ['rule', index], fail));
}

function checkRule(rule: unknown, at: readonly (string | number)[], fail: Fail): PolicyRule {
  if (!isObject(rule)) return fail(at, 'a rule must be a [[rule]] table.');
  const checked: Record<string, unknown> = { name: `rule ${Number(at[1]) + 1}` };
  for (const [name, value] of Object.entries(rule)) {
    if (!Object.hasOwn(fields, name)) {
      const near = nearest(name, Object.keys(fields));
      const hint =
        near === undefined ? `Fields: ${Object.keys(fields).join(', ')}.` : `Did you mean "${near}"?`;
      fail([...at, name], `unknown field "${name}" in a rule. ${hint}`);
    }
    checked[name] = checkField(name as Field, value, (message) => fail([...at, name], message));
  }
  const hostnames = (checked['hostname'] as string[] | undefined)?.map(plainName);
  if (hostnames !== undefined) checked['hostname'] = hostnames;
  const wrong = hostnames?.find((pattern) => !/^[\w*-]+(?:\.[\w*-]+)*$/.test(pattern));
  if (wrong !== undefined)
    fail(
      [...at, 'hostname'],
      `${JSON.stringify(wrong)} is not a hostname. Write a name such as "shop.example.com" or "*.example.com", without https:// or a path, and with non-ASCII labels in punycode (xn--…).`,
    );
  for (const name of ['account', 'zone', 'namespace', 'route'] as const)
    for (const pattern of (checked[name] as string[] | undefined) ?? []) {
      const fault =
        name === 'route' ? findRouteFault(pattern) : findIdFault(name, pattern, checked['target']);
      if (fault !== undefined) fail([...at, name], fault);
    }
  if (checked['decision'] === undefined)
    fail(at, `the rule has no decision; specify one of ${decisions.join(', ')}.`);
  return checked as unknown as PolicyRule;
}

/** Explains why a pattern matches no id; undefined if the pattern can match one. Local data has ids of any form. */
function findIdFault(
  name: 'account' | 'zone' | 'namespace',
  pattern: string,
  target: unknown,
): string | undefined {
  if (pattern.includes('*') || /^[0-9a-f]{32}$/.test(pattern)) return undefined;
  if (Array.isArray(target) && target.every((one) => one === 'local')) return undefined;
  return `${JSON.stringify(pattern)} is not ${name === 'account' ? 'an' : 'a'} ${name} id: expected 32 lower-case hex digits, or a pattern with *. A name never matches.`;
}

/**
 * Explains why a pattern matches no request; undefined if the pattern can match one. A path that is not in the table of routes can be a new
 * route.
 */
function findRouteFault(pattern: string): string | undefined {
  if (!pattern.split('*').every(isPercentEncodedUtf8))
    return 'a path must be percent-encoded UTF-8: write a % itself as %25.';
  if (pattern.startsWith('*') || pattern.startsWith('/')) return undefined;
  if (pattern.startsWith('s3:')) return findOperationFault(pattern);
  const [method = '', path = ''] = pattern.split(' ', 2);
  const methods = [...allowedMethods].filter((one) => matchesPattern(method, one));
  if (methods.length === 0) return `unknown method "${method}". Methods: ${[...allowedMethods].join(', ')}.`;
  if (path.startsWith('s3:')) return findOperationFault(path, methods);
  return /^[/*]/.test(path) ? undefined : `the path of a route must begin with "/", not "${path}".`;
}

/**
 * Explains why a pattern matches no S3 operation that uses one of the methods (default: any method); undefined if the pattern can match
 * one.
 */
function findOperationFault(pattern: string, methods?: readonly string[]): string | undefined {
  // Patterns that begin with `s3:/` or `s3:*` can match a path.
  if (pattern.startsWith('s3:/') || pattern.startsWith('s3:*')) return undefined;
  const operation = pattern.slice('s3:'.length);
  const found = Object.entries(s3Operations).filter(([name]) => matchesPattern(operation, name));
  if (found.length === 0) {
    const known = Object.keys(s3Operations);
    // A name with the same verb is more likely, even if it is less similar: DelObject means DeleteObject, not GetObject.
    const sameVerb = known.filter((name) => name.startsWith(operation.slice(0, 1)));
    const near = nearest(operation, sameVerb) ?? nearest(operation, known);
    return `unknown S3 operation "${operation}".${near === undefined ? '' : ` Did you mean "${near}"?`}`;
  }
  if (methods === undefined || found.some(([, { method }]) => methods.includes(method))) return undefined;
  const used = [...new Set(found.map(([, { method }]) => method))].join(', ');
  return `the S3 operation "${operation}" uses ${used}, not ${methods.join(', ')}.`;
}

function checkField(name: Field, value: unknown, fail: (message: string) => never): unknown {
  const kind = fields[name];
  if (kind === 'text')
    return typeof value === 'string' && value !== '' ? value : fail(`${name} must be a string.`);
  if (kind === 'number') {
    const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    return isCount ? value : fail(`${name} must be a whole number.`);
  }
  if (name === 'decision') return checkWord(name, value, decisions, fail);
  const items: unknown = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(items) || items.length === 0)
    return fail(`${name} must be a string, or a list of strings.`);
  return items.map((item: unknown) => {
    if (item === '') return fail(`${name} must not be empty.`);
    if (typeof item !== 'string') return fail(`${name} must be a list of strings.`);
    return kind === 'patterns' ? item : checkWord(name, item, kind, fail);
  });
}

function checkWord(
  name: string,
  value: unknown,
  words: readonly string[],
  fail: (message: string) => never,
): string {
  if (typeof value === 'string' && words.includes(value)) return value;
  const near = typeof value === 'string' ? nearest(value, words) : undefined;
  const hint = near === undefined ? `Values: ${words.join(', ')}.` : `Did you mean "${near}"?`;
  return fail(`${JSON.stringify(value)} is not a valid ${name}. ${hint}`);
}
