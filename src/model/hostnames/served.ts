/** How many custom hostnames an origin serves. Of a large zone not every hostname is read. */
export interface ServedCount {
  readonly hostnames: number;
  readonly bound: 'exactly' | 'at most' | 'at least';
}
