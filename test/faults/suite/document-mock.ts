import { published } from '../../sandbox/contract/openapi/published-file.ts';
import { sdkTypes } from '../../sandbox/contract/sdk-types-file.ts';
import type { TypeSchema } from '../../sandbox/contract/type-schema.ts';
import type { Passing, ProxyAnswer } from '../../support/proxy.ts';
import { isEnvelope } from './fault.ts';

/**
 * The states of an optional field in a mock's answer: the document's example, no field, null, or a string that the document does not list.
 * An unknown `.*` is a field that the document does not declare.
 */
export const fieldStates = ['present', 'absent', 'null', 'unknown'] as const;
export type FieldState = (typeof fieldStates)[number];

/** A function that chooses the state of the optional field at this path, or of the fields that the document does not declare. */
export type ChooseState = (place: string) => FieldState;

/** Returns the route of a request, as named in the contract; undefined if neither the document nor the SDK declares its answer. */
export function documentedRoute({ method, path }: Pick<Passing, 'method' | 'path'>): string | undefined {
  const place = `${method} ${path.replace(/^\/client\/v4/, '').split('?', 1)[0]}`;
  const route = patterns.find(([, pattern]) => pattern.test(place))?.[0];
  return route === undefined || getSchema(route) === undefined ? undefined : route;
}

/**
 * The routes with the patterns of their paths. Paths without parameters come first, so that `custom_hostnames/quota` is not read as the id
 * of a hostname.
 */
const patterns = Object.keys(published().routes)
  .sort((left, right) => parametersIn(left) - parametersIn(right))
  .map((route) => {
    const literal = route.replaceAll('.', '\\.');
    return [route, new RegExp(`^${literal.replace(/:\w+/g, '[^/]+').replace(/\*\w+/g, '.+')}$`)] as const;
  });

function parametersIn(route: string): number {
  return route.match(/[:*]/g)?.length ?? 0;
}

const types = { ...sdkTypes().types, ...published().types };

/** Returns the document's schema of an answer, or the SDK's schema if the document does not specify the result or lacks the route. */
function getSchema(route: string): TypeSchema | undefined {
  const answer = published().routes[route]?.answer;
  const sdk = sdkTypes().routes[route]?.body;
  if (answer === 'raw' || sdk === 'raw') return undefined;
  if (answer !== null && answer !== undefined && declaresResult(answer)) return answer;
  return sdk?.properties?.['result'] === undefined ? (answer ?? undefined) : sdk;
}

function declaresResult(answer: TypeSchema): boolean {
  const { properties = {} } = dereference(answer);
  const { type, anyOf, properties: fields } = dereference(properties['result'] ?? {});
  return anyOf !== undefined || fields !== undefined || (type !== undefined && type !== 'object');
}

function dereference(schema: TypeSchema): TypeSchema {
  return schema.$ref === undefined ? schema : dereference(types[schema.$ref] ?? {});
}

/** Returns the paths of all optional fields in a route's answer, such as `result[].ssl.status`. */
export function optionalFields(route: string): string[] {
  const schema = getSchema(route);
  return schema === undefined ? [] : [...new Set(fieldsIn(schema, '', new Set()))];
}

/** Returns the paths of the fields, with `result[].*` for fields of an object that the document does not declare. */
function* fieldsIn(schema: TypeSchema, place: string, within: ReadonlySet<string>): Generator<string> {
  const { $ref, anyOf, items, properties = {}, required = [] } = schema;
  if (schema.type === 'object' && isOpen(schema)) yield `${place}.*`;
  if ($ref !== undefined) {
    if (!within.has($ref)) yield* fieldsIn(types[$ref] ?? {}, place, new Set([...within, $ref]));
  } else if (anyOf !== undefined) {
    const first = anyOf.find((one) => one.type !== 'null');
    if (first !== undefined) yield* fieldsIn(first, place, within);
  } else if (items !== undefined) yield* fieldsIn(items, `${place}[]`, within);
  for (const [name, field] of Object.entries(properties)) {
    const at = place === '' ? name : `${place}.${name}`;
    if (!required.includes(name)) yield at;
    yield* fieldsIn(field, at, within);
  }
}

/**
 * Returns an answer with the document's examples, and with optional fields as chosen. Keeps the values of the correct answer, so that ids
 * and names still match, and appends to each list an entry that consists only of examples. Returns other answers unchanged.
 */
