/** Project templates: folders of `examples`, which the package contains. */
export const templates: readonly string[] = ['bucket-worker'];
