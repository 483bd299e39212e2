import { changed, html, instead, json, type Kind, page } from '../fault.ts';

const noJson = (body: string) => instead(`the JSON ${body}`, 200, body);
const refusal = (status: number, body: string) => instead(`the refusal ${status} ${body}`, status, body);
const htmlPage = (status: number) => instead(`an HTML page with ${status}`, status, page, html);
const empty = (status: number) => instead(`an empty ${status}`, status, '');

/** Invalid bodies, each in a complete and valid HTTP message. */
export const bodyKinds: readonly Kind[] = [
  {
    name: 'an empty success',
    faults: [empty(200), instead('an empty 200 without a type', 200, '', {}), empty(201)],
  },
  {
    name: 'JSON that is not an envelope',
    faults: [
      noJson('{}'),
      noJson('null'),
      noJson('[]'),
      noJson('""'),
      noJson('42'),
      noJson('{"result":[]}'),
      noJson('{"success":"yes","result":{}}'),
    ],
  },
  {
    name: 'a refusal without a message',
    faults: [
      refusal(200, '{"success":false}'),
      refusal(200, '{"success":false,"errors":null}'),
      refusal(200, '{"success":false,"errors":[null,1,"x",[]]}'),
      refusal(400, '{"success":false,"errors":[{"code":{},"message":[1]}]}'),
      refusal(400, '{"success":false,"errors":[{"code":1e999,"message":"x","error_chain":{"message":"y"}}]}'),
      refusal(500, 'null'),
      refusal(500, '{"success":true,"result":{},"errors":[],"messages":[]}'),
    ],
  },
  {
    name: 'a truncated body',
    faults: [
      changed('a body cut in the middle', (body) => body.subarray(0, Math.floor(body.length / 2))),
      changed('a body without its last byte', (body) => body.subarray(0, -1)),
      changed('a body of one byte', (body) => body.subarray(0, 1)),
    ],
  },
  {
    name: 'a body with other bytes',
    faults: [
      changed('bytes that are not UTF-8', (body) => Buffer.alloc(body.length, 0xff)),
      changed('NULs', (body) => Buffer.alloc(body.length)),
      changed('the body twice', (body) => Buffer.concat([body, body])),
      instead('an HTML page', 200, page, html),
      instead('an HTML page with the type of JSON', 200, page, json),
    ],
  },
  {
    name: 'HTML with 4xx',
    faults: [htmlPage(400), htmlPage(401), htmlPage(403), htmlPage(404), htmlPage(409), htmlPage(429)],
  },
  {
    name: 'HTML with 5xx',
    faults: [htmlPage(502), htmlPage(503), htmlPage(500), htmlPage(504), htmlPage(520), htmlPage(599)],
  },
  { name: 'an empty failure', faults: [empty(503), empty(400), empty(429), empty(500), empty(404)] },
  { name: 'an unsolicited 304', faults: [instead('304', 304, '')] },
];
