import { bucketJurisdictions } from '../../../model/jurisdiction.ts';
import { checkBucketName } from '../../../model/objects/bucket.ts';
import { parseObjectAddress } from '../../../model/objects/object.ts';
import { linkMethods, presignObject } from '../../../services/objects/presign.ts';
import { parseDuration } from '../../../text/time.ts';
import { command } from '../../parsing/command.ts';
import { parseOneOf } from '../../parsing/one-of.ts';
import type * as declared from './declarations.ts';

export const presignCommand = command<typeof declared.objectPresign>({
  async run(context, { args, flags }) {
    const address = parseObjectAddress(args.ADDRESS);
    checkBucketName(address.bucket);
    const seconds = parseDuration(flags.expires ?? '1h', '--expires');
    const method = parseOneOf('--method', flags.method, linkMethods) ?? 'get';
    const jurisdiction = parseOneOf('--jurisdiction', flags.jurisdiction, bucketJurisdictions);
    const session = await context.session();
    const { url, expires } = await presignObject(session, address, { method, seconds, jurisdiction });
    await context.output.result(url, {
      url,
      method: method.toUpperCase() as Uppercase<typeof method>,
      ...address,
      expires: new Date(expires).toISOString(),
      target: session.label,
    });
  },
});
