type Nothing = Readonly<Record<never, never>>;

/**
 * Remedies with different texts in the command line and in the console: each interface has a text for each kind. Advice with
 * the same text everywhere is a hint. Strings may be outside data.
 */
export interface Remedies {
  // For any failure
  'report-fault': Nothing;
  'allow-changes': Nothing;
  'install-workers': Nothing;
  'install-package': Nothing;
  'check-network': Nothing;
  'look-at-sandbox': Nothing;
  // Place and credentials
  'sign-in': Nothing;
  'choose-profile': { readonly names: readonly string[] };
  'name-profile': Nothing;
  'accept-profile': { readonly file: string };
  'bind-another': { readonly names: readonly string[] };
  'keep-unverified': Nothing;
  'replace-profile': Nothing;
  'give-account': Nothing;
  'choose-account': Nothing;
  /** `folderWith` names the flag with which the text would be the name of a local data folder. */
  'find-id': { readonly of: 'account' | 'zone' | 'namespace'; readonly folderWith?: string | undefined };
  /** `permission` is the dashboard's name: "DNS: Edit". */
  'add-permission': { readonly permission: string };
  'new-token': Nothing;
  'check-ids': { readonly asked: string; readonly source: string };
  'look-elsewhere': { readonly namespace: string; readonly where: string; readonly source: string };
  'demo-data': Nothing;
  // Configuration
  'name-config': { readonly file: string };
  /** `name` is the project's name, derived from its folder. */
  'make-config': { readonly file: string; readonly name: string };
  /** A namespace can also be given by its id. */
  'bind-or-name': { readonly file: string };
  /** `folders` is the value of trusted-folders that accepts the file. */
  'accept-config': { readonly file: string; readonly folders: string };
  'add-config': Nothing;
  'read-json-config': { readonly file: string };
  'leave-site': Nothing;
  'keep-in-profile': Nothing;
  /** `other` is whether the binding has the other of its two ids. */
  'add-binding-id': { readonly binding: string; readonly preview: boolean; readonly other: boolean };
  'edit-binding': { readonly key: string };
  'allow-writing': Nothing;
  'remove-by-hand': Nothing;
  // Folders
  /** `instead` describes what makes this folder usable. */
  'choose-folder': {
    readonly of?: 'config' | 'state' | 'data' | 'cache' | 'sandbox' | 'local';
    readonly instead?: string;
  };
  'name-local-folder': { readonly folder: string };
  'leave-data': Nothing;
  'remove-stranger': Nothing;
  'copy-files': Nothing;
  'make-sandbox': { readonly folder?: string | undefined };
  'name-sandbox': Nothing;
  'start-sandbox': { readonly folder: string };
  'update-sandbox': Nothing;
  'reset-sandbox': Nothing;
  'choose-port': { readonly of: 'api' | 'dns' | 'edge-tls' | 'proxy' };
  // Keys and namespaces
  'write-any-key': Nothing;
  'take-existing': Nothing;
  'skip-wrong': Nothing;
  'start-anew': Nothing;
  'name-destination': Nothing;
  /** `resume` continues an interrupted copy. */
  'choose-existing': { readonly resume: readonly string[] };
  // Buckets and objects
  'empty-bucket': Nothing;
  'choose-bucket': Nothing;
  'upload-folder': Nothing;
  'read-pipe': Nothing;
  'download-alone': Nothing;
  'download-many': Nothing;
  // Workers
  'deploy-worker': { readonly name: string };
  /** The worker runs a version older than its newest. */
  'deploy-newest': { readonly name: string };
  'list-workers': Nothing;
  'give-compatibility-date': Nothing;
  /** `folders` is the value of trusted-folders that allows the files. */
  'trust-folder': { readonly folders: string };
  'name-worker': Nothing;
  'name-entry': Nothing;
  'bind-namespace': { readonly binding: string };
  'bind-bucket': Nothing;
  'create-namespace': { readonly binding: string };
  'create-bucket': { readonly bucket: string };
  'delete-secret': { readonly secret: string; readonly worker: string };
  'init-elsewhere': Nothing;
  // Custom hostnames
  diagnose: { readonly hostname: string };
  'plan-again': Nothing;
  'explain-missing': { readonly hostname: string };
  /** `typed` is a URL, and `name` the hostname in it. */
  'name-alone': { readonly typed: string; readonly name: string };
  'show-hostname': { readonly hostname: string };
  'await-issuance': { readonly seconds: number };
  'raise-quota': Nothing;
  'make-origin-record': Nothing;
  'add-wildcard': Nothing;
  'leave-authority': Nothing;
  'leave-metadata': Nothing;
  'leave-wildcard-metadata': Nothing;
  'leave-origin': Nothing;
  'add-branding': Nothing;
  'edit-hostname': Nothing;
  'export-world': Nothing;
  // Undo entries
  'list-kept': Nothing;
  'change-without-undo': Nothing;
  'replace-file': Nothing;
  // Messages about running work
  'earlier-run': Nothing;
  stopping: Nothing;
}

export type RemedyKind = keyof Remedies;

export type Remedy<Kind extends RemedyKind = RemedyKind> = {
  [K in Kind]: { readonly kind: K } & Remedies[K];
}[Kind];

/** The texts of an interface for every kind: one or two sentences each. A missing kind does not compile. */
export type RemedyWords = { readonly [Kind in RemedyKind]: (remedy: Remedy<Kind>) => string };

/** Formats a remedy with the texts of an interface. */
export function inWords<Kind extends RemedyKind>(words: RemedyWords, remedy: Remedy<Kind>): string {
  const say: (remedy: Remedy<Kind>) => string = words[remedy.kind];
  return say(remedy);
}
