import type { ObjectEntry } from '../../../model/objects/object.ts';

/** Converts an object to its JSON answer. Dates are ISO 8601; empty metadata is absent. */
export function entryRow(entry: ObjectEntry): Record<string, unknown> {
  const { key, size, etag, uploaded, customMetadata, storageClass } = entry;
  const { cacheExpiry, ...texts } = entry.httpMetadata;
  const httpMetadata = { ...texts, ...(cacheExpiry === undefined ? {} : { expires: iso(cacheExpiry) }) };
  return {
    key,
    size,
    etag,
    uploaded: iso(uploaded),
    ...(Object.keys(httpMetadata).length === 0 ? {} : { httpMetadata }),
    ...(Object.keys(customMetadata).length === 0 ? {} : { customMetadata }),
    ...(storageClass === undefined ? {} : { storageClass }),
  };
}

function iso(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}
