import { type AuditVerdict, toAuditRecord } from '../../model/guard/audit.ts';
import { describeTooMany, type WaitLimit } from '../../model/guard/held.ts';
import {
  commandPolicy,
  type Decided,
  decide,
  describeAsking,
  describeRefusal,
  describeRule,
  type Policies,
  type RequestFacts,
} from '../../model/guard/policy.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import { capitalize } from '../../model/sentence.ts';
import { readRequestFacts } from '../../v4/request-facts.ts';
import type { Answer, Call, Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import type { Confirm } from '../session/trust.ts';
import { isSaved } from '../undo/saved-change.ts';
import { describeActor, openAuditLog } from './audit-log.ts';
import type { HeldVerdict } from './held.ts';
import { hasPolicy, type PolicyPaths } from './policy-paths.ts';

/** The command that writes, with its platform and account. */
export interface WriteContext {
  readonly world: World;
  /** Command words; undefined for a program that uses the library. */
  readonly command: string | undefined;
  readonly target: string;
  /** Description, for the user, of the platform and account. */
  readonly place: string;
  readonly url: string | undefined;
  readonly note: (message: string) => void;
  /** Asks the user at a terminal; undefined if there is no user to ask. */
  readonly confirm: Confirm | undefined;
  /**
   * Asks the user of the console to approve a write. Refuses reads that require approval, because the user would have to approve every
   * refresh.
   */
  readonly askWrite?: AskWrite | undefined;
}

/** A sender that also records the writes. */
export interface RecordedWrites {
  readonly send: Send;
  close(): Promise<void>;
}

/** A write of this process that requires approval by a policy rule. */
export interface AskedWrite {
  readonly call: Call;
  readonly facts: RequestFacts;
  readonly decided: Decided;
  /** Description, for the user, of the platform and account. */
  readonly place: string;
  /** Whether undo can restore what the write deletes or overwrites. */
  readonly undoable: boolean;
  /** Reads the current state, without asking for approval. */
  readonly send: Send;
}

/** Asks a person to approve a write. The signal of the call cancels the question. */
export type AskWrite = (asked: AskedWrite) => Promise<HeldVerdict>;

type Verdict = AuditVerdict & { readonly tooMany?: WaitLimit };

/** Commands that open the console. */
const consoleCommands: readonly (string | undefined)[] = ['console', 'demo'];

/** Reads the policies once, and opens the log. */
export async function openRecordedWrites(
  send: Send,
  context: WriteContext,
  paths: PolicyPaths,
): Promise<RecordedWrites> {
  const policies = await readPolicies(paths);
  const { world, command, target } = context;
  const log = openAuditLog(world);
  const actor = describeActor(world, context);
  const client = consoleCommands.includes(command) ? 'console' : 'edgectl';
  let isBroken = false;
  /** A command does not fail if its record cannot be written: the command may be needed to free disk space. */
  const reportBroken = (error: unknown): undefined => {
    if (!isBroken)
      context.note(`${isProblem(error) ? error.message : String(error)} The write is not recorded.`);
    isBroken = true;
    return undefined;
  };
  /** Rules whose requests the user approved for this session. */
  const approved = new Set<Decided['rule']>();
  const approve = async (asked: Decided, { method, path }: RequestFacts): Promise<string | undefined> => {
    const rules = asked.asking.map(({ rule }) => rule);
    const matched = rules.length === 1 ? 'the rule' : 'only these rules';
    const question = `${capitalize(describeAsking(asked))}: ${method} ${path}. Send this request, and further requests that match ${matched}?`;
    if (rules.some((rule) => !approved.has(rule)) && !(await context.confirm?.(question))) return undefined;
    for (const rule of rules) approved.add(rule);
    return actor.user;
  };
  const ask = async (call: Call, asked: Decided, facts: RequestFacts): Promise<Verdict> => {
    if (context.askWrite !== undefined && facts.effect !== 'read')
      return context.askWrite({
        call,
        facts,
        decided: asked,
        place: describePlace(context),
        undoable: isSaved(),
        send,
      });
    const approver = await approve(asked, facts);
    return approver === undefined ? {} : { approver };
  };
  return {
    async send(call) {
      const facts = readRequestFacts(call, { target, client });
      const asked = decide(policies, facts);
      const verdict = asked.decision === 'ask' ? await ask(call, asked, facts) : undefined;
      const isAllowed = asked.decision === 'allow' || verdict?.approver !== undefined;
      if (facts.effect === 'read' && isAllowed) return send(call);
      const number = await log.append(toAuditRecord(facts, asked, actor, verdict)).catch(reportBroken);
      if (!isAllowed) throw refusedProblem(asked, facts, verdict);
      const finish = (answer: Answer | undefined) => {
        if (number === undefined) return;
        const requestId = answer?.headers['cf-ray'];
        log
          .append({
            kind: 'outcome',
            of: number,
            ...(answer && { status: answer.status }),
            ...(requestId !== undefined && { requestId }),
          })
          .catch(reportBroken);
      };
      try {
        const answer = await send(call);
        finish(answer);
        return answer;
      } catch (error) {
        finish(undefined);
        throw error;
      }
    },
    close: () => log.flush(),
  };
}

/** Loads the parser only if there is a policy: most users have none. */
async function readPolicies(paths: PolicyPaths): Promise<Policies> {
  if (!hasPolicy(paths)) return { deciding: [commandPolicy] };
  return (await import('./policy-file.ts')).loadPolicies(paths, { otherwise: 'command' });
}

/** Returns the place to which a rule applies. The preview data of a profile is a different place from the profile's production data. */
function describePlace({ place, target }: WriteContext): string {
  return target === 'production' ? place : `${place}, ${target}`;
}

function refusedProblem(
  decided: Decided,
  { method, path }: RequestFacts,
  { refusal, tooMany }: Verdict = {},
): Problem {
  const unsent = `${method} ${path} was not sent`;
  if (refusal === 'disconnected' || refusal === 'ended')
    return new Problem('interrupted', `Interrupted; ${unsent}.`);
  const rule = capitalize(describeRule(decided));
  const why =
    refusal === 'refused'
      ? `${rule} requires approval, and you refused it.`
      : refusal === 'unanswered'
        ? `${rule} requires approval, and ${tooMany === undefined ? 'nobody answered' : describeTooMany(tooMany)}.`
        : capitalize(describeRefusal(decided));
  return new Problem('not-permitted', `${unsent}. ${why}`);
}
