import type { GroupName } from '../../model/permissions/token-permissions.ts';

/**
 * The platform's ids of permission groups, which are the same in every account. Sources: the platform's published table "API Tokens
 * Permissions", and, for newer groups, the answer to `GET /user/tokens/permission_groups` in alchemy 0.94.0. `Workers Tail` can only be
 * read.
 */
export const permissionGroupIds: Readonly<
  Record<GroupName, { readonly Read: string; readonly Write?: string }>
> = {
  'Workers KV Storage': {
    Read: '8b47d2786a534c08a1f94ee8f9f599ef',
    Write: 'f7f0eda5697f475c90846e879bab8666',
  },
  'Workers R2 Storage': {
    Read: 'b4992e1108244f5d8bfbd5744320c2e1',
    Write: 'bf7481a1826f439697cb59a20b22293e',
  },
  'Workers Scripts': { Read: '1a71c399035b4950a1bd1466bbe4f420', Write: 'e086da7e2179491d91ee5f35b3ca210a' },
  'Workers Tail': { Read: '05880cd1bdc24d8bae0be2136972816b' },
  'Account Settings': { Read: 'c1fde68c7bcc44588cbb6ddbc16d6480', Write: '1af1fa2adc104452b74a9a3364202f20' },
  'Account API Tokens': {
    Read: 'eb56a6953c034b9d97dd838155666f06',
    Write: '5bc3f8b21c554832afc660159ab75fa4',
  },
  'IP Prefixes': { Read: '27beb7f8333b41e2b946f0e23cd8091e', Write: '92b8234e99f64e05bbbc59e1dc0f76b6' },
  D1: { Read: '192192df92ee43ac90f2aeeffce67e35', Write: '09b2857d1c31407795e75e3fed8617a1' },
  Queues: { Read: '84a7755d54c646ca87cd50682a34bf7c', Write: '366f57075ffc42689627bcf8242a1b6d' },
  Pages: { Read: 'e247aedd66bd41cc9193af0213416666', Write: '8d28297797f24fb8a0c332fe0866ec89' },
  Zone: { Read: 'c8fed203ed3043cba015a93ad1616f1f', Write: 'e6d2666161e84845a636613608cee8d5' },
  'Zone Settings': { Read: '517b21aee92c4d89936c976ba6e4be55', Write: '3030687196b94b638145a3953da2b699' },
  'Page Rules': { Read: 'b415b70a4fd1412886f164451f20405c', Write: 'ed07f6c337da4195b4e72a1fb2c6bcae' },
  DNS: { Read: '82e64a83756745bbbb1c9c2701bf816b', Write: '4755a26eedb94da69e1066d98aa820be' },
  'SSL and Certificates': {
    Read: '7b7216b327b04b8fbc8f524e1f9b7531',
    Write: 'c03055bc037c4ea9afb9a9f104b7b721',
  },
  'Workers Routes': { Read: '2072033d694d415a936eaeb94e6405b8', Write: '28f4b596e7d643029c524985477ae49a' },
  'User Details': { Read: '8acbe5bb0d54464ab867149d7f7cf8ac', Write: '55a5e17cc99e4a3fa1f3432d262f2e55' },
  'API Tokens': { Read: '0cc3a61731504c89b99ec1be78b77aa0', Write: '686d18d5ac6c441c867cbf6771e58a0a' },
  Memberships: { Read: '3518d0f75557482e952c6762d3e64903', Write: '9201bc6f42d440968aaab0c6f17ebb1d' },
};
