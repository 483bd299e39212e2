import type { LiveCase } from './cases.ts';

/** The platform to which the check sends its calls. */
export interface Place {
  /** The base URL, which ends in `/client/v4`. */
  readonly apiBaseUrl: string;
  readonly apiToken: string;
  readonly accountId: string;
  /** The zone; without it, the cases that need a zone are skipped. */
  readonly zoneId?: string;
}

/** An answer without the parts that differ from account to account. A recording consists of these answers. */
export interface LiveAnswer {
  readonly does: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON, or as text if it is not JSON. */
  readonly body: unknown;
}

/** Headers that clients read. */
const comparedHeaders = ['content-type', 'etag', 'expiration', 'cf-kv-metadata', 'last-modified'];

/** Sends the calls to one platform, and returns the answers. Values saved by a call are available to later calls. */
export async function answersOf(
  place: Place,
  cases: readonly LiveCase[],
  name: string,
): Promise<LiveAnswer[]> {
  const saved: Record<string, string> = { account: place.accountId, zone: place.zoneId ?? '', name };
  if (place.zoneId !== undefined) saved['zoneName'] = await zoneName(place);
  const redactor = new Redactor(saved);
  const answers: LiveAnswer[] = [];
  for (const one of cases) {
    const response = await fetch(place.apiBaseUrl + filled(one.path, saved), request(one, place, saved));
    const text = await response.text();
    const body = parsed(text);
    for (const [variable, path] of Object.entries(one.saves ?? {})) {
      saved[variable] = String(valueAt(body, path) ?? 'none');
    }
    const headers = comparedHeaders.flatMap((header) => {
      const found = response.headers.get(header);
      return found === null ? [] : [[header, redactor.text(found)] as const];
    });
    answers.push({
      does: one.does,
      status: response.status,
      headers: Object.fromEntries(headers),
      body: redactor.value(one.list === undefined ? body : ownEntries(body, one.list, name)),
    });
  }
  return answers;
}

async function zoneName({ apiBaseUrl, apiToken, zoneId }: Place): Promise<string> {
  const response = await fetch(`${apiBaseUrl}/zones/${zoneId}`, {
    headers: { authorization: `Bearer ${apiToken}` },
  });
  const name = valueAt(parsed(await response.text()), 'result.name');
  if (typeof name === 'string') return name;
  throw new Error(
    `The zone ${zoneId} cannot be read: HTTP ${response.status}. Check CLOUDFLARE_ZONE_ID and the token's permissions.`,
  );
}

function request(one: LiveCase, place: Place, saved: Readonly<Record<string, string>>): RequestInit {
  const headers: Record<string, string> = { ...one.headers };
  if (one.token !== 'none') {
    headers['authorization'] = `Bearer ${one.token === 'wrong' ? 'A'.repeat(40) : place.apiToken}`;
  }
  const base = { method: one.method, headers, redirect: 'manual' as const };
  if (one.json !== undefined) {
    headers['content-type'] = 'application/json';
    return { ...base, body: filled(JSON.stringify(one.json), saved) };
  }
  if (one.form !== undefined) {
    const form = new FormData();
    for (const [field, { content, type }] of Object.entries(one.form)) {
      if (type === undefined) form.set(field, content);
      else form.set(field, new Blob([content], { type }), field);
    }
    return { ...base, body: form };
  }
  return one.text === undefined ? base : { ...base, body: one.text };
}

function filled(text: string, saved: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => saved[name] ?? whole);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, field) => (inner as Record<string, unknown> | null)?.[field], value);
}

/** Returns the body of an answer with only the list entries whose field starts with the name. */
function ownEntries(body: unknown, field: string, name: string): unknown {
  const path = field.split('.');
  const key = path.pop() ?? '';
  const at = path.length === 0 ? ['result'] : path;
  const list = valueAt(body, at.join('.'));
  if (!Array.isArray(list)) return body;
  const own = list.filter((entry) => String((entry as Record<string, unknown>)[key]).startsWith(name));
  const copy = structuredClone(body) as Record<string, unknown>;
  const parent = (at.length === 1 ? copy : valueAt(copy, at.slice(0, -1).join('.'))) as Record<
    string,
    unknown
  >;
  parent[at.at(-1) ?? ''] = own;
  return copy;
}

/** A redactor that replaces values that differ from account to account: ids with their order, times with their precision. */
class Redactor {
  readonly #known: [string, string][];
  readonly #ids = new Map<string, string>();

  constructor(saved: Readonly<Record<string, string>>) {
    const known = ['account', 'zone', 'name', 'zoneName'].map(
      (name) => [saved[name] ?? '', `<${name}>`] as const,
    );
    this.#known = known.filter(([value]) => value !== '').map(([value, mark]) => [value, mark]);
  }

  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.value(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([field, one]) => [
        field,
        secretFields.test(field) ? `<${field}>` : this.field(field, one),
      ]),
    );
  }

  text(text: string): string {
    const known = this.#known.reduce((done, [value, mark]) => done.replaceAll(value, mark), text);
    return known
      .replace(
        /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32,64})\b/g,
        (id) => this.#mark(id),
      )
      .replace(
        /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g,
        (_, fraction = '', zone = '') => `<time${fraction.replace(/\d/g, '0')}${zone}>`,
      )
      .replace(/\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\b/g, '<HTTP date>')
      .replace(/[\w.+-]+@[\w-]+\.[\w.-]+/g, '<e-mail>');
  }

  /**
   * Replaces the value of a field. Counts of resources in an account, times in seconds, and durations are replaced by their types, because
   * only the types are compared.
   */
  private field(field: string, value: unknown): unknown {
    const isVarying = /^(?:count|total_count|total_pages|expiration|startup_time_ms|cursor|number)$/.test(
      field,
    );
    return isVarying && (typeof value === 'number' || typeof value === 'string') && value !== ''
      ? `<${typeof value}>`
      : this.value(value);
  }

  #mark(id: string): string {
    const mark = this.#ids.get(id) ?? `<id ${this.#ids.size + 1}>`;
    this.#ids.set(id, mark);
    return mark;
  }
}

/** Fields whose values are secret or random. */
const secretFields =
  /^(?:txt_value|http_body|http_url|txt_name|cname_target|dcv_delegation_records|ownership_verification.*|name_servers|original_name_servers)$/;
