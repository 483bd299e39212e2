import { object, text } from '../shape.ts';

export const namespaceId = text('Id of the namespace: 32 hexadecimal digits, or a folder name in local data');

export const namespace = object({ id: namespaceId, title: text('Title of the namespace') });
