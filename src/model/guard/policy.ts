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
  /** The query of a v4 API request that writes, with its question mark. A query, such as `?force=true`, can change what the request does. */
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
  /**
   * Names that the body contains, if it was read. These names replace the single names above, because a request can affect several
   * resources.
   */
  readonly listed?: Readonly<Partial<Record<NamedFact, readonly string[]>>> | undefined;
  /**
   * Facts that the request itself does not show, for example because it refers to a hostname by id, or creates a hostname that only the
   * body names.
   */
  readonly unnamed: readonly NamedFact[];
  /** Number of affected resources; undefined if only the body contains the number. */
  readonly count: number | undefined;
  /** The object that an S3 request copies, as written in the request's header. */
  readonly source?: string | undefined;
  /** The jurisdiction of the bucket, if the request specifies one. A bucket in another jurisdiction can have the same name. */
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
  /** The remedy for a refusal, if no change to the policy can help. */
  readonly remedy?: string;
  readonly rules: readonly PolicyRule[];
}

/** The policies that apply together. */
export interface Policies {
  /** Policies in order of precedence: the first policy with a matching rule decides. The last policy must decide every request. */
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
  /** The facts in the rule's conditions that the request does not show; empty if the rule certainly matches. */
  readonly unknown?: readonly string[];
}

/** Decides about a request. If its body contains several names, each name is decided separately, and the strictest decision applies. */
export function decide(policies: Policies, request: RequestFacts): Decided {
  return decideAll(policies, [request]);
}

/**
 * Decides on a request that consists of several operations, such as a copy, which also reads its source. The strictest decision applies.
 */
