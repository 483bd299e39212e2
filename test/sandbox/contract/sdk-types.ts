import { relative, resolve } from 'node:path';
import {
  API,
  type Checker,
  type Symbol as NamedSymbol,
  SignatureKind,
  SymbolFlags,
  type Type,
  TypeFlags,
} from 'typescript/unstable/sync';
import { type SdkCall, sdkSources } from './sdk-routes.ts';
import type { TypeSchema } from './type-schema.ts';

/** The types of the SDK's answers: the type of each whole body (`raw` if the body is not JSON), and the named types that the bodies use. */
export interface BodyTypes {
  readonly bodies: readonly (TypeSchema | 'raw')[];
  readonly types: Readonly<Record<string, TypeSchema>>;
}

/** Compiles the sources of the SDK, which takes seconds. */
export function bodyTypesOf(calls: readonly SdkCall[]): BodyTypes {
  const api = new API();
  try {
    const files = [...new Set(calls.map(createSource))];
    const project = api.updateSnapshot({ openFiles: files }).getDefaultProjectForFile(files[0] ?? '');
    if (project === undefined) throw new Error('the compiler has no project with the sources of the SDK');
    const reader = new TypeReader(project.checker);
    const bodies = calls.map((call) => reader.bodyOf(call));
    return { bodies, types: reader.types };
  } finally {
    api.close();
  }
}

function createSource({ file }: SdkCall): string {
  return resolve(sdkSources, `${file}.ts`);
}

/** Converts types to schemas; each named type is converted once. */
class TypeReader {
  readonly types: Record<string, TypeSchema> = {};
  private readonly checker: Checker;

  constructor(checker: Checker) {
    this.checker = checker;
  }

  bodyOf(call: SdkCall): TypeSchema | 'raw' {
    const { checker } = this;
    const method = checker.getTypeAtPosition(createSource(call), call.at);
    const signature = method && checker.getSignaturesOfType(method, SignatureKind.Call)[0];
    const promise = signature && checker.getReturnTypeOfSignature(signature);
    if (!promise?.isTypeReference()) throw new Error(`${call.file} has no function at ${call.at}`);
    const [given] = checker.getTypeArguments(promise);
    if (given === undefined) throw new Error(`the function of ${call.file} at ${call.at} gives no type`);
    if (call.unwraps) return object({ result: this.schemaOf(given) }, ['result']);
    if (promise.getSymbol()?.name === 'PagePromise') return this.pageOf(given);
    if (given.flags & TypeFlags.StringLike || given.getSymbol()?.name === 'Response') return 'raw';
    return this.schemaOf(given);
  }

  /** Returns the fields that a page class reads from the body. */
  private pageOf(page: Type): TypeSchema {
    const fields = ['result', 'result_info'].flatMap((name) => {
      const field = this.checker.getPropertyOfType(page, name);
      return field === undefined ? [] : [[name, this.typeOf(field)] as const];
    });
    return object(Object.fromEntries(fields), ['result']);
  }

  private typeOf(field: NamedSymbol): TypeSchema {
    const type = this.checker.getTypeOfSymbol(field);
    if (type === undefined) throw new Error(`the field ${field.name} has no type`);
    return this.schemaOf(type);
  }

  private schemaOf(type: Type): TypeSchema {
    const simple = simpleSchema(type);
    if (simple !== undefined) return simple;
    if (this.checker.isArrayType(type) && type.isTypeReference()) {
      const [item] = this.checker.getTypeArguments(type);
      return { type: 'array', ...(item !== undefined && { items: this.schemaOf(item) }) };
    }
    const name = getName(type);
    if (name === undefined) return this.structureOf(type);
    if (this.types[name] === undefined) {
      // The entry is set before the schema is complete, because a type may contain itself.
      this.types[name] = {};
      this.types[name] = this.structureOf(type);
    }
    return { $ref: name };
  }

  private structureOf(type: Type): TypeSchema {
    if (type.isUnionType()) return this.unionOf(type.getTypes());
    if (type.isIntersectionType() && type.getTypes().some(({ flags }) => flags & TypeFlags.String)) {
      return { type: 'string' };
    }
    const fields = this.checker.getPropertiesOfType(type);
    const needed = fields.filter(({ flags }) => !(flags & SymbolFlags.Optional));
    const [index] = this.checker.getIndexInfosOfType(type);
    return {
      ...object(
        Object.fromEntries(fields.map((field) => [field.name, this.typeOf(field)])),
        needed.map(({ name }) => name),
      ),
      ...(index !== undefined && { additionalProperties: this.schemaOf(index.valueType) }),
    };
  }

  private unionOf(all: readonly Type[]): TypeSchema {
    const types = all.filter(({ flags }) => !(flags & (TypeFlags.Undefined | TypeFlags.Void)));
    const literals = types.flatMap((type) => (type.isLiteralType() ? [type.value] : []));
    const values = literals.filter((value) => typeof value !== 'bigint');
    const isBoolean = values.includes(true) && values.includes(false);
    const said = values.filter((value) => !isBoolean || typeof value !== 'boolean');
    const schemas = [
      ...(isBoolean ? [{ type: 'boolean' } as const] : []),
      ...(said.length > 0 ? [{ enum: said }] : []),
      ...types.filter((type) => !type.isLiteralType()).map((type) => this.schemaOf(type)),
    ];
    const [only] = schemas;
    return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas };
  }
}

function object(properties: Record<string, TypeSchema>, required: readonly string[]): TypeSchema {
  return {
    type: 'object',
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/** Returns the schema of a type without parts; undefined for other types. */
function simpleSchema(type: Type): TypeSchema | undefined {
  const { flags } = type;
  if (flags & TypeFlags.AnyOrUnknown) return {};
  if (flags & TypeFlags.Boolean) return { type: 'boolean' };
  if (type.isLiteralType() && typeof type.value !== 'bigint') return { enum: [type.value] };
  if (flags & TypeFlags.StringLike) return { type: 'string' };
  if (flags & TypeFlags.NumberLike) return { type: 'number' };
  return flags & TypeFlags.Null ? { type: 'null' } : undefined;
}

/**
 * Returns the file of a type and the path of names to the type in this file, such as `dns/records.RecordResponse.ARecord`; undefined if the
 * type has no name.
 */
function getName(type: Type): string | undefined {
  const symbol = type.getAliasSymbol() ?? type.getSymbol();
  if (symbol === undefined || symbol.name.startsWith('__')) return undefined;
  const [declared] = symbol.declarations;
  // Types that are composed of other types can share a name.
  if (type.isTypeReference() && type.getTarget().id !== type.id) return undefined;
  if (declared === undefined || type.isUnionType() !== (type.getAliasSymbol() !== undefined))
    return undefined;
  const names: string[] = [];
  for (let one: NamedSymbol | undefined = symbol; one && !one.name.startsWith('"'); one = one.getParent()) {
    names.unshift(one.name);
  }
  const file = relative(resolve(sdkSources), declared.path)
    .replace(/\.ts$/, '')
    .replace(/^\.\.\//, '');
  return `${file}.${names.join('.')}`;
}
