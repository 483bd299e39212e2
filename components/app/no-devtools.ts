/** A stub that replaces react-devtools-core in the bundle. Ink loads react-devtools-core only if DEV is set. */
export default { initialize(): void {}, connectToDevTools(): void {} };
