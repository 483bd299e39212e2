import { auditEntry } from '../../../model/guard/audit-shape.ts';
import { callEffects, nouns } from '../../../model/guard/effect.ts';
import { heldRequest } from '../../../model/guard/held-shape.ts';
import { decisions } from '../../../model/guard/policy.ts';
import { anything, count, list, map, object, oneOf, optional, text, texts } from '../../../model/shape.ts';
import { lines, noJson, value } from '../../output/answer-shape.ts';

const patterns = (about: string) => optional(texts(`${about}; * matches any characters`));

const policyRule = object({
  name: text('Name of the rule'),
  decision: oneOf(decisions, 'The decision'),
  effect: optional(list(oneOf([...callEffects, 'unknown'], 'An effect'), 'Effects')),
  noun: optional(list(oneOf(nouns, 'Kind of resource'), 'Kinds of resources')),
  route: patterns('Routes or paths, with or without a method'),
  account: patterns('Account ids'),
  zone: patterns('Zone ids'),
  namespace: patterns('Namespace ids'),
  bucket: patterns('Bucket names'),
  worker: patterns('Worker names'),
  hostname: patterns('Hostnames'),
  names: patterns('Resource names or ids'),
  target: optional(texts('production or preview')),
  client: patterns('Programs'),
  over: optional(count('Matches requests that affect more than this number of resources')),
});

export const guardAnswers = {
  'guard exec': noJson('The output of the command.'),
  'guard start': value(
    object({
      apiBaseUrl: text("Base URL of the guard's v4 API"),
      apiToken: text('The token that clients send; valid only for this guard'),
      accountId: optional(text('Id of the account, if an account is selected')),
      s3Endpoint: text("The guard's S3 API endpoint"),
      s3AccessKeyId: text('Access key id for the S3 API; valid only for this guard'),
      s3SecretAccessKey: text('Secret access key for the S3 API'),
      pid: count('Process id of the guard'),
    }),
  ),
  'guard held': value(list(heldRequest, 'Held requests; waiting requests first')),
  'guard approve': noJson('A confirmation in one sentence.'),
  'guard refuse': noJson('A confirmation in one sentence.'),
  'policy show': value(
    list(
      object({
        source: oneOf(['root', 'user', 'named', 'project', 'built-in'], 'Source of the policy'),
        path: optional(text('Path of the policy file')),
        digest: optional(text('SHA-256 of the file')),
        rules: list(policyRule, 'Rules; the first matching rule decides'),
      }),
      "Policies, in order of precedence; a project's policy can only make a decision stricter",
    ),
  ),
  'policy test': value(
    object({
      decision: oneOf(decisions, 'The decision'),
      rule: text('Name of the rule that decides'),
      policy: text('Policy that contains the rule: path of its file, or built-in'),
      effect: oneOf([...callEffects, 'unknown'], 'Effect of the request'),
      noun: optional(oneOf(nouns, 'Kind of resource')),
      unnamed: texts(
        'Unknown facts; a rule that depends on an unknown fact matches only if it asks or denies',
      ),
    }),
  ),
  'audit list': value(list(auditEntry, 'Requests, oldest first')),
  'audit show': value(auditEntry),
  'audit verify': value(
    object({
      records: count('Number of records'),
      first: optional(count('Number of the oldest record')),
      last: optional(count('Number of the newest record')),
      hash: optional(text('SHA-256 of the newest record')),
      torn: count('Number of incomplete lines, which a killed process or a full disk can leave behind'),
      faults: list(
        object({
          file: text('Path of the log file'),
          line: count('Line number, starting at 1'),
          why: text('What is wrong with the record'),
        }),
        'Records that were changed, removed or inserted; exit code 7 if there are any',
      ),
    }),
  ),
  'audit follow': lines(
    auditEntry,
    'One request per line, printed when it is decided, and again when its outcome is known.',
  ),
  'audit export': lines(map(anything('A field'), 'Fields of a record'), 'The records, exactly as stored.'),
} as const;
