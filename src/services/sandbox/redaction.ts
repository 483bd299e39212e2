import type { SeedKey } from '../../model/sandbox/seed.ts';

/** A text of the same length in UTF-8 that tells nothing. */
export function masked(text: string): string {
  return 'x'.repeat(Buffer.byteLength(text));
}

/** JSON with every text in it masked: the names of fields, numbers and truth values stay. */
export function maskedJson(value: unknown): unknown {
  if (typeof value === 'string') return masked(value);
  if (Array.isArray(value)) return value.map(maskedJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, maskedJson(field)]));
}

/** A key whose value and metadata tell nothing: of the same length, text where it was text. */
export function maskedKey({ value, base64, metadata, ...key }: SeedKey): SeedKey {
  const bytes = base64 === true ? Buffer.from(value, 'base64').length : undefined;
  return {
    ...key,
    value: bytes === undefined ? masked(value) : Buffer.alloc(bytes).toString('base64'),
    ...(bytes !== undefined && { base64: true }),
    ...(metadata !== undefined && { metadata: maskedJson(metadata) }),
  };
}
