import type { InstructedRecord, Instructions } from '../../model/instructions/instructions.ts';
import { escapeText } from '../escape.ts';
import { describeLink, describePlace, describeState, describeTurn, toFields } from './words.ts';

/** File formats of instructions that people read. */
export const writtenFormats = ['txt', 'md', 'html'] as const;

export type WrittenFormat = (typeof writtenFormats)[number];

/** Formats instructions in a file format that people read. */
export function writtenInstructions(format: WrittenFormat, instructions: Instructions): string {
  const write = { txt: instructionsText, md: instructionsMarkdown, html: instructionsPage }[format];
  return write(instructions);
}

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; color: #1c1e21; background: #f6f7f9; margin: 0; }
  main { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem; }
  h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
  .turn { border-left: 6px solid #6b7280; background: #fff; padding: .8rem 1rem; border-radius: 4px; }
  .customer { border-color: #b45309; } .nobody { border-color: #15803d; }
  .turn strong { display: block; font-size: 1.15rem; }
  section { background: #fff; border: 1px solid #d8dce2; border-radius: 6px; padding: .6rem 1rem 1rem; margin: 1rem 0; }
  h2 { font-size: 1.05rem; margin: .4rem 0; }
  h2 small { font-weight: normal; color: #4b5563; }
  table { border-collapse: collapse; width: 100%; }
  th { text-align: left; font-weight: 600; padding: .3rem 1rem .3rem 0; width: 9rem; vertical-align: top; }
  td { padding: .3rem 0; }
  code { font: .95rem ui-monospace, monospace; background: #eef0f3; padding: .1rem .3rem; overflow-wrap: anywhere; user-select: all; }
`;

/**
 * Formats instructions as one self-contained HTML page. The page has no scripts, fonts or images, and its content security policy forbids
 * them. All strings are escaped.
 */
function instructionsPage(instructions: Instructions): string {
  const { hostname, turn, state, records, notes } = instructions;
  const title = `DNS records for ${hostname}`;
  const lines = [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${html(title)}</title>`,
    `<style>${style}</style></head><body><main>`,
    `<h1>${html(title)}</h1>`,
    `<p class="turn ${turn === 'zone-owner' ? 'customer' : turn}"><strong>${html(describeTurn(instructions))}</strong>${html(state)}</p>`,
    ...(records.length > 0 ? [`<p>${html(describePlace(instructions))}:</p>`] : []),
    ...records.map((record, at) => section(instructions, record, at + 1)),
    ...link(instructions),
    ...(notes.length > 0 ? [`<ul>${notes.map((note) => `<li>${html(note)}</li>`).join('')}</ul>`] : []),
    '</main></body></html>',
  ];
  return `${lines.join('\n')}\n`;
}

function link({ domainConnect }: Instructions): readonly string[] {
  if (domainConnect?.apply === undefined) return [];
  const { label, apply } = domainConnect;
  const anchor = `<a href="${html(apply.link)}" rel="noopener noreferrer">${html(`Continue at ${apply.host}`)}</a>`;
  return [`<section><p>${html(describeLink(label, apply.host))}</p><p>${anchor}</p></section>`];
}

function section(instructions: Instructions, record: InstructedRecord, number: number): string {
  const rows = toFields(instructions, record).map(
    ([label, value]) => `<tr><th scope="row">${html(label)}</th><td><code>${html(value)}</code></td></tr>`,
  );
  return [
    `<section><h2>${number}. ${html(record.type)} record <small>(${html(describeState(record))})</small></h2>`,
    `<p>${html(record.purpose)}</p>`,
    `<table>${rows.join('')}</table></section>`,
  ].join('\n');
}

/** Escapes characters that HTML would interpret or a reader could misread. */
function html(text: string): string {
  return escapeText(text).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Formats instructions as plain text that is safe for a terminal. */
export function instructionsText(instructions: Instructions): string {
  const { hostname, state, records, notes, domainConnect } = instructions;
  const blocks = records.map((record, at) => {
    const fields = toFields(instructions, record);
    const width = Math.max(...fields.map(([label]) => label.length));
    return [
      `${at + 1}. ${record.type} record, ${describeState(record)}`,
      `   ${record.purpose}`,
      ...fields.map(([label, value]) => `   ${`${label}:`.padEnd(width + 1)} ${value}`),
    ];
  });
  const { label = '', apply } = domainConnect ?? {};
  const lines = [
    `DNS records for ${hostname}`,
    '',
    `${describeTurn(instructions)}. ${state}`,
    '',
    ...(records.length > 0 ? [`${describePlace(instructions)}:`, ''] : []),
    ...blocks.flatMap((block) => [...block, '']),
    ...(apply === undefined ? [] : [describeLink(label, apply.host), apply.link, '']),
    ...notes.map((note) => `- ${note}`),
  ];
  return `${lines.map((line) => escapeText(line)).join('\n')}\n`;
}

/** Formats instructions as Markdown. */
function instructionsMarkdown(instructions: Instructions): string {
  const { hostname, state, records, notes, domainConnect } = instructions;
  const blocks = records.flatMap((record, at) => [
    `## ${at + 1}. ${record.type} record (${describeState(record)})`,
    '',
    plain(record.purpose),
    '',
    '| field | value |',
    '| --- | --- |',
    ...toFields(instructions, record).map(([label, value]) => `| ${plain(label)} | ${code(value)} |`),
    '',
  ]);
  const { label = '', apply } = domainConnect ?? {};
  const lines = [
    `# DNS records for ${plain(hostname)}`,
    '',
    `**${describeTurn(instructions)}.** ${plain(state)}`,
    '',
    ...(records.length > 0 ? [`${plain(describePlace(instructions))}:`, ''] : []),
    ...blocks,
    ...(apply === undefined ? [] : [plain(describeLink(label, apply.host)), `<${apply.link}>`, '']),
    ...notes.map((note) => `- ${plain(note)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Escapes a string so that Markdown and HTML show it unchanged. */
function plain(text: string): string {
  return escapeText(text).replace(/[\\`*_[\]<>|#&~]/g, (character) => `\\${character}`);
}

/** Encloses a string in runs of backticks that are longer than any run in the string, so that the string can be copied unchanged. */
function code(text: string): string {
  const maxRun = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(maxRun + 1);
  const gap = maxRun > 0 ? ' ' : '';
  return `${fence}${gap}${escapeText(text).replaceAll('|', '\\|')}${gap}${fence}`;
}
