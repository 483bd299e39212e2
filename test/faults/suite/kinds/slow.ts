import type { ProxyAnswer } from '../../../support/proxy.ts';
import type { Fault, Kind } from '../fault.ts';
import type { Misbehave } from '../faulty-server.ts';

/** Creates a fault that sends the start of an answer, and then one byte per second while the connection is open. */
function trickling(name: string, begin: (right: ProxyAnswer) => string, byte: string): Fault {
  const misbehave: Misbehave = ({ response, right }) => {
    const { socket } = response;
    if (socket === null) return;
    socket.on('error', () => undefined);
    socket.write(begin(right));
    if (byte === '') return;
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(byte)), 1000);
    socket.once('close', () => clearInterval(timer));
  };
  return { name, begin: () => misbehave, mayPass: () => false };
}

const typeOf = ({ headers }: ProxyAnswer): string => headers['content-type'] ?? 'text/plain';
const head = (right: ProxyAnswer, status = '200 OK'): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${typeOf(right)}\r\n`;

/** Servers that make the client wait. The servers wait with `setInterval`, which a test can simulate. */
export const slowKinds: readonly Kind[] = [
  { name: 'a silent server', faults: [trickling('silence', () => '', '')] },
  {
    name: 'slow headers',
    faults: [
      trickling('an endless header', (right) => `${head(right)}x: `, 'x'),
      trickling('endless headers', (right) => head(right), 'x: x\r\n'),
    ],
  },
  {
    name: 'a slow body',
    faults: [
      trickling('with a length', (right) => `${head(right)}content-length: 1000000\r\n\r\n`, ' '),
      trickling('in chunks', (right) => `${head(right)}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
      trickling('without a length', (right) => `${head(right)}connection: close\r\n\r\n`, ' '),
      trickling(
        'of a refusal',
        (right) => `${head(right, '503 Busy')}transfer-encoding: chunked\r\n\r\n`,
        '1\r\n \r\n',
      ),
    ],
  },
  {
    name: 'a body that stops',
    faults: [
      trickling('silence after the headers', (right) => `${head(right)}content-length: 100\r\n\r\n`, ''),
    ],
  },
];
