/**
 * Words to avoid, and what to write instead. Each pattern includes the context that makes the word wrong, to avoid false
 * positives.
 */
export const habits = [
  [
    /\bbehind (?:`?\?|CODE|a digit|it|them|the words?|its|which|that|him|one|each)/gi,
    'after, under; "press" for a key',
  ],
  [
    /\bst(?:and|ands|ood|anding) (?:in|beside|at|on|there|for|before|behind|below|above|alone|as|where|with|between)\b/gi,
    'is in, is next to, is at, means',
  ],
  [/\bbeside (?:it|them|the|its|each|a|an|what|that|this|those)\b/gi, 'next to, in addition to'],
  [/\b(?:tells?|telling|told)\b(?! (?:apart|TypeScript))/gi, 'show, report, print; is notified'],
  [/\bwhoever\b|\bwho brings\b|\bof whom\b/gi, 'the user, the caller, any'],
  [
    /\b(?:is|are|be|was) none of\b|\b(?:it|that|which|what) (?:is|was) none\b/gi,
    'is not a valid X; no X found; must be one of',
  ],
  [/\bin (?:the )?place of\b/gi, 'instead of'],
  [/\bmend(?:s|ed|ing)?\b|\bput(?:s|ting)? (?:it |them )?right\b/gi, 'fix'],
  [/\b(?:takes?|taking|taken|took) (?:\w+ )?(?:away|out of|out)\b/gi, 'delete, remove'],
  [/\b(?:go|goes|going|went|gone) on\b/gi, 'continue, resume'],
  [/\b(?:look|looks|looked|looking) (?:at|again|up at)\b/gi, 'check, recheck, read'],
  [/\b(?:come|comes|came) (?:to|of)\b(?! (?:rest|life|an end))/gi, 'result, total, is'],
  [
    /\blead(?:s|ing)? (?:here|elsewhere|there|away|nowhere|out of)\b|\bled (?:here|elsewhere|to|there|away)\b/gi,
    'points to; resolves to',
  ],
  [/\b(?:certificate|token|lease|link|hold) (?:has ended|ended|ends)\b/gi, 'expires, has expired; finishes'],
  [/\b(?:is|are|was|were|has|have|had) gone\b/gi, 'was deleted, no longer exists'],
  [/\b(?:by|of) (?:it|them|him)sel(?:f|ves)\b/gi, 'automatically; alone'],
  [/\bat once\b/gi, 'immediately; together; in parallel'],
  [/\bonce more\b|\banew\b/gi, 'again, re-'],
  [/\bof (?:its|their|one's|your|his|our|my) own\b/gi, 'its own, separate, dedicated'],
  [/\b(?:a|one|each|any|every|two|other) texts?\b(?! record)|\btexts\b/gi, 'string, value, content'],
  [/\bso (?:many|much)\b/gi, 'maximum; up to N; that many'],
  [/\bthe other way round\b/gi, 'or the reverse; in either direction'],
  [/\bsee(?:s)? to it\b/gi, 'make sure, ensure'],
  [
    /\b(?:is|are|was|were) to (?:be|have|do|go|make|take|come|say|show|run|stay|hold|know|see|read)\b/gi,
    'must; can be; will',
  ],
  [/\bfrom (?:\d+|then|there|here|now|this|that|it|which) on\b/gi, 'N or more; starting at N; after that'],
  [/\bleft out\b|\bleaves? out\b/gi, 'default: …; if omitted; omit'],
  [/\bbelongs? into\b/gi, 'belongs in'],
  [/\b(?:came|come|comes) to nothing\b/gi, 'failed'],
  [/\ball the same\b/gi, 'anyway'],
  [/\bgrave(?:r|st|ly)?\b/gi, 'severe, most severe'],
  [/\bnot for sure\b|\bcannot be (?:told|known|said)\b/gi, 'unknown'],
  [
    /\bthere where\b|\bthan then\b|(?<!\b(?:soon|far|long) )\bas (?:it|they) (?:was|were|is|are|stands?)\b/gi,
    'where; unchanged; since then',
  ],
  [/\bgo(?:es)? through\b/gi, 'succeed'],
  [/\bnothing to do\b/gi, 'no action needed'],
  [
    /\bin (?:one's|its|their|his|your) stead\b|\bin (?:one|two|its|their) words?\b|\bin the words of\b/gi,
    'as a short label; as the platform has it',
  ],
  [/\bwish(?:es|ed)?\b/gi, 'request, setting'],
  [/\bpass(?:es|ed|ing)? over\b/gi, 'skip, ignore'],
  [/\bthereby\b|\btherein\b|\bthereof\b|\bwherein\b|\bhereby\b/gi, 'plain words'],
  [/\bcease(?:s|d)?\b/gi, 'stop, expire'],
  [/\bshall\b/gi, 'must, should'],
  [/\bput(?:s|ting)? (?:it |them )?back\b/gi, 'restore'],
  [/\bkept\b(?= (?:for|of|in|as|with|by|until|from|on|under|apart))/gi, 'saved, stored'],
];
