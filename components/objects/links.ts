import { type ObjectAddress, objectKeyFault } from '../../src/model/objects/object.ts';
import { type LinkOptions, linkMethods } from '../../src/services/objects/presign.ts';
import { parseDuration } from '../../src/text/time.ts';
import { requireService } from '../kit/require-service.ts';
import { formDialog, type MenuDialog, type Work } from '../ui/forms/dialog.ts';
import { openForm } from '../ui/forms/form-state.ts';
import { editableName } from '../ui/forms/typed-name.ts';
import type { ObjectMeans } from './task-start.ts';

type Means = Pick<ObjectMeans, 'services' | 'copy'>;

/** Returns the work that opens the form for a link to an object. The work fails if links cannot be created. */
export function offeringLink(address: ObjectAddress, means: Means): Work {
  return {
    busy: { kind: 'reading', words: 'checking whether links can be created' },
    async run(signal) {
      await requireService(means, 'objects').checkLinks(signal);
      return { dialog: linkForm(address, (to, options) => makingLink(to, options, means)) };
    },
  };
}

/** Descriptions of the operations that a link can allow. */
const linkUses: Readonly<Record<LinkOptions['method'], string>> = {
  get: 'get: read the object',
  head: 'head: check that the object exists, and read its metadata',
  put: 'put: store the object, replacing an existing one',
  delete: 'delete: delete the object',
};

/** Returns the form for a link that lets anyone perform one operation on an object for a limited time. */
function linkForm(
  { bucket, key: own }: ObjectAddress,
  makeLink: (address: ObjectAddress, options: LinkOptions) => Work,
) {
  const form = openForm(
    `A link to an object in ${bucket} for people without an account`,
    [
      { name: 'key', label: 'Key', value: editableName(own) },
      {
        name: 'expires',
        label: 'Expires in',
        value: '1h',
        note: 'Seconds, or 90s, 15m, 1d; at most one week.',
      },
      {
        name: 'method',
        label: 'Allows',
        value: 'get',
        choices: linkMethods.map((value) => ({ value, label: linkUses[value] })),
      },
    ],
    ['Anyone who has the link can use it until the link expires or the token is rolled.'],
  );
  return formDialog({ ...form, focus: 1, submit: 'create the link' }, (values) => {
    const { key = '', expires = '', method: word = '' } = values;
    const fault = objectKeyFault(key);
    const seconds = parseSeconds(expires);
    const method = linkMethods.find((one) => one === word);
    const errors = {
      ...(fault === undefined ? {} : { key: `Not a valid key: ${fault}.` }),
      ...(seconds === undefined && { expires: 'Not a duration: enter seconds, or 90s, 15m, 1d.' }),
      ...(method === undefined && { method: 'Choose get, head, put or delete.' }),
    };
    if (seconds === undefined || method === undefined || fault !== undefined) return { errors };
    return { work: makeLink({ bucket, key }, { method, seconds }) };
  });
}

function parseSeconds(text: string): number | undefined {
  try {
    return parseDuration(text.trim());
  } catch {
    return undefined;
  }
}

function makingLink(address: ObjectAddress, options: LinkOptions, means: Means): Work {
  return {
    busy: { kind: 'reading', words: 'creating the link' },
    async run(signal) {
      const { url, expires } = await requireService(means, 'objects').link(address, options, signal);
      return { dialog: linkMenu(address, options, { url, expires, copy: copyingLink(url, means) }) };
    },
  };
}

function copyingLink(url: string, { copy }: Means): Work {
  return {
    busy: { kind: 'reading', words: 'copying' },
    run: async () => ({ notice: copy(Buffer.from(url), 'the link') }),
  };
}

/** Returns the menu that shows a new link and offers to copy it. */
function linkMenu(
  { key }: ObjectAddress,
  { method }: LinkOptions,
  { url, expires, copy }: { readonly url: string; readonly expires: number; readonly copy: Work },
): MenuDialog<Work> {
  const until = new Date(expires).toISOString().slice(0, 16).replace('T', ' ');
  return {
    kind: 'menu',
    title: `${method.toUpperCase()} ${key}, until ${until} UTC`,
    lines: [url],
    items: [{ label: 'copy the link', command: copy }],
    initial: 0,
  };
}
