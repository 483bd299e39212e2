import type { DeclaredRoute } from '../../v4/routes.ts';
import type { Method } from '../../v4/send.ts';
import { codes } from './codes.ts';
import { type Route, refusal } from './exchange.ts';

export interface Match {
  readonly route: Route;
  readonly declared: DeclaredRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** The matching routes of a path, by method; empty for an unknown path. */
export type Matches = Readonly<Partial<Record<Method, Match>>>;

/** A compiled route table. */
export type Router = (path: string) => Matches;

/**
 * Creates a router from a table of routes. Throws if a route is not declared, because every route needs an effect and a
 * permission. Paths are percent-encoded and have no query. Each segment is decoded separately; `.` and `..` are
 * refused.
 *
 * The router is not a library, because the table is small, and rou3 1.0 takes 1.7 ms of a 24 ms start (15 KB bundled)
 * and cannot match a key with an empty segment (`a//b`).
 */
export function createRouter(routes: readonly Route[], declarations: readonly DeclaredRoute[]): Router {
  const byName = new Map(declarations.map((declared) => [`${declared.method} ${declared.path}`, declared]));
  const tree = createNode();
  for (const [order, route] of routes.entries()) {
    const name = `${route.method} ${route.pattern}`;
    const declared = byName.get(name);
    if (declared === undefined) throw new Error(`The route ${name} is not declared in src/v4/routes.ts.`);
    addRow(tree, { order, route, declared, pattern: route.pattern.slice(1).split('/') });
  }
  // The result for the last path is cached, because the request log and the platform look up the same path one after the other.
  let last: { readonly path: string; readonly matches: Matches } | undefined;
  return (path) => {
    if (last?.path === path) return last.matches;
    const segments = splitPath(path);
    const rows = findRows(tree, segments, 0).sort((one, other) => one.order - other.order);
    const matches: Partial<Record<Method, Match>> = {};
    for (const { route, declared, pattern } of rows)
      matches[route.method] ??= { route, declared, params: readParams(pattern, segments) };
    last = { path, matches };
    return matches;
  };
}

/**
 * A row of the route table, with the segments of its pattern. If several routes match a path, the first of these routes in the table
 * answers.
 */
interface Row {
  readonly order: number;
  readonly route: Route;
  readonly declared: DeclaredRoute;
  readonly pattern: readonly string[];
}

/** The rows whose patterns begin with the same segments. */
interface Node {
  readonly below: Map<string, Node>;
  /** The node below any segment that is not empty (`:name`). */
  belowAny: Node | undefined;
  /** Rows whose patterns end at this node. */
  readonly rows: Row[];
  /** Rows that match everything below (`*name`). */
  readonly open: Row[];
}

function createNode(): Node {
  return { below: new Map(), belowAny: undefined, rows: [], open: [] };
}

function addRow(tree: Node, row: Row): void {
  let node = tree;
  for (const segment of row.pattern) {
    if (segment.startsWith('*')) return void node.open.push(row);
    if (segment.startsWith(':')) node = node.belowAny ??= createNode();
    else {
      const next = node.below.get(segment) ?? createNode();
      node.below.set(segment, next);
      node = next;
    }
  }
  node.rows.push(row);
}

function findRows(node: Node, segments: readonly string[], depth: number): Row[] {
  const segment = segments[depth];
  if (segment === undefined) return [...node.rows];
  const below = node.below.get(segment);
  const rows = below === undefined ? [...node.open] : [...node.open, ...findRows(below, segments, depth + 1)];
  if (segment === '' || node.belowAny === undefined) return rows;
  return [...rows, ...findRows(node.belowAny, segments, depth + 1)];
}

function readParams(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    if (expected.startsWith('*')) params[expected.slice(1)] = segments.slice(index).join('/');
    else if (expected.startsWith(':')) params[expected.slice(1)] = segments[index] ?? '';
  }
  return params;
}

function splitPath(path: string): string[] {
  return path.slice(1).split('/').map(decodeSegment);
}

function decodeSegment(raw: string): string {
  const segment = raw.includes('%') ? decodeUri(raw) : raw;
  if (segment === '.' || segment === '..') {
    throw refusal(400, codes.notRouted, `Could not route to a path with the segment "${segment}"`);
  }
  return segment;
}

function decodeUri(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    throw refusal(400, codes.notRouted, 'Could not route to a path that is not percent-encoded UTF-8');
  }
}
