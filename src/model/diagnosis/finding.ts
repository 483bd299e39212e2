import type { AuthorityChoice, ValidationMethod } from '../hostnames/hostname.ts';
import { type Responsible, type Severity, severities } from '../severity.ts';
import type { Facts } from './facts.ts';

export { type Responsible, type Severity, severities };

/** A DNS record to set (or, with `remove`, to delete), ready to paste. Names without trailing dot. */
export interface RecordAdvice {
  readonly name: string;
  readonly type: 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'CAA';
  /** In the form of a zone file: a CAA value with flags, tag and quotes; a TXT value without quotes. */
  readonly value: string;
  readonly remove?: boolean;
}

/** Settings of a hostname to create. */
export interface CreatedSettings {
  readonly wildcard?: boolean;
  readonly origin?: string;
}

/** A command for edgectl; each surface words it. Names in <> are placeholders for the reader. */
export type AdvisedCommand =
  | { readonly kind: 'refresh' | 'delete'; readonly hostname: string }
  | (CreatedSettings & { readonly kind: 'create'; readonly hostname: string; readonly branding: boolean })
  | {
      readonly kind: 'edit';
      readonly hostname: string;
      readonly field: 'ca' | 'method' | 'origin' | 'origin-sni';
      readonly value: string;
    }
  | { readonly kind: 'list-status'; readonly status: string }
  | { readonly kind: 'set-fallback'; readonly origin: string }
  /** In an own zone. */
  | {
      readonly kind: 'set-record';
      readonly name: string;
      readonly type: RecordAdvice['type'];
      readonly value: string;
      readonly proxied: boolean;
    }
  | { readonly kind: 'release-hold'; readonly zone: string };

/** Advice on one finding: in words, as a command, as DNS records. */
export interface NextStep {
  /** One or two sentences. */
  readonly text: string;
  /** Where somebody else acts first, to be done after that. */
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
  /** In an own zone. With `id` the record exists and is changed. */
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
  /** Row of the decision table, for example `C4`. */
  readonly id: string;
  readonly severity: Severity;
  /** Row of the finding from which it follows: fixing that one fixes this one too, so it is not a separate fault. */
  readonly because?: string;
  readonly cause: string;
  /** The facts that support the cause, one line each. They contain outside data. */
  readonly evidence: readonly string[];
  readonly who: Responsible;
  readonly remedy: NextStep;
  readonly fix?: Fix;
}

/** A rule's finding, without its id; undefined where the rule does not apply. */
export type Judgement = Omit<Finding, 'id' | 'because'> | undefined;

/** One row of the decision table. */
export interface Rule {
  readonly id: string;
  readonly judge: (facts: Facts) => Judgement;
}

/** A remedy that says to wait. */
export function wait(text: string): Pick<Finding, 'who' | 'remedy'> {
  return { who: 'nobody', remedy: { text } };
}
