/** Replaces react-devtools-core in the bundle, which Ink loads only if DEV is set. */
export default { initialize(): void {}, connectToDevTools(): void {} };
