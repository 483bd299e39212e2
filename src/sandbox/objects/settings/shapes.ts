import * as v from 'valibot';

/** The shapes that the routes for a bucket's settings accept. Source: SDK r2/buckets. */
const text = v.string();
const optional = v.exactOptional;
const seconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const ageCondition = v.strictObject({ type: v.literal('Age'), maxAge: seconds });
const dateCondition = v.strictObject({ type: v.literal('Date'), date: text });
const condition = v.variant('type', [ageCondition, dateCondition]);

const corsRule = v.strictObject({
  id: optional(text),
  allowed: v.strictObject({
    methods: v.pipe(v.array(v.picklist(['GET', 'PUT', 'POST', 'DELETE', 'HEAD'])), v.minLength(1)),
    origins: v.pipe(v.array(text), v.minLength(1)),
    headers: optional(v.array(text)),
  }),
  exposeHeaders: optional(v.array(text)),
  maxAgeSeconds: optional(v.pipe(seconds, v.maxValue(86_400))),
});

export type CorsRule = v.InferOutput<typeof corsRule>;

const lifecycleRule = v.strictObject({
  id: text,
  enabled: v.boolean(),
  conditions: v.strictObject({ prefix: optional(text, '') }),
  abortMultipartUploadsTransition: optional(v.strictObject({ condition: optional(ageCondition) })),
  deleteObjectsTransition: optional(v.strictObject({ condition: optional(condition) })),
  storageClassTransitions: optional(
    v.array(v.strictObject({ condition, storageClass: v.literal('InfrequentAccess') })),
  ),
});

export type LifecycleRule = v.InferOutput<typeof lifecycleRule>;

export const weekOfSeconds = 7 * 24 * 60 * 60;

const lockRule = v.strictObject({
  id: text,
  enabled: v.boolean(),
  prefix: optional(text),
  condition: v.variant('type', [
    v.strictObject({ type: v.literal('Age'), maxAgeSeconds: seconds }),
    dateCondition,
    v.strictObject({ type: v.literal('Indefinite') }),
  ]),
});

const actions = ['PutObject', 'CopyObject', 'DeleteObject', 'CompleteMultipartUpload', 'LifecycleDeletion'];

const eventRule = v.strictObject({
  actions: v.pipe(v.array(v.picklist(actions)), v.minLength(1)),
  prefix: optional(text),
  suffix: optional(text),
  description: optional(text),
});

const leastTls = optional(v.picklist(['1.0', '1.1', '1.2', '1.3']));
const ciphers = optional(v.array(text));

const rulesShape = <R extends v.GenericSchema>(rule: R) =>
  v.strictObject({ rules: optional(v.array(rule), []) });

export const corsShape = rulesShape(corsRule);
export const lifecycleShape = rulesShape(lifecycleRule);
export const lockShape = rulesShape(lockRule);
export const eventsShape = v.strictObject({ rules: v.pipe(v.array(eventRule), v.minLength(1)) });
export const managedShape = v.strictObject({ enabled: v.boolean() });
export const domainShape = v.strictObject({
  domain: text,
  zoneId: text,
  enabled: v.boolean(),
  minTLS: leastTls,
  ciphers,
});
export const domainChangeShape = v.strictObject({
  enabled: optional(v.boolean()),
  minTLS: leastTls,
  ciphers,
});
export const temporaryShape = v.strictObject({
  bucket: text,
  parentAccessKeyId: text,
  permission: v.picklist(['admin-read-write', 'admin-read-only', 'object-read-write', 'object-read-only']),
  ttlSeconds: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(604_800)),
  objects: optional(v.array(text)),
  prefixes: optional(v.array(text)),
});
