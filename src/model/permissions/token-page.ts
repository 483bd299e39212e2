import { permissionFamilies } from './families.ts';

const page = 'https://dash.cloudflare.com/profile/api-tokens';

/**
 * The address of the dashboard's form for a new token, with its name and all permissions that edgectl can make use of
 * filled in. Which accounts and zones it is for is chosen there. Source: the platform's "API token template URLs".
 */
export function tokenPage(name: string, { readOnly }: { readonly readOnly: boolean }): string {
  const type = readOnly ? 'read' : 'edit';
  const keys = [
    ...permissionFamilies.map(({ key }) => ({ key, type })),
    { key: 'account_settings', type: 'read' },
  ];
  const permissions = encodeURIComponent(JSON.stringify(keys));
  return `${page}?permissionGroupKeys=${permissions}&accountId=*&zoneId=all&name=${encodeURIComponent(name)}`;
}
