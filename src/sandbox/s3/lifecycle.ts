import { S3Refusal } from '../../s3/refusal.ts';
import { listChildren, parseDocument, textIn, type Xml, type XmlContent } from '../../s3/xml.ts';
import type { ObjectRecord } from '../../store/objects/objects.ts';
import type { Answer } from '../../v4/send.ts';
import type { Platform } from '../http/exchange.ts';
import { defaultLifecycle, findExpiration } from '../objects/lifecycle.ts';
import { readBucketSettings, updateBucketSettings } from '../objects/settings/bucket-settings.ts';
import type { LifecycleRule } from '../objects/settings/shapes.ts';
import { refuseLocalSettings } from './buckets.ts';
import { emptyAnswer, xmlAnswer } from './documents.ts';
import { readBodyText } from './reading.ts';
import type { S3Request } from './request.ts';
import { formatStorageClass, parseStorageClass } from './storage-class.ts';

// Lifecycle rules in the form of the S3 API. The provider's page "Object lifecycles" lists the supported parts: a prefix, deleting objects
// and changing their storage class by age or date, and aborting unfinished uploads.

const documentLimit = 2 * 1024 * 1024;
const maxRules = 1000;
const maxIdLength = 255;
const daySeconds = 24 * 60 * 60;

/** `PUT /BUCKET?lifecycle`. */
export async function putS3Lifecycle(request: S3Request): Promise<Answer> {
  const document = parseDocument(await readBodyText(request, documentLimit));
  if (document === undefined || !/^(?:Bucket)?LifecycleConfiguration$/.test(document.name))
    throw new S3Refusal('MalformedXML');
  const rules = listChildren(document, 'Rule').map(parseRule);
  if (rules.length === 0 || rules.length > maxRules) throw new S3Refusal('MalformedXML');
  if (new Set(rules.map(({ id }) => id)).size < rules.length)
    throw new S3Refusal('InvalidArgument', 'Rule ID must be unique. Found same ID for more than one rule.');
  refuseLocalSettings(request.platform);
  updateBucketSettings(request.platform, request.bucket, (before) => ({ ...before, lifecycle: rules }));
  return emptyAnswer(200);
}

function parseRule(rule: Xml, index: number): LifecycleRule {
  const id = textIn(rule, 'ID') || `Rule ${index + 1}`;
  if (id.length > maxIdLength)
    throw new S3Refusal('InvalidArgument', 'ID length should not exceed allowed limit of 255');
  const status = textIn(rule, 'Status');
  if (status !== 'Enabled' && status !== 'Disabled') throw new S3Refusal('MalformedXML');
  const [expiration] = listChildren(rule, 'Expiration');
  const [abort] = listChildren(rule, 'AbortIncompleteMultipartUpload');
  const transitions = listChildren(rule, 'Transition');
  const unsupported = rule.children.find(({ name }) => name.startsWith('Noncurrent'));
  if (unsupported !== undefined)
    throw new S3Refusal('NotImplemented', `${unsupported.name} is not implemented`);
  if (expiration === undefined && abort === undefined && transitions.length === 0)
    throw new S3Refusal('InvalidRequest', 'At least one action needs to be specified in a rule.');
  return {
    id,
    enabled: status === 'Enabled',
    conditions: { prefix: parsePrefix(rule) },
    ...(abort !== undefined && {
      abortMultipartUploadsTransition: {
        condition: { type: 'Age' as const, maxAge: parseDays(abort, 'DaysAfterInitiation') * daySeconds },
      },
    }),
    ...(expiration !== undefined && {
      deleteObjectsTransition: { condition: parseCondition(expiration) },
    }),
    ...(transitions.length > 0 && { storageClassTransitions: transitions.map(parseTransition) }),
  };
}

/** Reads the prefix of a rule from its filter or, in the older format, from the rule itself. */
function parsePrefix(rule: Xml): string {
  const [filter] = listChildren(rule, 'Filter');
  if (filter === undefined) return textIn(rule, 'Prefix') ?? '';
  const other = filter.children.find(({ name }) => name !== 'Prefix');
  if (other !== undefined)
    throw new S3Refusal('NotImplemented', `Filter by ${other.name} is not implemented`);
  return textIn(filter, 'Prefix') ?? '';
}

