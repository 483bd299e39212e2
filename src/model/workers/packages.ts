/** The packages that run and bundle workers. They are a hundred times the size of edgectl, which brings neither. */
export const workerPackages = ['miniflare@5.20261117.0-beta', 'esbuild@0.28.2'] as const;
