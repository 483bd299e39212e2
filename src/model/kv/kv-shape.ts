import { object, text } from '../shape.ts';

export const namespaceId = text(
  'Id of the namespace: 32 hexadecimal digits; of local data, the name of its folder',
);

export const namespace = object({ id: namespaceId, title: text('Its name in the account') });
