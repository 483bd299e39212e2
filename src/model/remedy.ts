type NoFields = Readonly<Record<never, never>>;

/**
 * Remedies that the command line and the console word differently. Each interface defines the wording of every kind. Advice with the same
 * wording everywhere is a hint instead. Strings may be untrusted data.
 */
export interface Remedies {
  // For all failures
  'report-fault': NoFields;
  'allow-changes': NoFields;
  'install-workers': NoFields;
  'install-package': NoFields;
  'check-network': NoFields;
  'look-at-sandbox': NoFields;
  // Accounts, platforms and credentials
  'sign-in': NoFields;
  'choose-profile': { readonly names: readonly string[] };
  'name-profile': NoFields;
  'accept-profile': { readonly file: string };
  'bind-another': { readonly names: readonly string[] };
  'keep-unverified': NoFields;
  'replace-profile': NoFields;
  'give-account': NoFields;
  'choose-account': NoFields;
  /** `folderWith` is a flag that would interpret the value as the name of a local data folder. */
  'find-id': { readonly of: 'account' | 'zone' | 'namespace'; readonly folderWith?: string | undefined };
  /** `permission` is the permission's name in the dashboard: "DNS: Edit". */
  'add-permission': { readonly permission: string };
  'new-token': NoFields;
  'check-ids': { readonly asked: string; readonly source: string };
  'look-elsewhere': { readonly namespace: string; readonly where: string; readonly source: string };
  'demo-data': NoFields;
  // Configuration
  'name-config': { readonly file: string };
  /** `name` is the project's name, derived from its folder. */
  'make-config': { readonly file: string; readonly name: string };
  /** The user can also specify a namespace by its id. */
  'bind-or-name': { readonly file: string };
  /** `folders` is the value of the setting trusted-folders that would accept the file. */
  'accept-config': { readonly file: string; readonly folders: string };
  'add-config': NoFields;
  'read-json-config': { readonly file: string };
  'leave-site': NoFields;
  'keep-in-profile': NoFields;
  /** `preview`: whether the preview id is missing. `other`: whether the other id is set. */
  'add-binding-id': { readonly binding: string; readonly preview: boolean; readonly other: boolean };
  'edit-binding': { readonly key: string };
  'allow-writing': NoFields;
  'remove-by-hand': NoFields;
  // Folders
  /** `instead` describes what would make this folder usable. */
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
  /** `resume` is the command that resumes an interrupted copy. */
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
  /** The deployed version of the worker is not its newest version. */
  'deploy-newest': { readonly name: string };
  'list-workers': NoFields;
  'give-compatibility-date': NoFields;
  /** `folders` is the value of the setting trusted-folders that would allow the files. */
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
  /** `typed` is the URL that was entered, and `name` is the hostname in it. */
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
  // Messages about running operations
  'earlier-run': NoFields;
  stopping: NoFields;
}

export type RemedyKind = keyof Remedies;

export type Remedy<Kind extends RemedyKind = RemedyKind> = {
  [K in Kind]: { readonly kind: K } & Remedies[K];
}[Kind];

/** The wording of every kind in one interface, one or two sentences each. The compiler rejects a missing kind. */
export type RemedyTexts = { readonly [Kind in RemedyKind]: (remedy: Remedy<Kind>) => string };

/** Formats a remedy for an interface. */
export function formatRemedy<Kind extends RemedyKind>(words: RemedyTexts, remedy: Remedy<Kind>): string {
  const say: (remedy: Remedy<Kind>) => string = words[remedy.kind];
  return say(remedy);
}
