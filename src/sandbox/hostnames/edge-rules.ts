import type { Platform } from '../http/exchange.ts';

/** The setting that stores the edge rules. */
export const edgeRulesSetting = 'edge_rules';

/**
 * A fixed answer that the edge sends before routing, to simulate a rule, login, firewall or cache in the customer's own zone, or a worker.
 */
export interface EdgeRule {
  readonly host: string;
  /** The rule applies to paths with this prefix. */
  readonly path: string;
  /** The rule applies only to requests with this scheme. */
  readonly scheme?: 'http' | 'https';
  readonly status: number;
  /** The target URL, in which `{host}` and `{path}` are replaced with the host and path of the request. */
  readonly location?: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function readEdgeRules(platform: Platform): readonly EdgeRule[] {
  return (platform.registry().settings.read(edgeRulesSetting) ?? []) as readonly EdgeRule[];
}

/** Sets the rule for a host and path, and replaces an existing rule. */
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

/** Returns the matching rule with the longest path; undefined if no rule matches. */
export function findEdgeRule(
  rules: readonly EdgeRule[],
  host: string,
  path: string,
  scheme: 'http' | 'https',
): EdgeRule | undefined {
  return rules
    .filter((rule) => rule.host === host && path.startsWith(rule.path) && (rule.scheme ?? scheme) === scheme)
    .sort((left, right) => right.path.length - left.path.length)[0];
}

/** Returns the redirect target of a rule, or undefined. */
export function formatLocationHeader({ location, host }: EdgeRule, path: string): string | undefined {
  return location?.replace('{host}', host).replace('{path}', path);
}

/**
 * Returns whether an authority that requests this URL over HTTP gets an answer other than the edge's own. Redirects within the host are
 * followed.
 */
export function isIntercepted(rules: readonly EdgeRule[], url: string): boolean {
  let at = URL.parse(url);
  for (let redirects = 0; at !== null && redirects <= 10; redirects += 1) {
    const scheme = at.protocol === 'https:' ? 'https' : 'http';
    const rule = findEdgeRule(rules, at.hostname, at.pathname, scheme);
    if (rule === undefined) return at.pathname !== URL.parse(url)?.pathname;
    const next = formatLocationHeader(rule, at.pathname);
    if (next === undefined) return true;
    const target: URL | null = URL.parse(next, at.href);
    if (target?.hostname !== at.hostname) return true;
    at = target;
  }
  return true;
}
