import type { RecordData } from './data.ts';

/**
 * The coordinates of a location in the order of RFC 1876, 3: the prefix of the fields, the directions, and the maximum number of degrees.
 */
const ways = [
  ['lat', ['N', 'S'], 90],
  ['long', ['E', 'W'], 180],
] as const;
/** Lengths in meters, their defaults, and the values that their bytes can express (RFC 1876, 2). */
const lengths = [
  ['altitude', 0, -100_000, 42_849_672.95],
  ['size', 1, 0, 90_000_000],
  ['precision_horz', 10_000, 0, 90_000_000],
  ['precision_vert', 10, 0, 90_000_000],
] as const;

/** Describes the first missing or invalid part, with its valid values. */
export function locationFault(data: RecordData): string | undefined {
  for (const [way, directions, maxDegrees] of ways) {
    const { degrees, minutes, seconds, direction } = angle(data, way);
    const whole = (part: number, end: number) => Number.isInteger(part) && part >= 0 && part <= end;
    if (!whole(degrees, maxDegrees)) return `${way}_degrees is not a whole number from 0 to ${maxDegrees}`;
    if (!whole(minutes, 59)) return `${way}_minutes is not a whole number from 0 to 59`;
    if (!(seconds >= 0 && seconds < 60)) return `${way}_seconds is not a number from 0 to 59.999`;
    if (degrees === maxDegrees && minutes + seconds > 0) return `${way}_degrees is more than ${maxDegrees}`;
    if (!directions.some((one) => one === direction))
      return `${way}_direction is not one of ${directions.join(', ')}`;
  }
  for (const [field, usual, least, max] of lengths) {
    const metres = Number(data[field] ?? usual);
    if (!(metres >= least && metres <= max)) return `${field} is not a number from ${least} to ${max}`;
  }
  return undefined;
}

function angle(data: RecordData, way: string) {
  const part = (name: string) => Number(data[`${way}_${name}`] ?? 0);
  return {
    degrees: Number(data[`${way}_degrees`]),
    minutes: part('minutes'),
    // The record stores thousandths of a second.
    seconds: Math.round(part('seconds') * 1000) / 1000,
    direction: data[`${way}_direction`],
  };
}

/** Formats a location as `51 30 12.748 N 0 7 39.611 W 0.00m 1.00m 10000.00m 10.00m`; undefined if a part is invalid. */
export function formatLocation(data: RecordData): string | undefined {
  if (locationFault(data) !== undefined) return undefined;
  const words = ways.map(([way]) => {
    const { degrees, minutes, seconds, direction } = angle(data, way);
    return `${degrees} ${minutes} ${seconds.toFixed(3)} ${direction}`;
  });
  const metres = lengths.map(([field, usual]) => `${Number(data[field] ?? usual).toFixed(2)}m`);
  return [...words, ...metres].join(' ').replaceAll('-0.00m', '0.00m');
}

/** Parses the presentation form of a location. Minutes, seconds and lengths are optional. */
export function parseLocation(content: string): RecordData | undefined {
  const number = String.raw`(\d+(?:\.\d+)?)`;
  const degrees = (way: string) => String.raw`(\d+)(?:\s+(\d+)(?:\s+${number})?)?\s+([${way}])`;
  const length = String.raw`(?:\s+(-?\d+(?:\.\d+)?)m?)?`;
  const whole = new RegExp(`^\\s*${degrees('NS')}\\s+${degrees('EW')}${length.repeat(4)}\\s*$`, 'i');
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

/** Encodes a location (RFC 1876, 2). */
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

/** Encodes a length in centimeters as a digit and a power of ten. */
function lengthByte(centimetres: number): number {
  let power = 0;
  let base = Math.max(0, Math.round(centimetres));
  for (; base >= 10 && power < 9; power += 1) base = Math.floor(base / 10);
  return base * 16 + power;
}
