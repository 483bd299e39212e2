import type { AuthorityChoice, CustomHostname, ValidationMethod } from '../hostnames/hostname.ts';
import type { Diagnosis } from './diagnose.ts';
import type { Facts } from './facts.ts';
import type { CreatedSettings, Fix } from './finding.ts';
import { lostSettings } from './remedy.ts';
import { exactRecord } from './rules/reading.ts';

/** One step that edgectl takes to fix findings. In execution order, steps for the zone precede steps for its hostnames. */
export type Step =
  | { readonly kind: 'dns-record'; readonly fix: Extract<Fix, { kind: 'dns-record' }> }
  | { readonly kind: 'set-fallback'; readonly origin: string }
  | (CreatedSettings & { readonly kind: 'create'; readonly hostname: string; readonly branding: boolean })
  | {
      readonly kind: 'edit';
      readonly record: CustomHostname;
      readonly authority?: AuthorityChoice;
      readonly method?: ValidationMethod;
    }
  | { readonly kind: 'refresh'; readonly record: CustomHostname };

/**
 * Plans the steps that fix the findings of these diagnoses. Each step occurs once, and each hostname has at most one step. Changing a
 * certificate restarts validation anyway, so no refresh is added. Omits steps that would give the customer new tokens that the user did not
 * request: deleting and recreating a hostname, and changing the validation method while the current method can still succeed.
 */
export function planFixes(
  cases: Iterable<{ readonly facts: Facts; readonly diagnosis: Diagnosis }>,
): readonly Step[] {
  const zone = new Map<string, Step>();
  const hostnames: Step[] = [];
  for (const { facts, diagnosis } of cases) {
    // Fixing the cause of a finding also fixes the finding.
    const fixes = diagnosis.findings.flatMap(({ fix, because }) =>
      because === undefined ? (fix ?? []) : [],
    );
    const shared = fixes.flatMap(zoneStep);
    for (const step of shared) zone.set(JSON.stringify(step), step);
    const own = hostnameStep(facts, fixes, shared.length > 0);
    if (own !== undefined) hostnames.push(own);
  }
  const steps = [...zone.values()];
  return [
    ...steps.filter(({ kind }) => kind === 'dns-record'),
    ...steps.filter(({ kind }) => kind === 'set-fallback'),
    ...hostnames,
  ];
}

function zoneStep(fix: Fix): readonly Step[] {
  if (fix.kind === 'dns-record') return [{ kind: 'dns-record', fix }];
  return fix.kind === 'set-fallback' ? [{ kind: 'set-fallback', origin: fix.origin }] : [];
}

function hostnameStep(facts: Facts, fixes: readonly Fix[], zoneChanges: boolean): Step | undefined {
  const record = exactRecord(facts);
  if (record === undefined) {
    const create = fixes.filter(({ kind }) => kind === 'create' || kind === 'create-exact');
    if (create.length === 0) return undefined;
    const branding = create.some((fix) => fix.kind === 'create' && fix.branding);
    return { kind: 'create', hostname: facts.hostname, branding, ...lostSettings(facts) };
  }
  const authority = fixes.flatMap((fix) => (fix.kind === 'set-ca' ? fix.authority : []))[0];
  const wanted = fixes.flatMap((fix) => (fix.kind === 'set-method' ? fix.method : []))[0];
  const method = record.ssl?.wildcard === true ? wanted : undefined;
  if (authority !== undefined || method !== undefined) {
    return {
      kind: 'edit',
      record,
      ...(authority !== undefined && { authority }),
      ...(method !== undefined && { method }),
    };
  }
  const waits = zoneChanges && record.status !== 'active';
  return waits || fixes.some(({ kind }) => kind === 'refresh') ? { kind: 'refresh', record } : undefined;
}

/** Describes a step for the user to confirm. */
export function stepText(step: Step): string {
  switch (step.kind) {
    case 'dns-record': {
      const { id, name, type, content, proxied } = step.fix;
      const verb = id === undefined ? 'create' : 'change';
      return `${verb} the DNS record ${name} ${type} ${content}${proxied ? ', proxied' : ''}`;
    }
    case 'set-fallback':
      return `set the fallback origin to ${step.origin}`;
    case 'create':
      return `create custom hostname ${step.hostname}${settingsText(step)}`;
    case 'edit': {
      const { record, authority, method } = step;
      const changes = [
        ...(authority === undefined ? [] : [`authority ${authority}`]),
        ...(method === undefined ? [] : [`validation by ${method}`]),
      ];
      return `change ${record.hostname}: ${changes.join(', ')}`;
    }
    case 'refresh':
      return `restart validation of ${step.record.hostname}`;
  }
}

function settingsText({ branding, wildcard, origin }: Extract<Step, { kind: 'create' }>): string {
  const settings = [
    ...(branding ? ['provider branding'] : []),
    ...(wildcard === true ? ['its wildcard'] : []),
    ...(origin === undefined ? [] : [`the origin ${origin}`]),
  ];
  return settings.length === 0 ? '' : ` with ${settings.join(' and ')}`;
}
