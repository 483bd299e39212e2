/** The packages that run and bundle workers. edgectl includes neither of them, because they are a hundred times its size. */
export const workerPackages = ['miniflare@5.20261117.0-beta', 'esbuild@0.28.2'] as const;
