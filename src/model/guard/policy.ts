import type { CallEffect, Noun } from './effect.ts';

/** Decisions about a request, from the loosest to the strictest. `ask`: a person must approve the request. */
export const decisions = ['allow', 'ask', 'deny'] as const;

export type Decision = (typeof decisions)[number];

/** The effect of a request. `unknown`: a write to a route that is not in the table of routes. */
export type RequestEffect = CallEffect | 'unknown';

/** The facts about a request that rules can match. All facts except `count` are known without the body. */
export interface RequestFacts {
  readonly method: string;
  /** The path as sent, without its query; `s3:/bucket/key` for the S3 API. */
  readonly path: string;
  /** The query of a v4 API request that writes, with its question mark. It can change what the request does, such as `?force=true`. */
  readonly query?: string | undefined;
  readonly effect: RequestEffect;
  /**
   * The declared route, such as `/zones/:zone`, or the S3 API operation, such as `s3:PutObject`; undefined if the route is not in the table
   * of routes.
   */
  readonly route: string | undefined;
  readonly noun: Noun | undefined;
  readonly account: string | undefined;
  readonly zone: string | undefined;
  readonly namespace: string | undefined;
  readonly bucket: string | undefined;
  readonly worker: string | undefined;
  readonly hostname: string | undefined;
  /** The name or id of the resource itself: of a key, object, worker or record. */
  readonly name: string | undefined;
  /** Names that the body contains, if it was read. These names replace the single names above: a request can affect several resources. */
  readonly listed?: Readonly<Partial<Record<NamedFact, readonly string[]>>> | undefined;
  /** Facts that the request itself does not contain, because it refers to a hostname by id, or creates a hostname named in the body. */
  readonly unnamed: readonly NamedFact[];
  /** Number of affected resources; undefined if only the body contains the number. */
  readonly count: number | undefined;
  /** The object that an S3 request copies, as its header contains it. */
  readonly source?: string | undefined;
  /** The jurisdiction of the bucket, if the request specifies one. A bucket of another jurisdiction can have the same name. */
  readonly jurisdiction?: string | undefined;
  /** The value is production, preview or local. */
  readonly target: string;
  /** The program: `edgectl`, `console`, or the program that the guard started. */
  readonly client: string;
}

/** Facts that are names or ids. */
export const namedFacts = ['account', 'zone', 'namespace', 'bucket', 'worker', 'hostname', 'name'] as const;

export type NamedFact = (typeof namedFacts)[number];

/** A policy rule. The request must match an entry of every list in the rule. In a pattern, `*` matches any characters. */
export interface PolicyRule {
  /** The rule's name, for messages and the log. */
  readonly name: string;
  readonly decision: Decision;
  readonly effect?: readonly RequestEffect[] | undefined;
  readonly noun?: readonly Noun[] | undefined;
  /** Entries such as `DELETE /zones/:zone`, `s3:DeleteObjects`, or the path itself. An entry without a method matches every method. */
  readonly route?: readonly string[] | undefined;
  readonly account?: readonly string[] | undefined;
  readonly zone?: readonly string[] | undefined;
  readonly namespace?: readonly string[] | undefined;
  readonly bucket?: readonly string[] | undefined;
  readonly worker?: readonly string[] | undefined;
  readonly hostname?: readonly string[] | undefined;
  /** Patterns that `RequestFacts.name` must match. */
  readonly names?: readonly string[] | undefined;
  readonly target?: readonly string[] | undefined;
  readonly client?: readonly string[] | undefined;
  /** Matches requests that affect more than this number of resources. */
  readonly over?: number | undefined;
}

/** The source of a policy. `built-in` is used if no other policy decides; `named` is a file that the user specified. */
export type PolicySource = 'root' | 'user' | 'named' | 'project' | 'built-in';

export interface GuardPolicy {
  readonly source: PolicySource;
  /** The policy file; undefined for a built-in policy. */
  readonly path?: string | undefined;
  /** SHA-256 of the policy file. */
  readonly digest?: string | undefined;
  /** The remedy for a refusal, if no change of the policy can help. */
  readonly remedy?: string;
  readonly rules: readonly PolicyRule[];
}

/** The policies that apply together. */
export interface Policies {
  /** Policies in order of precedence: the first policy with a matching rule decides. The last policy must decide about every request. */
  readonly deciding: readonly GuardPolicy[];
  /** Policies that can only make the decision stricter. */
  readonly tightening?: readonly GuardPolicy[] | undefined;
}

/** A rule, and its policy. */
export interface FoundRule {
  readonly rule: PolicyRule;
  readonly policy: GuardPolicy;
}

/** A rule that requires approval, and the names in the request that it asks about. */
export interface AskingRule extends FoundRule {
  readonly names: readonly string[];
}

/** A decision, and the rule that made it. */
export interface Decided extends FoundRule {
  readonly decision: Decision;
  /** Each rule that requires approval, once; empty for other decisions. Different names in a request can match different rules. */
  readonly asking: readonly AskingRule[];
  /** Facts on which the rule has conditions and that the request does not show; empty if the rule certainly matches. */
  readonly unknown?: readonly string[];
}

