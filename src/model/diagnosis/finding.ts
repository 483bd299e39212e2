import type { AuthorityChoice, ValidationMethod } from '../hostnames/hostname.ts';
import { type Responsible, type Severity, severities } from '../severity.ts';
import type { Facts } from './facts.ts';

export { type Responsible, type Severity, severities };

/** Record types that a finding can advise the user to set. */
export const recordTypes = ['A', 'AAAA', 'CNAME', 'TXT', 'CAA'] as const;

/** A DNS record to set (or, with `remove`, to delete), ready to paste. Names have no trailing dot. */
export interface RecordAdvice {
  readonly name: string;
  readonly type: (typeof recordTypes)[number];
  /** The content in zone file form: a CAA value with flags, tag and quotes; a TXT value without quotes. */
  readonly value: string;
  readonly remove?: boolean;
}

/** Settings for creating a hostname. */
export interface CreatedSettings {
  readonly wildcard?: boolean;
  readonly origin?: string;
}

/** The settings of a hostname that a finding can advise the user to change. */
export const editedFields = ['ca', 'method', 'origin', 'origin-sni'] as const;

/** An edgectl command, which each interface formats in its own way. Names in <> are placeholders that the user replaces. */
export type AdvisedCommand =
  | { readonly kind: 'refresh' | 'delete'; readonly hostname: string }
  | (CreatedSettings & { readonly kind: 'create'; readonly hostname: string; readonly branding: boolean })
  | {
      readonly kind: 'edit';
      readonly hostname: string;
      readonly field: (typeof editedFields)[number];
      readonly value: string;
    }
  | { readonly kind: 'list-status'; readonly status: string }
  | { readonly kind: 'set-fallback'; readonly origin: string }
  /** Sets a record in one of the user's own zones. */
  | {
      readonly kind: 'set-record';
      readonly name: string;
      readonly type: RecordAdvice['type'];
      readonly value: string;
      readonly proxied: boolean;
    }
  | { readonly kind: 'release-hold'; readonly zone: string };

/** Advice for one finding: a sentence, and optionally a command or DNS records. */
export interface NextStep {
  /** One or two sentences of advice. */
  readonly text: string;
  /** A command for the user to run. If someone else must act first, the user runs the command afterwards. */
  readonly command?: AdvisedCommand;
  readonly records?: readonly RecordAdvice[];
}

/** A change that `--fix` can make. */
export type Fix =
  | { readonly kind: 'refresh' }
  | { readonly kind: 'set-ca'; readonly authority: AuthorityChoice }
  | { readonly kind: 'set-method'; readonly method: ValidationMethod }
  | { readonly kind: 'create-exact' }
  | { readonly kind: 'create'; readonly branding: boolean }
  | { readonly kind: 'recreate-branding' }
  | { readonly kind: 'set-fallback'; readonly origin: string }
  /** Sets a record in one of the user's own zones. If `id` is set, the existing record with this id is changed. */
  | {
      readonly kind: 'dns-record';
      readonly id?: string;
      readonly type: string;
      readonly name: string;
      readonly content: string;
      readonly proxied: boolean;
    };

/** One conclusion from the facts. */
export interface Finding {
  /** Row in the decision table, for example `C4`. */
  readonly id: string;
  readonly severity: Severity;
  /** Row of the finding that causes this finding. Fixing the cause also fixes this finding, so this finding is not a separate fault. */
  readonly because?: string;
  readonly cause: string;
  /** The facts that support the cause, one line each. The lines contain untrusted data. */
  readonly evidence: readonly string[];
  readonly who: Responsible;
  readonly remedy: NextStep;
  readonly fix?: Fix;
}

/** The finding that a rule returns, without its id; undefined if the rule does not apply. */
export type Judgement = Omit<Finding, 'id' | 'because'> | undefined;

/** One row of the decision table. */
export interface Rule {
  readonly id: string;
  readonly judge: (facts: Facts) => Judgement;
}

/** Returns a remedy that advises waiting. */
export function waitRemedy(text: string): Pick<Finding, 'who' | 'remedy'> {
  return { who: 'nobody', remedy: { text } };
}
