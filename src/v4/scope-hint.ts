import type { Advice } from '../model/problem.ts';
import { findRoute, permissionFor } from './routes.ts';
import type { Answer, Call } from './send.ts';

/** The account, zone or namespace in a call's path. */
interface CallScope {
  readonly account?: string | undefined;
  readonly zone?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Returns a hint with the permission that the token lacks, the permission's scope, and the source of the token. */
export function permissionHint(call: Call, { source = 'the session' }: Answer): string {
  if (findRoute(call)?.permission === 'sandbox token')
    return `The credentials of ${source} are not the sandbox's own: use the token that the sandbox prints when it starts.`;
  const scope = describeScope(readScope(call));
  const permission = permissionFor(call);
  if (permission === undefined)
    return `The credentials of ${source} do not have access to ${scope || 'this resource'}.`;
  return `The credentials of ${source} need "${permission}"${scope === '' ? '' : ` for ${scope}`}.`;
}

/** The platform's error codes for an unknown path, for example if the account or zone does not exist. */
const routeCodes = new Set([7000, 7003]);

/** Returns whether an error means that a path does not exist. Such an error does not prove that the resource in the path does not exist. */
export function isRouteFault(first: { readonly code: number } | undefined): boolean {
  return first !== undefined && routeCodes.has(first.code);
}

const namespaceCodes = new Set([10009, 10011, 10013]);

/** Returns advice for a path that contains an unknown account, zone or namespace; no advice if the message is sufficient. */
export function unknownAdvice(
  call: Call,
  { source = 'the session' }: Answer,
  error: { readonly code: number; readonly message: string },
): Advice {
  const scope = readScope(call);
  const isNamespace = namespaceCodes.has(error.code) && /namespace/i.test(error.message);
  if (isNamespace && scope.namespace !== undefined) {
    const where = describeScope({ account: scope.account });
    return { remedy: { kind: 'look-elsewhere', namespace: scope.namespace, where, source } };
  }
  if (!isRouteFault(error)) return {};
  return { remedy: { kind: 'check-ids', asked: describeScope(scope) || 'no account or zone', source } };
}

function readScope({ path }: Call): CallScope {
  const plain = path.split('?', 1)[0] ?? path;
  return {
    account: /^\/accounts\/([^/]+)/.exec(plain)?.[1],
    zone: /^\/zones\/([^/]+)/.exec(plain)?.[1],
    namespace: /\/storage\/kv\/namespaces\/([^/]+)/.exec(plain)?.[1],
  };
}

function describeScope({ account, zone, namespace }: CallScope): string {
  const words = [
    namespace === undefined ? undefined : `namespace ${namespace}`,
    account === undefined ? undefined : `account ${account}`,
    zone === undefined ? undefined : `zone ${zone}`,
  ];
  return words.filter((word) => word !== undefined).join(' in ');
}
