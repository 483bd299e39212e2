import { MalformedObject, readFormObject } from '../../../v4/form-object.ts';
import { type FormPart, MalformedForm, readForm } from '../../../v4/read-form.ts';
import { type Exchange, readLimited, refusal, unreadableBody } from '../../http/exchange.ts';
import { workerCodes } from './codes.ts';

/** Maximum total size of an upload's modules, in bytes (uncompressed; the provider's limit on a paid plan). */
const uploadLimit = 64 * 1024 * 1024;

/** Reads the parts of a call's form, in order; undefined if the body is not a form. Refuses more than 64 MiB. */
export async function readCallForm({ call }: Exchange): Promise<FormPart[] | undefined> {
  const contentType = call.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType)) return undefined;
  try {
    return await readForm(contentType, call.body, uploadLimit);
  } catch (error) {
    if (error instanceof RangeError) throw refuseLongUpload();
    throw error instanceof MalformedForm ? unreadableBody('multipart form', error.message) : error;
  }
}

/** Reads the body of a call that contains no form. */
export function readScript({ call }: Exchange): Promise<Uint8Array> {
  return readLimited(call.body, uploadLimit, refuseLongUpload);
}

/** Parses the JSON object in a form part; undefined if the part is missing. Refuses a part that is not a JSON object. */
export function readObjectPart(
  parts: readonly FormPart[],
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  try {
    return readFormObject(parts, name);
  } catch (error) {
    throw error instanceof MalformedObject ? unreadableBody(name, error.message) : error;
  }
}

function refuseLongUpload() {
  return refusal(
    413,
    workerCodes.uploadTooLarge,
    `Your Worker exceeded the size limit of ${uploadLimit} bytes.`,
  );
}
