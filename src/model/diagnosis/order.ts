import { hasCaaError } from '../hostnames/hostname.ts';
import type { Facts } from './facts.ts';
import { type Finding, type NextStep, type Severity, severities } from './finding.ts';
import { exactRecord, inService } from './rules/reading.ts';

const routing = 'C18 C14 C13 C17 C1 C2 C4 C5 C6 C7 C9 C10 C11 C20 C21 C24';
const origin = 'B1 B3 B4 B5 C19 B2';
const ownership = 'D4 D6 D8 D5';
const control = 'F6 F8 F9 F10 F12 F13 F29 F30 F31 F32 F33 F34 F36';
const authority = 'E0 E3 E4 E5 E6 E7 E8 E9 F16 F17 F18 F19 F21 F3';
const block = 'A8 A9 A6';

/** The possible causes of each finding, most likely first. A finding is shown under its cause if the cause was also found. */
const causes: Readonly<Record<string, string>> = {
  A0: 'B7 B5',
  A4: origin,
  A5: 'C14 C18',
  A7: `${block} A5 A4 ${origin} ${routing} ${ownership}`,
  B2: '',
  C2: 'C13',
  C10: 'C13',
  C15: 'C1 C2 C4 C5 C7 C10 C11 C14 C18',
  C16: `A0 ${block} ${origin} ${ownership} D1 D2`,
  D1: origin,
  D2: origin,
  D3: 'A4',
  D5: `A5 ${routing}`,
  D7: `${block} ${origin} ${routing} ${ownership} D1 D2 D3`,
  E3: 'F21',
  E4: 'F21',
  E5: 'F21',
  E7: 'F21',
  E8: 'F21',
  E9: 'C14 C18',
  E0: 'C14 C18',
  F23: `${routing} ${control} ${authority}`,
  F31: block,
  F32: block,
  F33: block,
  F34: block,
  F5: `A5 A4 ${routing} ${ownership}`,
  F14: `${block} ${origin} A5 A4 ${routing} ${ownership} ${control} ${authority} F5`,
  F15: `${block} A5 A4 ${routing} ${ownership} ${control} ${authority} F5`,
  F19: 'C14 C18 E9',
  F22: `${block} ${authority}`,
  F24: `${block} A5 A4 ${routing} ${control} ${authority}`,
  G1: `A0 ${block} A2 A3 A5 A4 A7 ${origin} ${routing} ${ownership} D1 D2 D3 D7 E0 E3 E4 E5 E6 E7 E8 E9 E10 A10`,
  G2: origin,
  G4: origin,
  G6: 'F24 F22 F15',
  G12: 'G1',
};

/**
 * The causes of findings about a missing ownership token, for names below a zone apex, where a CNAME also proves ownership. At a zone apex,
 * only the token proves ownership.
 */
const ownershipBelow: Readonly<Record<string, string>> = {
  D4: `A5 ${routing}`,
  D6: `A5 ${routing}`,
  D8: `A5 ${routing}`,
};

/**
 * Findings that routing causes if the certificate has no wildcard. Control of a single name is proved over HTTP as soon as the name points
 * here, regardless of the chosen method (Validate by HTTP).
 */
const controlOfOneName = new Set(['F8', 'F9', 'F10', 'F12', 'F29', 'F30']);

/** Findings about DNS that explain why a hostname is in Moved. */
const movedCauses = new Set(routing.split(' ').filter((id) => !['C6', 'C13', 'C14', 'C18'].includes(id)));

/** Findings whose advice does not make the hostname active: they concern renewals, other clients, or the zone in general. */
const minorAdvice = new Set(['B7', 'B9', 'C12', 'C15', 'C23', 'E11', 'F23', 'F28', 'F35']);

