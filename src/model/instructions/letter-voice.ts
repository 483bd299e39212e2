import { capitalize } from '../sentence.ts';

/** Matches clauses and sentences about actions on our side, which a letter omits. */
const oursAlone =
  /^(?:(?:or|then|and|afterwards|alternatively,) )*(?:restart validation|validate (?:by|over)|use (?:that|another) authority|let the platform choose|upload |delete (?:it|the hostname)|create |set the fallback origin|ask the platform|contact the platform|do not re(?:peat|start)|if the customer has left)/i;

/** Matches an alternative that needs a feature that the account may not have. */
const unconfirmed = /,? or set A and AAAA records to your account's own addresses once [^,;]*/;

function clauseToCustomer(clause: string): string {
  return clause
    .replace(unconfirmed, '')
    .replace(/\byour account's\b/g, "our account's")
    .replace(/\bnot the customer's(?! [a-z])/g, 'not yours')
    .replace(/\bthe customer's\b/gi, 'your')
    .replace(/\bthe customer must /gi, '')
    .replace(/\bthe customer (?=(?:can|may)\b)/gi, 'you ');
}

/**
 * Rephrases sentences about the customer as sentences to the customer: "The customer must add this record; then restart validation."
 * becomes "Add this record." Omits the platform's statuses and actions on our side.
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