type Condition = { type: 'Age'; maxAge: number } | { type: 'Date'; date: string };

function parseCondition(action: Xml): Condition {
  if (textIn(action, 'ExpiredObjectDeleteMarker') !== undefined)
    throw new S3Refusal('NotImplemented', 'ExpiredObjectDeleteMarker is not implemented');
  const date = textIn(action, 'Date');
  if (date === undefined) return { type: 'Age', maxAge: parseDays(action, 'Days') * daySeconds };
  if (textIn(action, 'Days') !== undefined) throw new S3Refusal('MalformedXML');
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new S3Refusal('MalformedXML');
  if (time % (daySeconds * 1000) !== 0)
    throw new S3Refusal('InvalidArgument', "'Date' must be at midnight GMT");
  return { type: 'Date', date: new Date(time).toISOString() };
}

function parseDays(action: Xml, element: string): number {
  const text = textIn(action, element) ?? '';
  if (!/^-?\d{1,9}$/.test(text)) throw new S3Refusal('MalformedXML');
  if (Number(text) > 0) return Number(text);
  throw new S3Refusal('InvalidArgument', `'${element}' must be a positive integer`);
}

function parseTransition(transition: Xml) {
  const storageClass = parseStorageClass(textIn(transition, 'StorageClass') ?? '');
  // A rule can change the storage class only from standard to infrequent access.
  if (storageClass !== 'InfrequentAccess') throw new S3Refusal('InvalidStorageClass');
  return { condition: parseCondition(transition), storageClass: 'InfrequentAccess' as const };
}

/** `GET /BUCKET?lifecycle`. */
export function getS3Lifecycle({ platform, bucket }: S3Request): Answer {
  const rules = readBucketSettings(platform, bucket).lifecycle ?? defaultLifecycle;
  if (rules.length === 0) throw new S3Refusal('NoSuchLifecycleConfiguration');
  return xmlAnswer(200, 'LifecycleConfiguration', { Rule: rules.map(formatRule) });
}

function formatRule(rule: LifecycleRule): XmlContent {
  const abort = rule.abortMultipartUploadsTransition?.condition;
  const expiration = rule.deleteObjectsTransition?.condition;
  return {
    ID: rule.id,
    Filter: { Prefix: rule.conditions.prefix },
    Status: rule.enabled ? 'Enabled' : 'Disabled',
    Expiration: expiration && formatCondition(expiration),
    Transition: (rule.storageClassTransitions ?? []).map(({ condition, storageClass }) => ({
      ...formatCondition(condition),
      StorageClass: formatStorageClass(storageClass, storageClass),
    })),
    AbortIncompleteMultipartUpload: abort && { DaysAfterInitiation: Math.ceil(abort.maxAge / daySeconds) },
  };
}

function formatCondition(condition: Condition) {
  return condition.type === 'Age'
    ? { Days: Math.ceil(condition.maxAge / daySeconds) }
    : { Date: new Date(condition.date).toISOString() };
}

/** `DELETE /BUCKET?lifecycle`: also deletes the rule that every bucket has by default. */
export function removeS3Lifecycle({ platform, bucket }: S3Request): Answer {
  refuseLocalSettings(platform);
  updateBucketSettings(platform, bucket, (before) => ({ ...before, lifecycle: [] }));
  return emptyAnswer(204);
}

/** Returns the header that shows when a lifecycle rule will delete an object. */
export function formatExpiration(
  platform: Platform,
  bucket: string,
  object: Pick<ObjectRecord, 'key' | 'uploaded'>,
): Record<string, string> {
  const expiration = findExpiration(platform, bucket, object);
  if (expiration === undefined) return {};
  // A date in a header has a resolution of one second. The date is rounded up, because the object must not expire before this date.
  const date = new Date(Math.ceil(expiration.at / 1000) * 1000).toUTCString();
  // The name of the rule is encoded, because it is in quotes, and a header cannot contain characters outside Latin-1.
  const rule = encodeURIComponent(expiration.rule);
  return { 'x-amz-expiration': `expiry-date="${date}", rule-id="${rule}"` };
}
