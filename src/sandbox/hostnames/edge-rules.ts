import type { Platform } from '../http/exchange.ts';

/** The setting that keeps the edge rules. */
export const edgeRulesSetting = 'edge_rules';

/** An answer in front of our edge: a rule, a login, a firewall or a cache of the customer's own zone, or a worker. */
export interface EdgeRule {
  readonly host: string;
  /** Paths that begin so. */
  readonly path: string;
  /** Only visits over this. */
  readonly scheme?: 'http' | 'https';
  readonly status: number;
  /** `{host}` and `{path}` are replaced by those of the visit. */
  readonly location?: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function edgeRulesOf(platform: Platform): readonly EdgeRule[] {
  return (platform.registry().settings.read(edgeRulesSetting) ?? []) as readonly EdgeRule[];
}

/** Sets the rule of a host and path; one of the same is replaced. */
export function setEdgeRule(platform: Platform, rule: EdgeRule): void {
  change(platform, (rules) => [
    ...rules.filter(({ host, path }) => host !== rule.host || path !== rule.path),
    rule,
  ]);
}

/** Removes all rules of a host. */
export function removeEdgeRules(platform: Platform, host: string): void {
  change(platform, (rules) => rules.filter((rule) => rule.host !== host));
}

function change(platform: Platform, work: (rules: readonly EdgeRule[]) => readonly EdgeRule[]): void {
  platform
    .registry()
    .settings.change(edgeRulesSetting, (rules) => work((rules ?? []) as readonly EdgeRule[]));
}

/** The rule that answers a visit: that with the longest path. */
export function ruleFor(
  rules: readonly EdgeRule[],
  host: string,
  path: string,
  scheme: 'http' | 'https',
): EdgeRule | undefined {
  return rules
    .filter((rule) => rule.host === host && path.startsWith(rule.path) && (rule.scheme ?? scheme) === scheme)
    .sort((left, right) => right.path.length - left.path.length)[0];
}

/** Where a rule sends a visit, or undefined. */
export function locationOf({ location, host }: EdgeRule, path: string): string | undefined {
  return location?.replace('{host}', host).replace('{path}', path);
}

/**
 * Whether an authority that fetches this URL over HTTP gets something else than the edge's own answer. It follows redirects
 * within the host.
 */
export function isBarred(rules: readonly EdgeRule[], url: string): boolean {
  let at = URL.parse(url);
  for (let redirects = 0; at !== null && redirects <= 10; redirects += 1) {
    const scheme = at.protocol === 'https:' ? 'https' : 'http';
    const rule = ruleFor(rules, at.hostname, at.pathname, scheme);
    if (rule === undefined) return at.pathname !== URL.parse(url)?.pathname;
    const next = locationOf(rule, at.pathname);
    if (next === undefined) return true;
    const target: URL | null = URL.parse(next, at.href);
    if (target?.hostname !== at.hostname) return true;
    at = target;
  }
  return true;
}
