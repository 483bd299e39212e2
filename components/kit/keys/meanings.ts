/** The meaning of a key, the same in all panes, and the actions with this meaning. */
interface Meaning {
  readonly means: string;
  readonly actions: readonly string[];
}

/**
 * The meaning of each character and control key, the same in every pane that uses the key. The table in docs/keys.md is generated from this
 * table. In a question, `y` and `n` are the answers.
 */
export const meanings: Readonly<Record<string, Meaning>> = {
  a: { means: 'mark all', actions: ['mark-shown'] },
  b: { means: 'bookmark', actions: ['bookmark'] },
  c: { means: 'copy to another place', actions: ['copy-keys', 'copy-object', 'copy-record'] },
  d: { means: 'delete', actions: ['remove'] },
  e: { means: 'edit', actions: ['edit', 'rename'] },
  f: { means: 'fix', actions: ['fix'] },
  g: { means: 'to the first line', actions: ['first'] },
  h: { means: 'back', actions: ['back', 'out'] },
  i: { means: 'import: apply the contents of a file', actions: ['import'] },
  j: { means: 'down', actions: ['down'] },
  k: { means: 'up', actions: ['up'] },
  l: { means: 'open', actions: ['open'] },
  m: { means: 'load more', actions: ['more'] },
  n: { means: 'new', actions: ['create'] },
  o: { means: 'sort order', actions: ['sort'] },
  p: { means: 'search the names on the server', actions: ['ask'] },
  q: { means: 'quit', actions: ['quit'] },
  r: { means: 'reload', actions: ['refresh'] },
  s: { means: 'show only one kind', actions: ['status'] },
  t: { means: 'target', actions: ['target'] },
  u: { means: 'upload', actions: ['upload'] },
  v: { means: 'mark to here', actions: ['mark-range'] },
  w: { means: 'write to a file', actions: ['export', 'download'] },
  x: { means: 'stop', actions: ['stop'] },
  y: { means: 'copy to the clipboard', actions: ['copy'] },
  z: { means: 'zone', actions: ['zone'] },
  A: { means: 'clear all marks', actions: ['clear-marks'] },
  B: { means: 'roll back', actions: ['roll-back'] },
  C: { means: 'console output of a worker', actions: ['logs'] },
  D: { means: 'diagnose', actions: ['diagnose'] },
  E: { means: 'edit in $EDITOR', actions: ['edit-outside'] },
  F: { means: 'pause refreshing', actions: ['live'] },
  G: { means: 'to the last line', actions: ['last'] },
  H: { means: 'origin and hold of the zone', actions: ['zone-settings'] },
  I: { means: 'instructions for the customer', actions: ['instructions'] },
  J: { means: 'link to an object', actions: ['link'] },
  K: { means: 'copy the name of the key', actions: ['copy-name'] },
  L: { means: 'load all', actions: ['all'] },
  M: { means: 'messages', actions: ['messages'] },
  N: { means: 'previous match', actions: ['previous-match'] },
  O: { means: 'reverse the order', actions: ['reverse'] },
  P: { means: 'copy the path in JSON', actions: ['copy-path'] },
  Q: { means: 'DNS records of the zone', actions: ['records'] },
  R: { means: 'restart what has stopped or failed', actions: ['revalidate', 'resume'] },
  S: { means: 'separator of the tree', actions: ['separator'] },
  T: { means: 'tree', actions: ['tree'] },
  U: { means: 'undo', actions: ['undo'] },
  V: { means: 'renewals', actions: ['timeline'] },
  W: { means: 'wrap', actions: ['wrap'] },
  X: { means: 'proxy on or off', actions: ['proxied'] },
  Y: { means: 'as a command', actions: ['equivalents'] },
  Z: { means: 'profile, account, zone', actions: ['acting'] },
  enter: { means: 'open, or run the action of the line', actions: ['open', 'fold', 'import', 'restore'] },
  space: { means: 'mark', actions: ['mark'] },
  tab: { means: 'to the next view or item', actions: ['next', 'next-view'] },
  esc: { means: 'clear, then back', actions: ['back'] },
  '/': { means: 'find', actions: ['filter', 'search'] },
  '=': { means: 'compare', actions: ['compare'] },
  '*': { means: 'invert the marks', actions: ['invert-marks'] },
  '#': { means: 'columns', actions: ['columns'] },
  '+': { means: 'unfold', actions: ['unfold-all'] },
  '-': { means: 'fold', actions: ['fold-all'] },
  '<': { means: 'shift to the left', actions: ['shift-left'] },
  '>': { means: 'shift to the right', actions: ['shift-right'] },
  '[': { means: 'to the previous view', actions: ['go-back'] },
  ']': { means: 'forward again', actions: ['go-forward'] },
  ':': { means: 'find an action or a place', actions: ['palette'] },
  '@': { means: 'link to the view', actions: ['copy-link'] },
  '!': { means: 'doctor', actions: ['doctor'] },
  ',': { means: 'settings', actions: ['settings'] },
  '|': { means: 'preview', actions: ['preview'] },
  "'": { means: 'to the failed change', actions: ['recall'] },
  '&': { means: 'mouse', actions: ['mouse'] },
  '?': { means: 'help', actions: ['help'] },
  'ctrl+a': { means: 'audit log', actions: ['audit'] },
  'ctrl+b': { means: 'page up', actions: ['page-up'] },
  'ctrl+e': { means: 'expiry', actions: ['expire'] },
  'ctrl+f': { means: 'page down', actions: ['page-down'] },
  'ctrl+g': { means: 'requests that guards hold', actions: ['held'] },
  'ctrl+n': { means: 'no: refuse a held request', actions: ['refuse'] },
  'ctrl+o': { means: 'import only the valid entries', actions: ['import-valid'] },
  'ctrl+r': {
    means: 'approve this request and the same requests until the guard ends',
    actions: ['approve-same'],
  },
  'ctrl+s': { means: 'sync with a folder', actions: ['sync'] },
  'ctrl+t': { means: 'certificate authority', actions: ['authority'] },
  'ctrl+x': { means: 'clear: delete the whole content', actions: ['clear-keys', 'remove-done'] },
  'ctrl+y': { means: 'yes: approve a held request', actions: ['approve'] },
};

/** A key with another meaning in some panes, and the reason. */
interface MeaningException extends Meaning {
  readonly why: string;
}

export const meaningExceptions: Readonly<Record<string, MeaningException>> = {
  n: {
    means: 'next match',
    actions: ['next-match'],
    why: 'in a document, in which nothing can be created (as in less, vim and k9s)',
  },
};
