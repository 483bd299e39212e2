import { bare, type Contract, type ContractRow, paged, plain } from './row.ts';

const empty: ContractRow = { query: [...paged], lacks: 'always empty' };

/** Tokens with policies, of the user or of the account. */
function tokensBelow(all: string): Contract {
  const body = ['name', 'policies', 'status', 'condition', 'expires_on', 'not_before'];
  return {
    [`GET ${all}`]: { query: [...paged, 'direction'] },
    [`POST ${all}`]: { query: [], body },
    [`GET ${all}/permission_groups`]: {
      query: ['name', 'scope'],
      lacks: 'only groups for the products here; their ids differ from the provider',
    },
    [`GET ${all}/:token`]: plain,
    [`PUT ${all}/:token`]: { query: [], body },
    [`DELETE ${all}/:token`]: plain,
    [`PUT ${all}/:token/value`]: bare,
  };
}

/** Accounts, the user and tokens. */
export const sessionContract: Contract = {
  ...tokensBelow('/user/tokens'),
  ...tokensBelow('/accounts/:account/tokens'),
  'GET /accounts': { query: ['name', 'direction', ...paged] },
  'GET /accounts/:account': plain,
  'GET /memberships': {
    query: ['status', 'account.name', ...paged],
    lacks: 'the user is a member of every account',
  },
  'GET /user': plain,
  'GET /user/tokens/verify': plain,
  'GET /accounts/:account/tokens/verify': plain,
  'GET /accounts/:account/members': {
    query: ['status', ...paged],
    lacks: 'one member, the user',
  },
  'GET /accounts/:account/members/:member': plain,
  'GET /accounts/:account/roles': { query: [...paged], lacks: 'one role' },
  'GET /accounts/:account/roles/:role': plain,
  'GET /accounts/:account/d1/database': empty,
  'GET /accounts/:account/queues': empty,
  'GET /accounts/:account/pages/projects': empty,
  'GET /accounts/:account/workflows': empty,
};