/** Decides about a request. If its body contains several names, each name is decided separately, and the strictest decision applies. */
export function decide(policies: Policies, request: RequestFacts): Decided {
  return decideAll(policies, [request]);
}

/** Decides about a request that several facts describe, such as a copy and the reading of its source. The strictest decision applies. */
export function decideAll(policies: Policies, requests: readonly RequestFacts[]): Decided {
  const all = requests.flatMap(listByName).map((one) => decideOne(policies, one));
  const strictest = all.reduce(findStricter);
  if (strictest.decision !== 'ask') return { ...strictest, asking: [] };
  const asking = new Map<PolicyRule, AskingRule & { readonly names: string[] }>();
  for (const { rule, policy, names } of all.flatMap((one) => one.asking)) {
    const found = asking.get(rule) ?? { rule, policy, names: [] };
    found.names.push(...names);
    asking.set(rule, found);
  }
  return { ...strictest, asking: [...asking.values()] };
}

/** Returns the facts for each name in the body, each with the count of the request; the request itself if its body contains no name. */
function listByName({ listed = {}, ...request }: RequestFacts): RequestFacts[] {
  return Object.entries(listed).reduce<RequestFacts[]>(
    (all, [fact, names]) =>
      names.length === 0
        ? all
        : all.flatMap((one) => [...new Set(names)].map((name) => ({ ...one, [fact]: name }))),
    [request],
  );
}

/** Whether a rule in these policies has a condition on a fact that a body can contain: a name, or the number of resources. */
export function dependsOnBody({ deciding, tightening = [] }: Policies): boolean {
  return [...deciding, ...tightening].some(({ rules }) =>
    rules.some(
      (rule) =>
        rule.over !== undefined ||
        namedFacts.some((fact) => rule[fact === 'name' ? 'names' : fact] !== undefined),
    ),
  );
}

/** Decides about a request with at most one name of each kind. */
function decideOne({ deciding, tightening = [] }: Policies, request: RequestFacts): Decided {
  const decided: Decided = firstDecided(deciding, request) ?? {
    decision: 'deny',
    rule: noRule,
    policy: { source: 'built-in', rules: [] },
    asking: [],
  };
  const tightened = tightening.map((policy) => firstDecided([policy], request));
  const all = [decided, ...tightened.filter((one) => one !== undefined)];
  return { ...all.reduce(findStricter), asking: all.flatMap(({ asking }) => asking) };
}

const noRule: PolicyRule = { name: 'no rule', decision: 'deny' };

/** Returns the stricter decision; the first one if both are equal. */
function findStricter(one: Decided, other: Decided): Decided {
  return decisions.indexOf(other.decision) > decisions.indexOf(one.decision) ? other : one;
}

/**
 * Decides by the first rule that certainly matches, and by earlier rules that could match because a fact in their conditions is unknown.
 * The strictest of these rules applies, so a rule that asks does not hide a rule that denies. A rule that allows must match certainly.
 */
function firstDecided(policies: readonly GuardPolicy[], request: RequestFacts): Decided | undefined {
  const rules = policies.flatMap((policy) => policy.rules.map((rule) => ({ rule, policy })));
  const certain = rules.findIndex(({ rule }) => doesMatch(rule, request, false));
  const before = certain === -1 ? rules : rules.slice(0, certain);
  const possible = [
    ...before.filter(({ rule }) => rule.decision !== 'allow' && doesMatch(rule, request, true)),
    ...rules.slice(before.length, before.length + 1),
  ];
  const names = request.name === undefined ? [] : [request.name];
  const asking = possible
    .filter(({ rule }) => rule.decision === 'ask')
    .map((found): AskingRule => ({ ...found, names }));
  const [first, ...more] = possible.map(
    (found): Decided => ({
      ...found,
      decision: found.rule.decision,
      asking,
      unknown: listUnknown(found.rule, request),
    }),
  );
  return first && more.reduce(findStricter, first);
}

/** Whether a rule matches. A condition on an unknown fact counts as `ifUnknown`. */
function doesMatch(rule: PolicyRule, request: RequestFacts, ifUnknown: boolean): boolean {
  return (
    matchesEffect(rule, request, ifUnknown) &&
    (rule.noun === undefined ||
      (request.noun === undefined ? ifUnknown : rule.noun.includes(request.noun))) &&
    (rule.route?.some((pattern) => matchesRoute(pattern, request)) ?? true) &&
    namedFacts.every((fact) => {
      const patterns = fact === 'name' ? rule.names : rule[fact];
      if (patterns === undefined) return true;
      const value = request[fact];
      if (value === undefined) return ifUnknown && request.unnamed.includes(fact);
      return patterns.some((pattern) => matchesPattern(pattern, value));
    }) &&
    (rule.target?.includes(request.target) ?? true) &&
    (rule.client?.some((pattern) => matchesPattern(pattern, request.client)) ?? true) &&
    (rule.over === undefined || (request.count === undefined ? ifUnknown : request.count > rule.over))
  );
}

