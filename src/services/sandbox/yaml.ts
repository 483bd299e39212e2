// A file of its own, because it is loaded late, and the bundler gives no names of a CommonJS package to a late import.
export { parseDocument, stringify } from 'yaml';
