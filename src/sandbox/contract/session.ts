import { type Contract, type ContractRow, paged, plain } from './row.ts';

const empty: ContractRow = { query: [...paged], lacks: 'always empty' };

/** Accounts, the user and tokens. */
export const sessionContract: Contract = {
  'GET /accounts': { query: ['name', ...paged] },
  'GET /accounts/:account': plain,
  'GET /memberships': { query: ['status', 'account.name', ...paged], lacks: 'one membership, of the user' },
  'GET /user': plain,
  'GET /user/tokens/verify': plain,
  'GET /accounts/:account/tokens/verify': plain,
  'GET /accounts/:account/d1/database': empty,
  'GET /accounts/:account/queues': empty,
  'GET /accounts/:account/pages/projects': empty,
  'GET /accounts/:account/workflows': empty,
};
