import { expect, test } from 'vitest';
import { metricsText } from '../../../src/text/fleet/metrics.ts';

test('counts hostnames by status and kind, and escapes labels', () => {
  const moved = { status: 'moved', certificate: 'active', kind: 'moved', who: 'customer' };
  const text = metricsText({
    zoneId: 'z"\\\n',
    hostnames: [
      { id: '1', hostname: 'a', ...moved },
      { id: '2', hostname: 'b', ...moved },
      { id: '3', hostname: 'c', status: 'active', certificate: 'active' },
    ],
    daysLeft: [{ hostname: 'a', of: 'moved', days: 6.5 }],
    readAt: 1700000000,
    readings: 3,
    failedReadings: 1,
    events: new Map([['changed', 2]]),
    waiting: 4,
  });
  const zone = String.raw`zone="z\"\\\n"`;
  expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
    `edgectl_hostnames{${zone},status="active",certificate="active"} 1`,
    `edgectl_hostnames{${zone},status="moved",certificate="active"} 2`,
    `edgectl_hostnames_faulty{${zone},kind="moved",who="customer",basis="record"} 2`,
    `edgectl_hostname_days_left{${zone},hostname="a",of="moved"} 6.5`,
    `edgectl_watch_events_total{${zone},type="changed"} 2`,
    `edgectl_watch_waiting_events{${zone}} 4`,
    `edgectl_watch_readings_total{${zone}} 3`,
    `edgectl_watch_failed_readings_total{${zone}} 1`,
    `edgectl_watch_last_reading_timestamp_seconds{${zone}} 1700000000`,
    '',
  ]);
});
