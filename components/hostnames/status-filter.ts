import { certificateStatuses, hostnameStatuses } from '../../src/model/hostnames/hostname.ts';
import type { HostnameFilter } from '../../src/model/hostnames/list.ts';

/** Before a status that is the certificate's. */
const ofCertificate = 'certificate ';

/** The statuses that hostnames can be listed in, their own and those of their certificates; the first, empty one is any. */
export const listedStatuses: readonly string[] = [
  '',
  ...hostnameStatuses,
  ...certificateStatuses.map((status) => ofCertificate + status),
];

/** A status of that list as a filter of the platform's. */
export function filterOfStatus(status: string): Pick<HostnameFilter, 'status' | 'certificateStatus'> {
  if (status === '') return {};
  if (!status.startsWith(ofCertificate)) return { status };
  return { certificateStatus: status.slice(ofCertificate.length) };
}
