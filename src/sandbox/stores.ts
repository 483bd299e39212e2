import type { Namespace } from '../model/kv.ts';
import { Problem } from '../model/problem.ts';

/** What a sandbox knows beside Miniflare's layout: its account, credentials and namespace titles. */
export interface Registry {
  account(): { readonly id: string; readonly name: string };
  credentials(): { readonly apiToken: string; readonly email: string; readonly apiKey: string };
  namespaces(): readonly Namespace[];
  namespace(id: string): Namespace | undefined;
  createNamespace(title: string): Namespace;
  renameNamespace(id: string, title: string): void;
  removeNamespace(id: string): void;
  close(): void;
}

/** Opens the registry of a folder. */
export function openRegistry(folder: string): Registry {
  throw new Problem('store-invalid', `No registry opens ${folder} yet.`);
}