export function mockAnswer(
  { path }: Pick<Passing, 'path'>,
  route: string,
  right: ProxyAnswer,
  choose: ChooseState,
): ProxyAnswer {
  const schema = getSchema(route);
  if (schema === undefined || !isEnvelope(right)) return right;
  const value = JSON.parse(String(right.body));
  if (Array.isArray(value.result) && isLaterPage(path)) value.result = [];
  return { ...right, body: JSON.stringify(mock(schema, value, '', { choose, depth: 0 })) };
}

/**
 * Returns true if a request is for a later page. The mock has only one page; a client that ignores the page information requests another
 * page.
 */
function isLaterPage(path: string): boolean {
  return Number(new URLSearchParams(path.split('?')[1] ?? '').get('page') ?? 1) > 1;
}

interface Mocking {
  readonly choose: ChooseState;
  readonly depth: number;
}

/** Maximum depth of examples of recursive types. */
const maxDepth = 12;

function mock(schema: TypeSchema, right: unknown, place: string, mocking: Mocking): unknown {
  const { $ref, anyOf, example } = schema;
  const deeper = { ...mocking, depth: mocking.depth + 1 };
  if (mocking.depth > maxDepth) return right ?? null;
  if ($ref !== undefined) return mock(types[$ref] ?? {}, right, place, deeper);
  if (anyOf !== undefined) {
    const one = anyOf.find((each) => canBe(each, right)) ?? anyOf.find(({ type }) => type !== 'null') ?? {};
    return mock(one, right, place, deeper);
  }
  if (schema.type === 'object') return mockObject(schema, right, place, deeper);
  if (schema.type === 'array') return mockList(schema, right, place, deeper);
  return right ?? example ?? schema.enum?.[0] ?? plainValue(schema);
}

function plainValue({ type }: TypeSchema): unknown {
  if (type === 'number') return 1;
  if (type === 'boolean') return true;
  return type === 'string' ? 'text' : null;
}

function canBe(schema: TypeSchema, right: unknown): boolean {
  const { type = 'null', enum: values } = dereference(schema);
  if (right === undefined || right === null) return type !== 'null';
  if (values !== undefined) return values.includes(right as string);
  return Array.isArray(right) ? type === 'array' : type === typeof right;
}

type Fields = Readonly<Record<string, unknown>>;

function mockObject(schema: TypeSchema, right: unknown, place: string, mocking: Mocking): unknown {
  const { properties = {}, required = [] } = schema;
  if (right !== undefined && (typeof right !== 'object' || right === null || Array.isArray(right)))
    return right;
  const given = (right ?? schema.example ?? {}) as Fields;
  const made: Record<string, unknown> = { ...given };
  for (const [name, field] of Object.entries(properties)) {
    const at = place === '' ? name : `${place}.${name}`;
    // A cursor without a next page would make the list endless.
    if (name === 'cursor' && given[name] === undefined) continue;
    const state = required.includes(name) ? 'present' : mocking.choose(at);
    if (state === 'absent') delete made[name];
    else made[name] = state === 'null' ? null : mock(field, given[name], at, mocking);
    if (state === 'unknown' && isListed(field)) made[name] = 'x-unknown';
  }
  if (isOpen(schema) && mocking.choose(`${place}.*`) === 'unknown')
    made['x_unknown'] = { of: ['another version'] };
  return made;
}

/** Returns true if an object may have undeclared fields of any type. The SDK's types allow no undeclared fields. */
function isOpen({ additionalProperties = {} }: TypeSchema): boolean {
  return Object.keys(additionalProperties).length === 0;
}

/** Returns true if the document lists all possible strings of a field. */
function isListed(field: TypeSchema): boolean {
  const { enum: values, anyOf } = dereference(field);
  return anyOf?.some(isListed) ?? values?.some((value) => typeof value === 'string') ?? false;
}

function mockList(schema: TypeSchema, right: unknown, place: string, mocking: Mocking): unknown {
  const items = schema.items ?? {};
  if (right !== undefined && !Array.isArray(right)) return right;
  const given: unknown[] = right ?? (Array.isArray(schema.example) ? schema.example : []);
  return given.map((one) => mock(items, one, `${place}[]`, mocking));
}
