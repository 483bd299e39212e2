import { expect, test } from 'vitest';
import { bypassesGuard } from '../../src/profiles/credential-variables.ts';

test.each([
  // Variables of the platform's own tools, acme.sh, lego and Terraform.
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_DNS_API_TOKEN',
  'CF_Token',
  'CF_Email',
  'TF_VAR_cloudflare_api_token',
  'WRANGLER_R2_SQL_AUTH_TOKEN',
  // Names for several credentials of one kind: the usual name with a number, or with an environment after or before it.
  'CLOUDFLARE_TOKEN_PROD',
  'CLOUDFLARE_API_TOKEN_STAGING_EU',
  'CF_TOKEN2',
  'CF2_API_KEY',
  'PROD_CLOUDFLARE_API_TOKEN',
  'MY_CF_TOKEN',
  'TF_VAR_prod_cloudflare_token',
  'CLOUDFLARE_APITOKEN',
  'CLOUDFLARE_CREDENTIALS',
  'API_TOKEN_CLOUDFLARE',
  'R2_SECRET_ACCESS_KEY_BACKUP',
  'BACKUP_R2_ACCESS_KEY_ID',
  // S3 clients.
  'MINIO_SECRET_KEY',
  'MINIO_ACCESS_KEY',
  'MINIO_ROOT_PASSWORD',
  'LITESTREAM_SECRET_ACCESS_KEY',
  'AWS_SECRET_ACCESS_KEY_PROD',
  'AWS_ACCESS_KEY_ID2',
  'PROD_AWS_SESSION_TOKEN',
  'S3_SECRET',
  'S3_ACCESSKEY',
  'SECRET_KEY_S3',
  'BACKUP_S3_SECRET_KEY',
  'RCLONE_CONFIG_MINE_SECRET_ACCESS_KEY',
  'RCLONE_S3_ACCESS_KEY_ID',
])('a guard removes %s', (name) => {
  expect(bypassesGuard(name)).toBe(true);
});

test.each([
  'PATH',
  'SECRET_KEY',
  'GITHUB_TOKEN',
  'NPM_TOKEN',
  'SSH_AUTH_SOCK',
  'BROWSERSTACK_ACCESS_KEY',
  'AWS_REGION',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AWS_KMS_KEY_ID',
  'AWS_SECRET_NAME',
  'S3_BUCKET',
  'S3_KEY',
  'MINIO_BUCKET',
  'CF_PAGES_BRANCH',
  'CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV',
  'WRANGLER_SEND_METRICS',
  'RCLONE_CONFIG_MINE_TYPE',
  'EDGECTL_READ_ONLY',
  'R2D2_KEY',
  'CFLAGS_TOKEN',
])('a guard leaves %s', (name) => {
  expect(bypassesGuard(name)).toBe(false);
});
