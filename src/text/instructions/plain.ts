import type { Instructions } from '../../model/instructions/instructions.ts';
import { escapeText } from '../escape.ts';
import { fieldsOf, linkWords, placeWords, stateWords, turnWords } from './words.ts';

/** Instructions as plain text, harmless on a terminal. */
export function instructionsText(instructions: Instructions): string {
  const { hostname, state, records, notes, domainConnect } = instructions;
  const blocks = records.map((record, at) => {
    const fields = fieldsOf(instructions, record);
    const width = Math.max(...fields.map(([label]) => label.length));
    return [
      `${at + 1}. ${record.type} record, ${stateWords(record)}`,
      `   ${record.purpose}`,
      ...fields.map(([label, value]) => `   ${`${label}:`.padEnd(width + 1)} ${value}`),
    ];
  });
  const { label = '', apply } = domainConnect ?? {};
  const lines = [
    `DNS records for ${hostname}`,
    '',
    `${turnWords(instructions)}. ${state}`,
    '',
    ...(records.length > 0 ? [`${placeWords(instructions)}:`, ''] : []),
    ...blocks.flatMap((block) => [...block, '']),
    ...(apply === undefined ? [] : [linkWords(label, apply.host), apply.link, '']),
    ...notes.map((note) => `- ${note}`),
  ];
  return `${lines.map((line) => escapeText(line)).join('\n')}\n`;
}

/** Instructions as Markdown. */
export function instructionsMarkdown(instructions: Instructions): string {
  const { hostname, state, records, notes, domainConnect } = instructions;
  const blocks = records.flatMap((record, at) => [
    `## ${at + 1}. ${record.type} record (${stateWords(record)})`,
    '',
    plain(record.purpose),
    '',
    '| field | value |',
    '| --- | --- |',
    ...fieldsOf(instructions, record).map(([label, value]) => `| ${plain(label)} | ${code(value)} |`),
    '',
  ]);
  const { label = '', apply } = domainConnect ?? {};
  const lines = [
    `# DNS records for ${plain(hostname)}`,
    '',
    `**${turnWords(instructions)}.** ${plain(state)}`,
    '',
    ...(records.length > 0 ? [`${plain(placeWords(instructions))}:`, ''] : []),
    ...blocks,
    ...(apply === undefined ? [] : [plain(linkWords(label, apply.host)), `<${apply.link}>`, '']),
    ...notes.map((note) => `- ${plain(note)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** A text that Markdown and HTML leave as it is. */
function plain(text: string): string {
  return escapeText(text).replace(/[\\`*_[\]<>|#&~]/g, (character) => `\\${character}`);
}

/** A text between more backticks than it has, so that it can be copied as it is. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const gap = longest > 0 ? ' ' : '';
  return `${fence}${gap}${escapeText(text).replaceAll('|', '\\|')}${gap}${fence}`;
}
