import { capitalize } from '../../text/sentence.ts';

/** Matches clauses and sentences about actions on our side, which a letter omits. */
const oursAlone =
  /^(?:(?:or|then|and|afterwards) )*(?:restart validation|validate (?:by|over)|use (?:that|another) authority|leave the choice|let the platform choose|upload |delete (?:it|the hostname)|create |set the fallback origin|ask the platform|contact the platform|do not re(?:peat|start)|if the customer has left)/i;

/** Matches further verbs of a clause whose subject is the customer. */
const furtherVerb = /(,? (?:and|or) )(adds|deletes|keeps|makes|purges|removes|replaces|sets)\b/g;

const modals = ['can', 'must', 'may'];

function toBaseForm(verb: string): string {
  if (verb === 'has') return 'have';
  return verb.replace(/(?<=ch|sh|ss|x)es$|s$/, '');
}

function clauseToCustomer(clause: string): string {
  const isTheirs = /\bthe customer [a-z]/i.test(clause);
  const spoken = clause
    .replace(/\bnot the customer's(?! [a-z])/g, 'not yours')
    .replace(/\bthe customer's\b/gi, 'your')
    .replace(/\bthe customer ([a-z]+)/gi, (_, verb: string) =>
      modals.includes(verb) ? `you ${verb}` : toBaseForm(verb),
    );
  return isTheirs
    ? spoken.replace(furtherVerb, (_, link: string, verb: string) => `${link}${toBaseForm(verb)}`)
    : spoken;
}

/**
 * Rephrases sentences about the customer as sentences to the customer: "The customer adds this record; then restart validation." becomes
 * "Add this record." Omits the platform's statuses and actions on our side.
 */
export function toCustomer(text: string): string {
  return text
    .replace(/^caa_error: /, '')
    .split(/(?<=\.)\s+(?=[A-Z])/)
    .filter((sentence) => !oursAlone.test(sentence))
    .map((sentence) => {
      const clauses = sentence.replace(/\.$/, '').split('; ');
      const theirs = clauses.filter((clause) => !oursAlone.test(clause)).map(clauseToCustomer);
      return `${capitalize(theirs.join('; '))}.`;
    })
    .join(' ');
}
