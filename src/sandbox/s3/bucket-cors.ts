import { S3Refusal } from '../../s3/refusal.ts';
import { listChildren, parseDocument, textIn, type Xml } from '../../s3/xml.ts';
import type { Answer } from '../../v4/send.ts';
import { readBucketSettings, updateBucketSettings } from '../objects/settings/bucket-settings.ts';
import type { CorsRule } from '../objects/settings/shapes.ts';
import { refuseLocalSettings } from './buckets.ts';
import { emptyAnswer, xmlAnswer } from './documents.ts';
import { readBodyText } from './reading.ts';
import type { S3Request } from './request.ts';

const documentLimit = 64 * 1024;
const maxRules = 100;
const methods: readonly string[] = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD'];

/** `PUT /BUCKET?cors`: sets the rules for answering preflight requests (`cors.ts`). */
export async function putS3Cors(request: S3Request): Promise<Answer> {
  const document = parseDocument(await readBodyText(request, documentLimit));
  if (document?.name !== 'CORSConfiguration') throw new S3Refusal('MalformedXML');
  const rules = listChildren(document, 'CORSRule').map(parseRule);
  if (rules.length === 0 || rules.length > maxRules) throw new S3Refusal('MalformedXML');
  refuseLocalSettings(request.platform);
  updateBucketSettings(request.platform, request.bucket, (before) => ({ ...before, cors: rules }));
  return emptyAnswer(200);
}

function parseRule(rule: Xml): CorsRule {
  const texts = (name: string) => listChildren(rule, name).map(({ text }) => text);
  const [origins, allowed, headers, exposed] = [
    'AllowedOrigin',
    'AllowedMethod',
    'AllowedHeader',
    'ExposeHeader',
  ].map(texts) as [string[], string[], string[], string[]];
  if (origins.length === 0 || allowed.length === 0) throw new S3Refusal('MalformedXML');
  const unknown = allowed.find((method) => !methods.includes(method));
  if (unknown !== undefined)
    throw new S3Refusal(
      'InvalidRequest',
      `Found unsupported HTTP method in CORS config. Unsupported method is ${unknown}`,
    );
  if ([...origins, ...headers].some((pattern) => pattern.split('*').length > 2))
    throw new S3Refusal('InvalidRequest', 'AllowedOrigin and AllowedHeader can have one wildcard at most.');
  const id = textIn(rule, 'ID');
  const maxAge = textIn(rule, 'MaxAgeSeconds');
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) throw new S3Refusal('MalformedXML');
  return {
    ...(id !== undefined && { id }),
    allowed: {
      methods: allowed as CorsRule['allowed']['methods'],
      origins,
      ...(headers.length > 0 && { headers }),
    },
    ...(exposed.length > 0 && { exposeHeaders: exposed }),
    ...(maxAge !== undefined && { maxAgeSeconds: Number(maxAge) }),
  };
}

/** `GET /BUCKET?cors`. */
export function getS3Cors({ platform, bucket }: S3Request): Answer {
  const { cors } = readBucketSettings(platform, bucket);
  if (cors === undefined) throw new S3Refusal('NoSuchCORSConfiguration');
  return xmlAnswer(200, 'CORSConfiguration', {
    CORSRule: cors.map(({ id, allowed, exposeHeaders, maxAgeSeconds }) => ({
      ID: id,
      AllowedOrigin: allowed.origins,
      AllowedMethod: allowed.methods,
      AllowedHeader: allowed.headers,
      ExposeHeader: exposeHeaders,
      MaxAgeSeconds: maxAgeSeconds,
    })),
  });
}

/** `DELETE /BUCKET?cors`. */
export function removeS3Cors({ platform, bucket }: S3Request): Answer {
  refuseLocalSettings(platform);
  updateBucketSettings(platform, bucket, ({ cors: _, ...rest }) => rest);
  return emptyAnswer(204);
}
