/** Project templates, which are folders of `examples` in the package. */
export const templates: readonly string[] = ['bucket-worker'];