/** Sorts findings by importance, with each finding under its cause. */
export function sortFindings(facts: Facts, found: readonly Finding[], isTop: boolean): readonly Finding[] {
  const ids = new Set(found.map(({ id }) => id));
  const related = found.map((finding) => {
    const because = findCause(finding, ids, {
      isTop,
      isWildcard: exactRecord(facts)?.ssl?.wildcard === true,
    });
    return because === undefined
      ? finding
      : { ...finding, because, remedy: afterCause(because, finding.remedy, found) };
  });
  const groups = related
    .filter(({ because }) => because === undefined)
    .map(
      (root) =>
        [root, ...related.filter((one) => findRoot(one, related) === root.id && one !== root)] as const,
    );
  const rank = rankIn(facts);
  return groups.toSorted((left, right) => rank(left) - rank(right)).flat();
}

/**
 * Matches the ids of rules that apply to an unregistered hostname only after the hostname is created: rules about DNS, CAA and the edge.
 */
const afterCreation = /^[CDEFG]/;

interface Kind {
  readonly isTop: boolean;
  readonly isWildcard: boolean;
}

/**
 * Returns a remedy with the advice to fix the cause first. A restart of validation helps only afterwards, unless the restart itself fixes
 * the cause.
 */
function afterCause(because: string, remedy: NextStep, found: readonly Finding[]): NextStep {
  const cause = found.find(({ id }) => id === because);
  const isRestart = cause?.who === 'us' && cause.remedy.command?.kind === 'refresh';
  if (isRestart || remedy.command?.kind !== 'refresh' || !remedy.text.startsWith('Restart validation'))
    return remedy;
  return { ...remedy, text: `Resolve ${because} first, then r${remedy.text.slice(1)}` };
}

function findCause({ id, severity }: Finding, ids: ReadonlySet<string>, kind: Kind): string | undefined {
  if (severity === 'ok' || severity === 'info') return undefined;
  if (ids.has('A0') && afterCreation.test(id)) return 'A0';
  const listed = movedCauses.has(id) && ids.has('A5') ? 'A5' : findCauses(id, kind);
  return listed?.split(' ').find((cause) => cause !== id && ids.has(cause));
}

function findCauses(id: string, { isTop, isWildcard }: Kind): string | undefined {
  if (!isTop && ownershipBelow[id] !== undefined) return ownershipBelow[id];
  return controlOfOneName.has(id) && !isWildcard ? `A5 ${routing}` : causes[id];
}

/** Returns the root cause of a finding. */
function findRoot(finding: Finding, all: readonly Finding[]): string {
  const seen = new Set<string>();
  let current: Finding | undefined = finding;
  while (current?.because !== undefined && !seen.has(current.id)) {
    const { because, id }: Finding = current;
    seen.add(id);
    current = all.find((one) => one.id === because) ?? current;
  }
  return current?.id ?? finding.id;
}

type Group = readonly [root: Finding, ...consequences: Finding[]];

/** Obstacles in the order in which they must be removed. */
const obstacles = ['B7', 'A0', 'F20', 'A8', 'A9', 'A2', 'B', 'C', 'A', 'F21', 'D', 'F', 'E', 'G'];

function rankIn(facts: Facts): (group: Group) => number {
  const served = inService(facts);
  return (group) => {
    const [root] = group;
    const severity = Math.min(...group.map((one) => severities.indexOf(one.severity)));
    const isMinor = severity > severities.indexOf('error');
    const isBesides = !served && isMinor && minorAdvice.has(root.id);
    const weight = isBesides ? Math.max(severity, severities.indexOf('info')) : severity;
    return weight * 1000 + findStage(root.id, facts);
  };
}

function findStage(id: string, facts: Facts): number {
  // The authority reads CAA only after control is proved. Unless the authority has already refused, the missing proof therefore comes
  // first.
  const record = exactRecord(facts);
  const isAhead = id.startsWith('E') && record !== undefined && !hasCaaError(record);
  const exact = obstacles.indexOf(id);
  const at = exact >= 0 ? exact : obstacles.indexOf(id.slice(0, 1));
  return isAhead ? at : id.startsWith('E') ? at - 2 : at;
}

/** Returns whether a finding requires someone to act before the hostname can become active. */
export function asksToAct({ id, severity, who }: Finding): boolean {
  const grave: readonly Severity[] = ['critical', 'error', 'warn', 'progress'];
  return who !== 'nobody' && grave.includes(severity) && !minorAdvice.has(id);
}