export function decideAll(policies: Policies, requests: readonly RequestFacts[]): Decided {
  const rules = listRules(policies);
  const all = requests.flatMap(listByName).map((one) => decideOne(rules, one));
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

/** The facts about a request with at most one name of each kind, and the path in the form that rules are compared with. */
interface ComparedFacts extends RequestFacts {
  readonly plainPath: string;
}

/** Returns the facts for each name in the body, each with the request's count; the request itself if its body contains no name. */
function listByName({ listed = {}, ...request }: RequestFacts): ComparedFacts[] {
  return Object.entries(listed).reduce<ComparedFacts[]>(
    (all, [fact, names]) =>
      names.length === 0
        ? all
        : all.flatMap((one) => [...new Set(names)].map((name) => ({ ...one, [fact]: name }))),
    [{ ...request, plainPath: toPlainPath(request.path) }],
  );
}

/** Returns whether a rule in these policies has a condition on a fact that a body can contain: a name, or the number of resources. */
export function dependsOnBody({ deciding, tightening = [] }: Policies): boolean {
  return [...deciding, ...tightening].some(({ rules }) =>
    rules.some(
      (rule) =>
        rule.over !== undefined ||
        namedFacts.some((fact) => rule[fact === 'name' ? 'names' : fact] !== undefined),
    ),
  );
}

/** The rules of the deciding policies in order of precedence, and the rules of each policy that can only make the decision stricter. */
interface RuleLists {
  readonly deciding: readonly FoundRule[];
  readonly tightening: readonly (readonly FoundRule[])[];
}

function listRules({ deciding, tightening = [] }: Policies): RuleLists {
  const listOf = (policy: GuardPolicy) => policy.rules.map((rule): FoundRule => ({ rule, policy }));
  return { deciding: deciding.flatMap(listOf), tightening: tightening.map(listOf) };
}

function decideOne({ deciding, tightening }: RuleLists, request: ComparedFacts): Decided {
  const decided: Decided = firstDecided(deciding, request) ?? {
    decision: 'deny',
    rule: noRule,
    policy: { source: 'built-in', rules: [] },
    asking: [],
  };
  const tightened = tightening.map((rules) => firstDecided(rules, request));
  const all = [decided, ...tightened.filter((one) => one !== undefined)];
  return { ...all.reduce(findStricter), asking: all.flatMap(({ asking }) => asking) };
}

const noRule: PolicyRule = { name: 'no rule', decision: 'deny' };

/** Returns the stricter decision; the first decision if both are equally strict. */
function findStricter(one: Decided, other: Decided): Decided {
  return decisions.indexOf(other.decision) > decisions.indexOf(one.decision) ? other : one;
}

/**
 * Decides by the first rule that certainly matches, and by earlier rules that could match because a fact in their conditions is unknown.
 * The strictest of these rules applies, so a rule that asks does not hide a rule that denies. A rule that allows must match certainly.
 */
function firstDecided(rules: readonly FoundRule[], request: ComparedFacts): Decided | undefined {
  const possible: (FoundRule & Pick<Decided, 'unknown'>)[] = [];
  for (const { rule, policy } of rules) {
    const unknown = matchRule(rule, request);
    if (unknown === undefined || (unknown.length > 0 && rule.decision === 'allow')) continue;
    possible.push({ rule, policy, unknown });
    if (unknown.length === 0) break;
  }
  const names = request.name === undefined ? [] : [request.name];
  const asking = possible
    .filter(({ rule }) => rule.decision === 'ask')
    .map(({ rule, policy }): AskingRule => ({ rule, policy, names }));
  const [first, ...more] = possible.map(
    (found): Decided => ({ ...found, decision: found.rule.decision, asking }),
  );
  return first && more.reduce(findStricter, first);
}

/**
 * Returns the facts that a rule's conditions need but the request does not show. Empty if the rule certainly matches, and undefined if it
 * certainly does not match.
 */
function matchRule(rule: PolicyRule, request: ComparedFacts): string[] | undefined {
  const unknown: string[] = [];
  for (const [fact, matches] of checkConditions(rule, request)) {
    if (matches === false) return undefined;
    if (matches === undefined) unknown.push(fact);
  }
  return unknown;
}

/**
 * For each condition of a rule, yields the fact in words, and whether the condition matches; the latter is undefined if the request does
 * not show the fact.
 */
function* checkConditions(
  rule: PolicyRule,
  request: ComparedFacts,
): Generator<readonly [fact: string, matches: boolean | undefined]> {
  const { effect, noun, route, target, client, over } = rule;
  if (target !== undefined) yield ['target', target.includes(request.target)];
  if (client !== undefined) yield ['client', matchesAny(client, request.client)];
  if (effect !== undefined) yield ['effect', matchesEffect(effect, request.effect)];
  if (noun !== undefined)
    yield ['kind of resource', request.noun === undefined ? undefined : noun.includes(request.noun)];
  if (route !== undefined) yield ['route', matchesRoute(route, request)];
  for (const fact of namedFacts) {
    const patterns = fact === 'name' ? rule.names : rule[fact];
    const value = request[fact];
    if (patterns === undefined) continue;
    if (value === undefined) yield [fact, request.unnamed.includes(fact) ? undefined : false];
    else if (fact === 'name')
      yield [fact, listSpellings(request, value).some((one) => matchesAny(patterns, one))];
    else yield [fact, matchesAny(patterns, value)];
  }
  if (over !== undefined)
    yield ['number of items', request.count === undefined ? undefined : request.count > over];
}

/** Returns whether an effect matches; undefined for a write with an unknown effect, which could be any write. */
function matchesEffect(effects: readonly RequestEffect[], effect: RequestEffect): boolean | undefined {
  if (effects.includes(effect)) return true;
  return effect === 'unknown' && effects.some((one) => one !== 'read') ? undefined : false;
}

/** Kinds of resources whose names users choose. For these kinds, two spellings of the same UUID are different names. */
const freelyNamed: readonly Noun[] = ['bucket', 'key', 'object', 'secret', 'worker'];

/**
 * Returns the spellings of an id that the platform could accept. The platform returns UUIDs with hyphens or ids of 32 hex digits, but a
 * UUID parser can accept both forms.
 */
function listSpellings({ noun }: RequestFacts, id: string): string[] {
  if (noun === undefined || freelyNamed.includes(noun)) return [id];
  if (/^[0-9a-f]{32}$/.test(id)) return [id, id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')];
  return [...new Set([id, removeHyphens(id)])];
}

/** Removes the hyphens of UUIDs (RFC 9562, section 4) that are whole segments of a path. */
function removeHyphens(path: string): string {
  return path.replace(/(?<![^/])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![^/*])/g, (id) =>
    id.replaceAll('-', ''),
  );
}

/**
 * Returns whether a pattern matches the route or the path in any of its spellings. Undefined if the path of an unknown route matches only
 * when differences in capitalization or in the spelling of ids are ignored, because the platform could ignore them.
 */
function matchesRoute(patterns: readonly string[], request: ComparedFacts): boolean | undefined {
  const { method, noun, route, plainPath } = request;
  const toText = (pattern: string, path: string) =>
    /^(?:\/|s3:|\*$)/.test(pattern) ? path : `${method} ${path}`;
  const matches = (spell: (text: string) => string) =>
    patterns.some((pattern) =>
      matchesPattern(spell(toPlainPattern(pattern)), spell(toText(pattern, plainPath))),
    );
  if (route !== undefined && patterns.some((pattern) => matchesPattern(pattern, toText(pattern, route))))
    return true;
  if (matches(String) || (noun !== undefined && !freelyNamed.includes(noun) && matches(removeHyphens)))
    return true;
  const isCaseKnown = route !== undefined || plainPath.startsWith('s3:');
  return !isCaseKnown && (matches((text) => text.toLowerCase()) || matches(foldIds)) ? undefined : false;
}

/** Returns a path in lower case, with ids of 32 hex digits in one spelling: without hyphens, braces, spaces and prefixes. */
function foldIds(path: string): string {
  return path.toLowerCase().replace(/[^/*]+/g, (segment) => {
    const hex = segment
      .trim()
      .replace(/^(?:urn:uuid:|0x)/, '')
      .replace(/[^0-9a-z]/g, '');
    return /^[0-9a-f]{32}$/.test(hex) ? hex : segment;
  });
}

/** Returns a path without percent encoding, except for characters that would be ambiguous in a pattern. */
function toPlainPath(path: string): string {
  return decodePart(path).replace(/[%*]/g, (character) => (character === '*' ? '%2A' : '%25'));
}

function toPlainPattern(pattern: string): string {
  return pattern.split('*').map(toPlainPath).join('*');
}

/** Decodes percent encoding. Text that is not percent-encoded UTF-8 is unchanged. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, text));
}

/**
 * Returns whether a string matches a pattern, in which `*` matches any characters. Runs in time proportional to the product of both
 * lengths.
 */
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

/** Returns the policy of a session that must not change anything. `why` is the reason, as a clause. */
export function readOnlyPolicy(why: string): GuardPolicy {
  const effect = ['change', 'destroy', 'unknown'] as const;
  return { source: 'built-in', rules: [{ name: `read-only: ${why}`, decision: 'deny', effect }] };
}

/** The remedy if a guard's profile is locked. */
export const unlockAgain = 'Start the guard again to unlock the profile.';

/** Returns the policy of a guard whose profile is locked. `why` is the reason, as a clause. */
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
 * Describes each rule that has no effect. In a policy that can only make decisions stricter, an allowing rule exempts requests from later
 * rules in the file, and has no effect unless a later rule asks or denies.
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

/** Describes the deciding rule: `rule "no deletes" in /etc/edgectl/policy.toml`. */
export function describeRule({ rule, policy }: FoundRule): string {
  return `rule "${rule.name}" in ${policy.path ?? 'the built-in policy'}`;
}

/** States which rules require approval: `rule "deletes" in the built-in policy requires approval`. */
export function describeAsking({ asking }: Pick<Decided, 'asking'>): string {
  const rules = asking.map(describeRule).join(', ');
  return `${rules} ${asking.length === 1 ? 'requires' : 'require'} approval`;
}

/** Explains a refusal, and states who can allow the request. */
export function describeRefusal(decided: Decided): string {
  const rule = describeRule(decided);
  const editor = describeEditor(decided);
  return decided.decision === 'ask'
    ? `${rule} requires a person's approval, and nobody can be asked here. ${editor}`
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
  // Without a policy file, only the policy of a read-only session forbids requests, and no other policy can override it.
  return decision === 'deny'
    ? 'No policy can allow the request.'
    : 'A rule in a policy file can allow the request.';
}
