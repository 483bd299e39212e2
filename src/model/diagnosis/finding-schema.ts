import { responsibles, severities } from '../severity.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const recordType = { enum: ['A', 'AAAA', 'CNAME', 'TXT', 'CAA'] } as const;

type Fields = Readonly<Record<string, object>>;

function command(kind: string, fields: Fields, optional: Fields = {}) {
  return {
    type: 'object',
    properties: { kind: { const: kind }, ...fields, ...optional },
    required: ['kind', ...Object.keys(fields)],
    additionalProperties: false,
  };
}

const commands = [
  command('refresh', { hostname: text }),
  command('delete', { hostname: text }),
  command('create', { hostname: text, branding: flag }, { wildcard: flag, origin: text }),
  command('edit', {
    hostname: text,
    field: { enum: ['ca', 'method', 'origin', 'origin-sni'] },
    value: text,
  }),
  command('list-status', { status: text }),
  command('set-fallback', { origin: text }),
  command('set-record', { name: text, type: recordType, value: text, proxied: flag }),
  command('release-hold', { zone: text }),
];

const record = {
  type: 'object',
  properties: { name: text, type: recordType, value: text, remove: flag },
  required: ['name', 'type', 'value'],
  additionalProperties: false,
};

/** JSON Schema (2020-12) of one finding, as the package's `diagnose` returns it. */
export const findingSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Finding',
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[A-G][0-9]+$' },
    severity: { enum: severities },
    because: { type: 'string', pattern: '^[A-G][0-9]+$' },
    cause: text,
    evidence: { type: 'array', items: text },
    who: { enum: responsibles },
    remedy: {
      type: 'object',
      properties: { text, command: { oneOf: commands }, records: { type: 'array', items: record } },
      required: ['text'],
      additionalProperties: false,
    },
    fix: { type: 'object', properties: { kind: text }, required: ['kind'] },
  },
  required: ['id', 'severity', 'cause', 'evidence', 'who', 'remedy'],
  additionalProperties: false,
} as const;
