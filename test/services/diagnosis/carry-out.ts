import type { Stage } from '../hostnames/stage.ts';

/** A finding in the output of `diagnose --json`. */
export interface ToldFinding {
  readonly id: string;
  readonly severity: string;
  readonly cause: string;
  readonly evidence: readonly string[];
  readonly who: string;
  readonly remedy: {
    readonly text: string;
    readonly command?: readonly string[];
    readonly records?: readonly {
      readonly name: string;
      readonly type: string;
      readonly value: string;
      readonly remove?: boolean;
    }[];
  };
}

interface Entry {
  readonly name: string;
  readonly type: string;
  readonly contents: readonly string[];
}

/** The values that a user inserts for the placeholders in a remedy. */
const fillings: Readonly<Record<string, string>> = {
  '<address of your origin>': '192.0.2.77',
  '<your fallback origin>': 'origin.saas.sandbox',
};

function filled(text: string): string {
  return fillings[text] ?? text;
}

/** Does exactly what a finding advises: sets or removes the listed records, and runs the suggested command. */
export async function carryOut(stage: Stage, { remedy }: ToldFinding): Promise<void> {
  const command = remedy.command?.map(filled);
  for (const record of remedy.records ?? []) {
    const value = filled(record.value);
    if (record.name.endsWith('saas.sandbox')) {
      if (command?.[1] !== 'record')
        await stage.edgectl('zone', 'record', 'set', record.name, record.type, value);
    } else await setOutside(stage, { ...record, value });
  }
  if (command === undefined) return;
  const ran = await stage.edgectl(...command, '--yes');
  if (ran.code !== 0) throw new Error(`${command.join(' ')}: ${ran.err}`);
}

async function setOutside(
  stage: Stage,
  { name, type, value, remove }: NonNullable<ToldFinding['remedy']['records']>[number],
): Promise<void> {
  const there = await stage.api<Entry[]>('GET', `/sandbox/dns?name=${name}`);
  const equal = there.find((entry) => entry.type === type);
  const alias = type === 'CNAME' || there.some((entry) => entry.type === 'CNAME');
  if (alias) await stage.forget(name);
  const replaces = alias || (type === 'A' && remove !== true);
  const saved = replaces ? [] : (equal?.contents ?? []).filter((one) => one !== value);
  const contents = remove === true ? saved : [...saved, value];
  if (contents.length > 0) await stage.dns([name, type, ...contents]);
  else await stage.api('DELETE', `/sandbox/dns?name=${name}&type=${type}`);
}
