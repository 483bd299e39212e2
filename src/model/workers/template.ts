/** Projects to begin with: folders of `examples`, which the package brings along. */
export const templates: readonly string[] = ['bucket-worker'];
