import type { RecordData } from './data.ts';

/** The fields of a place on Earth, in the order of RFC 1876, 3. */
const ways = [
  ['lat', ['N', 'S'], 90],
  ['long', ['E', 'W'], 180],
] as const;
const lengths = [
  ['altitude', 0],
  ['size', 1],
  ['precision_horz', 10_000],
  ['precision_vert', 10],
] as const;

/** `51 30 12.748 N 0 7 39.611 W 0.00m 1.00m 10000.00m 10.00m`; undefined where a part makes no sense. */
export function formatLocation(data: RecordData): string | undefined {
  const words: string[] = [];
  for (const [way, directions, most] of ways) {
    const degrees = Number(data[`${way}_degrees`]);
    const minutes = Number(data[`${way}_minutes`] ?? 0);
    const seconds = Number(data[`${way}_seconds`] ?? 0);
    const direction = String(data[`${way}_direction`]);
    const fits =
      degrees >= 0 && degrees <= most && minutes >= 0 && minutes < 60 && seconds >= 0 && seconds < 60;
    if (!fits || !directions.some((one) => one === direction)) return undefined;
    words.push(String(degrees), String(minutes), seconds.toFixed(3), direction);
  }
  for (const [field, usual] of lengths) {
    const metres = Number(data[field] ?? usual);
    if (!Number.isFinite(metres)) return undefined;
    words.push(`${metres.toFixed(2)}m`);
  }
  return words.join(' ');
}

/** The parts of the text of a place. Minutes, seconds and lengths can be left out. */
export function parseLocation(content: string): RecordData | undefined {
  const number = String.raw`(\d+(?:\.\d+)?)`;
  const angle = (way: string) => String.raw`(\d+)(?:\s+(\d+)(?:\s+${number})?)?\s+([${way}])`;
  const length = String.raw`(?:\s+(-?\d+(?:\.\d+)?)m?)?`;
  const whole = new RegExp(`^\\s*${angle('NS')}\\s+${angle('EW')}${length.repeat(4)}\\s*$`, 'i');
  const [, latDegrees, latMinutes, latSeconds, lat, longDegrees, longMinutes, longSeconds, long, ...metres] =
    whole.exec(content) ?? [];
  if (latDegrees === undefined) return undefined;
  const data = {
    lat_degrees: Number(latDegrees),
    lat_minutes: Number(latMinutes ?? 0),
    lat_seconds: Number(latSeconds ?? 0),
    lat_direction: lat?.toUpperCase(),
    long_degrees: Number(longDegrees),
    long_minutes: Number(longMinutes ?? 0),
    long_seconds: Number(longSeconds ?? 0),
    long_direction: long?.toUpperCase(),
    ...Object.fromEntries(lengths.map(([field, usual], at) => [field, Number(metres[at] ?? usual)])),
  };
  return formatLocation(data) === undefined ? undefined : data;
}

/** The bytes of a place (RFC 1876, 2). */
export function locationBytes(data: RecordData): Buffer {
  const bytes = Buffer.alloc(16);
  for (const [at, field] of [
    [1, 'size'],
    [2, 'precision_horz'],
    [3, 'precision_vert'],
  ] as const)
    bytes[at] = lengthByte(Number(data[field]) * 100);
  for (const [index, [way, [, negative]]] of ways.entries()) {
    const part = (name: string) => Number(data[`${way}_${name}`]);
    const thousandths = Math.round((part('degrees') * 3600 + part('minutes') * 60 + part('seconds')) * 1000);
    const sign = data[`${way}_direction`] === negative ? -1 : 1;
    bytes.writeUInt32BE(2 ** 31 + sign * thousandths, 4 + 4 * index);
  }
  bytes.writeUInt32BE(Math.max(0, Math.round((Number(data['altitude']) + 100_000) * 100)), 12);
  return bytes;
}

/** A length in centimetres as a digit and a power of ten. */
function lengthByte(centimetres: number): number {
  let power = 0;
  let base = Math.max(0, Math.round(centimetres));
  for (; base >= 10 && power < 9; power += 1) base = Math.floor(base / 10);
  return base * 16 + power;
}