/** Returns what a matching rule has conditions on and the request does not show, in words. */
function listUnknown(rule: PolicyRule, request: RequestFacts): string[] {
  return [
    ...(matchesEffect(rule, request, false) ? [] : ['effect']),
    ...(rule.noun !== undefined && request.noun === undefined ? ['kind of resource'] : []),
    ...namedFacts.filter(
      (fact) => rule[fact === 'name' ? 'names' : fact] !== undefined && request[fact] === undefined,
    ),
    ...(rule.over !== undefined && request.count === undefined ? ['number of items'] : []),
  ];
}

/** A write with an unknown effect could be any write. */
function matchesEffect(
  { effect: effects }: PolicyRule,
  { effect }: RequestFacts,
  ifUnknown: boolean,
): boolean {
  if (effects === undefined || effects.includes(effect)) return true;
  return effect === 'unknown' && ifUnknown && effects.some((one) => one !== 'read');
}

function matchesRoute(pattern: string, { method, route, path }: RequestFacts): boolean {
  const paths = route === undefined ? [path] : [route, path];
  return paths.some((one) =>
    matchesPattern(pattern, /^(?:\/|s3:|\*$)/.test(pattern) ? one : `${method} ${one}`),
  );
}

/** Whether a string matches a pattern, in which `*` matches any characters. Runs in time proportional to the product of both lengths. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

/**
 * The policy of a guard without a policy file: reads and changes are allowed; deletes, unknown writes, and changes that create credentials
 * require approval.
 */
export const guardPolicy: GuardPolicy = {
  source: 'built-in',
  rules: [
    { name: 'reads', decision: 'allow', effect: ['read'] },
    { name: 'unknown writes', decision: 'ask', effect: ['unknown'] },
    { name: 'new credentials', decision: 'ask', effect: ['change'], noun: ['token', 'access-key', 'member'] },
    { name: 'changes', decision: 'allow', effect: ['change'] },
    { name: 'deletes', decision: 'ask', effect: ['destroy'] },
  ],
};

/** The policy of a session that must not change anything. `why` is the reason, as a clause. */
export function readOnlyPolicy(why: string): GuardPolicy {
  const effect = ['change', 'destroy', 'unknown'] as const;
  return { source: 'built-in', rules: [{ name: `read-only: ${why}`, decision: 'deny', effect }] };
}

/** The remedy if a guard's profile is locked. */
export const unlockAgain = 'Start the guard again to unlock the profile.';

/** The policy of a guard whose profile is locked. `why` is the reason, as a clause. */
export function lockedPolicy(why: string, canRead: boolean): GuardPolicy {
  const effect = canRead ? (['change', 'destroy', 'unknown'] as const) : undefined;
  return { source: 'built-in', remedy: unlockAgain, rules: [{ name: why, decision: 'deny', effect }] };
}

/**
 * The policy of commands and the console without a policy file. Allows everything, because commands and the console ask for confirmation
 * before they delete something.
 */
export const commandPolicy: GuardPolicy = {
  source: 'built-in',
  rules: [{ name: 'commands', decision: 'allow' }],
};

/**
 * Describes each rule that has no effect: a policy that can only make decisions stricter allows nothing, so a rule that allows only makes
 * exceptions from later rules of its file that ask or deny.
 */
export function describeIneffective({ tightening = [] }: Policies): string[] {
  return tightening.flatMap(({ path, rules }) =>
    rules
      .slice(rules.findLastIndex(({ decision }) => decision !== 'allow') + 1)
      .map(
        ({ name }) =>
          `${path}: rule "${name}" has no effect, because a project's policy can only make decisions stricter.`,
      ),
  );
}

/** Describes the deciding rule: `rule "no deletes" of /etc/edgectl/policy.toml`. */
export function describeRule({ rule, policy }: FoundRule): string {
  return `rule "${rule.name}" of ${policy.path ?? 'the built-in policy'}`;
}

/** States that the rules that ask require approval: `rule "deletes" of the built-in policy requires approval`. */
export function describeAsking({ asking }: Pick<Decided, 'asking'>): string {
  const rules = asking.map(describeRule).join(', ');
  return `${rules} ${asking.length === 1 ? 'requires' : 'require'} approval`;
}

/** Explains a refusal, and states who can allow the request. */
export function describeRefusal(decided: Decided): string {
  const rule = describeRule(decided);
  const editor = describeEditor(decided);
  return decided.decision === 'ask'
    ? `${rule} requires the approval of a person, and nobody can be asked here. ${editor}`
    : `${rule} forbids this request${describeUnknown(decided)}. ${editor}`;
}

function describeUnknown({ unknown = [] }: Decided): string {
  if (unknown.length === 0) return '';
  return `, because the request does not show its ${unknown.join(' and ')}, or its body cannot be read`;
}

function describeEditor({ decision, policy: { source, path, remedy } }: Decided): string {
  if (remedy !== undefined) return remedy;
  if (source === 'root') return 'Only an administrator of this machine can change the rule.';
  if (path !== undefined) return 'The owner of that file can change the rule.';
  // Without a policy file, only a read-only session forbids requests, and it can only make decisions stricter.
  return decision === 'deny' ? 'No policy can allow it.' : 'A rule in a policy file can allow it.';
}
