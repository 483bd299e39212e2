/** Stands in the bundle for react-devtools-core, which Ink loads only where DEV is set. */
export default { initialize(): void {}, connectToDevTools(): void {} };
