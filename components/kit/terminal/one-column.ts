/**
 * Characters that every terminal draws one column wide, as the content of a character class of a regular expression: ASCII, Latin, dashes,
 * arrows, lines, blocks.
 */
export const oneColumn = ' -~\u00a1-\u00ac\u00ae-\u017f\u2010-\u2027\u203a\u2190-\u2193\u2500-\u259f';
