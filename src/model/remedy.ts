type NoFields = Readonly<Record<never, never>>;

/**
 * Remedies that the command line and the console word differently: each interface words every kind. Advice with
 * the same words everywhere is a hint. Strings may be outside data.
 */
export interface Remedies {
  // For any failure
  'report-fault': NoFields;
  'allow-changes': NoFields;
  'install-workers': NoFields;
  'install-package': NoFields;
  'check-network': NoFields;
  'look-at-sandbox': NoFields;
  // Place and credentials
  'sign-in': NoFields;
  'choose-profile': { readonly names: readonly string[] };
  'name-profile': NoFields;
  'accept-profile': { readonly file: string };
  'bind-another': { readonly names: readonly string[] };
  'keep-unverified': NoFields;
  'replace-profile': NoFields;
  'give-account': NoFields;
  'choose-account': NoFields;
  /** `folderWith` names the flag with which the text would be the name of a local data folder. */
  'find-id': { readonly of: 'account' | 'zone' | 'namespace'; readonly folderWith?: string | undefined };
  /** `permission` is the dashboard's name: "DNS: Edit". */
  'add-permission': { readonly permission: string };
  'new-token': NoFields;
  'check-ids': { readonly asked: string; readonly source: string };
  'look-elsewhere': { readonly namespace: string; readonly where: string; readonly source: string };
  'demo-data': NoFields;
  // Configuration
  'name-config': { readonly file: string };
  /** `name` is the project's name, derived from its folder. */
  'make-config': { readonly file: string; readonly name: string };
  /** A namespace can also be given by its id. */
  'bind-or-name': { readonly file: string };
  /** `folders` is the value of trusted-folders that accepts the file. */
  'accept-config': { readonly file: string; readonly folders: string };
  'add-config': NoFields;
  'read-json-config': { readonly file: string };
  'leave-site': NoFields;
  'keep-in-profile': NoFields;
  /** `other` is whether the binding has the other of its two ids. */
  'add-binding-id': { readonly binding: string; readonly preview: boolean; readonly other: boolean };
  'edit-binding': { readonly key: string };
  'allow-writing': NoFields;
  'remove-by-hand': NoFields;
  // Folders
  /** `instead` describes what makes this folder usable. */
  'choose-folder': {
    readonly of?: 'config' | 'state' | 'data' | 'cache' | 'sandbox' | 'local';
    readonly instead?: string;
  };
  'name-local-folder': { readonly folder: string };
  'leave-data': NoFields;
  'remove-stranger': NoFields;
  'copy-files': NoFields;
  'make-sandbox': { readonly folder?: string | undefined };
  'name-sandbox': NoFields;
  'start-sandbox': { readonly folder: string };
  'update-sandbox': NoFields;
  'reset-sandbox': NoFields;
  'choose-port': { readonly of: 'api' | 'dns' | 'edge-tls' | 'proxy' };
  // Keys and namespaces
  'write-any-key': NoFields;
  'take-existing': NoFields;
  'skip-wrong': NoFields;
  'start-anew': NoFields;
  'name-destination': NoFields;
  /** `resume` continues an interrupted copy. */
  'choose-existing': { readonly resume: readonly string[] };
  // Buckets and objects
  'empty-bucket': NoFields;
  'choose-bucket': NoFields;
  'upload-folder': NoFields;
  'read-pipe': NoFields;
  'download-alone': NoFields;
  'download-many': NoFields;
  // Workers
  'deploy-worker': { readonly name: string };
  /** The worker runs a version older than its newest. */
  'deploy-newest': { readonly name: string };
  'list-workers': NoFields;
  'give-compatibility-date': NoFields;
  /** `folders` is the value of trusted-folders that allows the files. */
  'trust-folder': { readonly folders: string };
  'name-worker': NoFields;
  'name-entry': NoFields;
  'bind-namespace': { readonly binding: string };
  'bind-bucket': NoFields;
  'create-namespace': { readonly binding: string };
  'create-bucket': { readonly bucket: string };
  'delete-secret': { readonly secret: string; readonly worker: string };
  'init-elsewhere': NoFields;
  // Custom hostnames
  diagnose: { readonly hostname: string };
  'plan-again': NoFields;
  'explain-missing': { readonly hostname: string };
  /** `typed` is a URL, and `name` the hostname in it. */
  'name-alone': { readonly typed: string; readonly name: string };
  'show-hostname': { readonly hostname: string };
  'await-issuance': { readonly seconds: number };
  'raise-quota': NoFields;
  'make-origin-record': NoFields;
  'add-wildcard': NoFields;
  'leave-authority': NoFields;
  'leave-metadata': NoFields;
  'leave-wildcard-metadata': NoFields;
  'leave-origin': NoFields;
  'add-branding': NoFields;
  'edit-hostname': NoFields;
  'export-world': NoFields;
  // Undo entries
  'list-kept': NoFields;
  'change-without-undo': NoFields;
  'replace-file': NoFields;
  // Messages about running work
  'earlier-run': NoFields;
  stopping: NoFields;
}

export type RemedyKind = keyof Remedies;

export type Remedy<Kind extends RemedyKind = RemedyKind> = {
  [K in Kind]: { readonly kind: K } & Remedies[K];
}[Kind];

/** The wording of every kind in one interface: one or two sentences each. A missing kind does not compile. */
export type RemedyTexts = { readonly [Kind in RemedyKind]: (remedy: Remedy<Kind>) => string };

/** Formats a remedy for an interface. */
export function formatRemedy<Kind extends RemedyKind>(words: RemedyTexts, remedy: Remedy<Kind>): string {
  const say: (remedy: Remedy<Kind>) => string = words[remedy.kind];
  return say(remedy);
}
