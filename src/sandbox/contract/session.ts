import { type Contract, type ContractRow, ignoredBody, pageParameters, pathOnly } from './row.ts';

const empty: ContractRow = { query: [...pageParameters], differences: 'always empty' };

/** Returns the rows for tokens with policies, which belong to a user or an account. */
function tokensBelow(all: string): Contract {
  const body = ['name', 'policies', 'status', 'condition', 'expires_on', 'not_before'];
  return {
    [`GET ${all}`]: { query: [...pageParameters, 'direction'] },
    [`POST ${all}`]: { query: [], body },
    [`GET ${all}/permission_groups`]: {
      query: ['name', 'scope'],
      differences: 'lists only the groups of supported products',
    },
    [`GET ${all}/:token`]: pathOnly,
    [`PUT ${all}/:token`]: { query: [], body },
    [`DELETE ${all}/:token`]: pathOnly,
    [`PUT ${all}/:token/value`]: ignoredBody,
  };
}

/** The routes for accounts, the user and tokens. */
export const sessionContract: Contract = {
  ...tokensBelow('/user/tokens'),
  ...tokensBelow('/accounts/:account/tokens'),
  'GET /accounts': { query: ['name', 'direction', ...pageParameters] },
  'GET /accounts/:account': pathOnly,
  'GET /memberships': {
    query: ['status', 'account.name', ...pageParameters],
    differences: 'the user is a member of every account',
  },
  'GET /user': pathOnly,
  'GET /user/tokens/verify': pathOnly,
  'GET /accounts/:account/tokens/verify': pathOnly,
  'GET /accounts/:account/members': {
    query: ['status', ...pageParameters],
    differences: 'the only member is the user',
  },
  'GET /accounts/:account/members/:member': pathOnly,
  'GET /accounts/:account/roles': { query: [...pageParameters], differences: 'one role' },
  'GET /accounts/:account/roles/:role': pathOnly,
  'GET /accounts/:account/d1/database': empty,
  'GET /accounts/:account/queues': empty,
  'GET /accounts/:account/pages/projects': empty,
  'GET /accounts/:account/workflows': empty,
};
