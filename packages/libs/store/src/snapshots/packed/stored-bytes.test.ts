import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { HostSnapshot } from '@tidewatch/domain/snapshots/host-snapshot';
import { packSnapshots, unpackSnapshots } from '@tidewatch/domain/snapshots/snapshot-pack';
import { describe, expect, it } from 'vitest';
import { readRecorded } from '../contract/recorded-processes.fixture.ts';
import { fromStoredBytes, toStoredBytes } from './stored-bytes.ts';

const pack = (snapshots: HostSnapshot[]) => packSnapshots([{ serviceId: 'svc_a', snapshots }]);
const bytesEach = (snapshots: HostSnapshot[]) => toStoredBytes(pack(snapshots), 3).length / snapshots.length;
const jsonEach = (snapshots: HostSnapshot[]) =>
  snapshots.reduce((sum, { processes }) => sum + JSON.stringify(processes).length, 0) / snapshots.length;

describe('stored bytes of recorded processes', () => {
  const busiest = readRecorded('busiest');

  it('are read back as they were, in the order in which the agent listed them', () => {
    for (const snapshots of [busiest, readRecorded('all'), busiest.slice(0, 1)])
      expect(unpackSnapshots(fromStoredBytes(toStoredBytes(pack(snapshots), 3)))).toEqual([
        { serviceId: 'svc_a', snapshots },
      ]);
  });

  it('are a twentieth of the JSON of a payload, and a fourteenth where there is one a minute', () => {
    expect(busiest).toHaveLength(30);
    expect(bytesEach(busiest)).toBeLessThan(jsonEach(busiest) / 20);
    const minutely = busiest.filter((_, index) => index % 6 === 0);
    expect(bytesEach(minutely)).toBeLessThan(jsonEach(minutely) / 14);
    const smaller = minutely.map((snapshot) => ({
      ...snapshot,
      processes: (snapshot.processes ?? []).slice(0, 30),
    }));
    expect(bytesEach(smaller)).toBeLessThan(400);
  });

  it('are not compressed where there are few of them', () => {
    const few = pack(
      busiest.slice(0, 1).map((snapshot) => ({ ...snapshot, processes: [{ name: 'a', pid: 1 }] })),
    );
    expect(toStoredBytes(few, 1)).toBe(few);
    expect(fromStoredBytes(few)).toBe(few);
  });

  it('that are damaged are refused as malformed', () => {
    const stored = toStoredBytes(pack(busiest), 3);
    for (const at of [0, 1, 5, 40, stored.length - 1]) {
      const changed = Buffer.from(stored);
      changed[at] = (changed[at] as number) ^ 0x55;
      expect(() => unpackSnapshots(fromStoredBytes(changed)), `byte ${at}`).toThrow(MalformedBytesError);
    }
    expect(() => fromStoredBytes(stored.subarray(0, 100))).toThrow(MalformedBytesError);
  });
});
