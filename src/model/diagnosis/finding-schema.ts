import { responsibles, severities } from '../severity.ts';
import {
  type AdvisedCommand,
  editedFields,
  type Finding,
  type NextStep,
  type RecordAdvice,
  recordTypes,
} from './finding.ts';

// This schema is not a shape (`model/shape.ts`), because the library documents the types of findings and may not depend on other packages.
// The compiler checks that each schema has the same fields as its type, and that the same fields are optional.

type Schema = Readonly<Record<string, unknown>>;

type OptionalName<T> = { [Name in keyof T]-?: object extends Pick<T, Name> ? Name : never }[keyof T];
type RequiredFields<T> = { readonly [Name in Exclude<keyof T, OptionalName<T>>]: Schema };
type OptionalFields<T> = { readonly [Name in OptionalName<T>]: Schema };

/** Returns the schema of an object with exactly the fields of its type. */
function strict<T>(required: RequiredFields<T>, optional: OptionalFields<T>) {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  } as const;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const ruleId = { type: 'string', pattern: '^[A-G][0-9]+$' } as const;
const recordType = { enum: recordTypes } as const;

/** The fields of one kind of command. */
type CommandOf<Kind, Command = AdvisedCommand> = Command extends { readonly kind: unknown }
  ? Kind extends Command['kind']
    ? Omit<Command, 'kind'>
    : never
  : never;
type FieldsOf<T> = readonly [required: RequiredFields<T>, optional: OptionalFields<T>];

const commandFields: {
  readonly [Kind in AdvisedCommand['kind']]: FieldsOf<CommandOf<Kind>>;
} = {
  refresh: [{ hostname: text }, {}],
  delete: [{ hostname: text }, {}],
  create: [
    { hostname: text, branding: flag },
    { wildcard: flag, origin: text },
  ],
  edit: [{ hostname: text, field: { enum: editedFields }, value: text }, {}],
  'list-status': [{ status: text }, {}],
  'set-fallback': [{ origin: text }, {}],
  'set-record': [{ name: text, type: recordType, value: text, proxied: flag }, {}],
  'release-hold': [{ zone: text }, {}],
};

const commands = Object.entries(commandFields).map(([kind, [required, optional]]) =>
  strict<Schema>({ kind: { const: kind }, ...required }, optional),
);

const record = strict<RecordAdvice>({ name: text, type: recordType, value: text }, { remove: flag });

/** JSON Schema (2020-12) of one finding, as the package's `diagnose` returns it. */
export const findingSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Finding',
  ...strict<Finding>(
    {
      id: ruleId,
      severity: { enum: severities },
      cause: text,
      evidence: { type: 'array', items: text },
      who: { enum: responsibles },
      remedy: strict<NextStep>(
        { text },
        { command: { oneOf: commands }, records: { type: 'array', items: record } },
      ),
    },
    { because: ruleId, fix: { type: 'object', properties: { kind: text }, required: ['kind'] } },
  ),
} as const;
