/**
 * The effects of a call. `read` does not change persistent data. `destroy` deletes data, or may delete data depending on the body of the
 * request; the request does not contain the deleted data. `change` is every other write.
 */
export const callEffects = ['read', 'change', 'destroy'] as const;

export type CallEffect = (typeof callEffects)[number];

/** The kinds of resources that calls affect. */
export const nouns = [
  'access-key',
  'account',
  'address-range',
  'bucket',
  'certificate',
  'database',
  'fallback-origin',
  'hold',
  'hostname',
  'key',
  'member',
  'namespace',
  'object',
  'page-project',
  'page-rule',
  'queue',
  'record',
  'sandbox',
  'secret',
  'tail',
  'token',
  'user',
  'worker',
  'worker-domain',
  'worker-route',
  'workflow',
  'zone',
  'zone-plan',
  'zone-setting',
] as const;

export type Noun = (typeof nouns)[number];
