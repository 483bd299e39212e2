/** Project templates, which are subfolders of `examples` in the package. */
export const templates: readonly string[] = ['bucket-worker'];
