import type { Fault, Kind } from '../fault.ts';
import { reply } from '../faulty-server.ts';

function redirect(status: number, name: string, locationOf: (here: string) => string | undefined): Fault {
  return {
    name: `${status} ${name}`,
    begin:
      () =>
      ({ response, passing }) => {
        const location = locationOf(passing.headers.host ?? '');
        reply(response, { status, headers: location === undefined ? {} : { location }, body: 'moved' });
      },
    mayPass: () => false,
  };
}

/** Returns redirects. `elsewhere` is the address of a second server, which must not receive a request. */
export function redirectKinds(elsewhere: string): readonly Kind[] {
  const there = `${elsewhere}/client/v4/user`;
  return [
    {
      name: 'a redirect to another host',
      faults: [
        redirect(302, 'to another host', () => there),
        redirect(301, 'to another host', () => there),
        redirect(303, 'to another host', () => there),
        redirect(307, 'to another host', () => there),
        redirect(308, 'to another host', () => there),
        redirect(302, 'to another host without a scheme', () => there.replace('http:', '')),
        redirect(302, 'to another host by another name', () => there.replace('127.0.0.1', 'localhost')),
      ],
    },
    {
      name: 'a redirect to nowhere',
      faults: [
        redirect(302, 'without a location', () => undefined),
        redirect(302, 'to a file', () => 'file:///etc/passwd'),
        redirect(302, 'to nonsense', () => 'http://['),
        redirect(302, 'to itself', (here) => `http://${here}/client/v4/user`),
        redirect(300, 'with several choices', () => there),
        redirect(399, 'with an undefined status', () => there),
      ],
    },
  ];
}
