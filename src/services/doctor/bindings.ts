import type { Project } from '../../model/config.ts';
import { check, type DoctorCheck } from '../../model/doctor/check.ts';
import { noJurisdiction } from '../../model/jurisdiction.ts';
import { bucketNameFault } from '../../model/objects/bucket.ts';
import { isProblem } from '../../model/problem.ts';
import { callResult } from '../../v4/client.ts';
import type { Call } from '../../v4/send.ts';
import { objstoreHeaders, objstoreWord } from '../../v4/wire.ts';
import { reading } from '../hostnames/calls.ts';
import type { Session } from '../session/session.ts';

/** An id or a bucket name in one field of a binding. */
interface Bound {
  readonly of: 'namespace' | 'bucket';
  readonly binding: string;
  readonly field: string;
  readonly value: string;
  /** The jurisdiction of a bucket; undefined if none is specified. */
  readonly jurisdiction?: string | undefined;
  /** Path in the configuration: the list, the index in the list, and the field. */
  readonly path: readonly [string, number, string];
}

/** Maximum number of ids and names to check. */
const maxLookups = 50;

/** The platform and account for which to check bindings. Without an account, only formats are checked. */
export interface BindingPlace {
  /** Returns why a namespace id is invalid on this platform; undefined for a valid id. */
  readonly namespaceFault: (id: string) => string | undefined;
  readonly account?: { readonly id: string; readonly session: Session } | undefined;
}

/**
 * Checks the bindings of the configuration: whether each id and name is valid, and exists in the account. Returns an empty list if there are
 * no bindings.
 */
export async function bindingChecks(
  project: Project | undefined,
  { namespaceFault, account }: BindingPlace,
): Promise<DoctorCheck[]> {
  const bound = project === undefined ? [] : listBound(project);
  if (project === undefined || bound.length === 0) return [];
  const faults: string[] = [];
  const unread: string[] = [];
  const checked = bound.map((one) => ({ ...one, fault: findFault(namespaceFault, one) }));
  for (const one of checked.slice(0, maxLookups)) {
    const missing = one.fault ?? (await findMissing(account, one));
    if (missing === 'unread') unread.push(one.binding);
    else if (missing !== undefined) faults.push(await describeFault(project, one, missing));
  }
  const facts = { checked: Math.min(bound.length, maxLookups), faults: faults.length, unread: unread.length };
  const hint =
    'Correct the configuration. kv namespace list and objstore bucket list show the existing ids and names.';
  if (faults.length > 0) return [check.wrong('bindings', faults.join('\n'), { hint }, facts)];
  const count = bound.length === 1 ? '1 id or name' : `${bound.length} ids and names`;
  if (account === undefined) return [check.ok('bindings', `${count}, well formed`, facts)];
  const unknown = unread.length === 0 ? '' : `; unknown: ${[...new Set(unread)].join(', ')}`;
  return [check.ok('bindings', `${count}, found in the account${unknown}`, facts)];
}

function listBound({ kvNamespaces, buckets }: Project): readonly Bound[] {
  const namespaces = kvNamespaces.flatMap(({ binding, id, previewId }, index) =>
    Object.entries({ id, preview_id: previewId }).map(([field, value]) => ({
      ...{ of: 'namespace' as const, binding, field, value },
      path: ['kv_namespaces', index, field] as const,
    })),
  );
  const names = buckets.flatMap(({ binding, bucketName, previewBucketName, jurisdiction }, index) =>
    Object.entries({ bucket_name: bucketName, preview_bucket_name: previewBucketName }).map(
      ([field, value]) => ({
        ...{ of: 'bucket' as const, binding, field, value, jurisdiction },
        path: ['objstore_buckets', index, field] as const,
      }),
    ),
  );
  return [...namespaces, ...names].flatMap((one) =>
    one.value === undefined ? [] : [{ ...one, value: one.value }],
  );
}

function findFault(namespaceFault: BindingPlace['namespaceFault'], { of, value }: Bound): string | undefined {
  if (of === 'namespace') return namespaceFault(value);
  const fault = bucketNameFault(value);
  return fault === undefined ? undefined : `is not a valid bucket name: ${fault}`;
}

async function describeFault(
  project: Project,
  { binding, field, value, path }: Bound,
  fault: string,
): Promise<string> {
  const { locateValue } = await import('../../config/locate.ts');
  return `${field} of the binding "${binding}" at ${await locateValue(project, path)}: "${value}" ${fault}`;
}

/**
 * Returns a clause if a resource does not exist in the account, "unread" if the request fails for another reason, and undefined if the
 * resource exists or there is no account.
 */
async function findMissing(account: BindingPlace['account'], bound: Bound): Promise<string | undefined> {
  if (account === undefined) return undefined;
  try {
    await callResult(account.session.send, lookupCall(account.id, bound), () => undefined);
    return undefined;
  } catch (error) {
    if (!isProblem(error) || ['bug', 'interrupted'].includes(error.code)) throw error;
    return error.code === 'not-found' ? `does not exist in the account ${account.id}` : 'unread';
  }
}

/**
 * Returns the request for a resource. Always specifies the jurisdiction of a bucket, because the platform searches only one jurisdiction for
 * the bucket of a binding.
 */
function lookupCall(accountId: string, { of, value, jurisdiction = noJurisdiction }: Bound): Call {
  if (of === 'namespace') return reading(['accounts', accountId, 'storage', 'kv', 'namespaces', value]);
  const call = reading(['accounts', accountId, objstoreWord, 'buckets', value]);
  return { ...call, headers: { [objstoreHeaders.jurisdiction]: jurisdiction } };
}
