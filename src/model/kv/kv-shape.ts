import { object, optional, text } from '../shape.ts';

export const namespaceId = text('Id of the namespace: 32 hexadecimal digits, or a folder name in local data');

export const namespaceFields = {
  id: namespaceId,
  title: text('Title of the namespace'),
  jurisdiction: optional(text('Jurisdiction of the namespace: eu, us, fedramp')),
};

export const namespace = object(namespaceFields);
