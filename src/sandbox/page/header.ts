/** The header of what the page of a sandbox asks. Whoever looks at the traffic is no part of it. */
export const pageHeader = 'edgectl-page';
