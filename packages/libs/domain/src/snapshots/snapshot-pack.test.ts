import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unnoticed } from '../chunk/damage.fixture.ts';
import type { HostSnapshot } from './host-snapshot.ts';
import { MAX_PACKED_SNAPSHOTS, packSnapshots, unpackHeads, unpackSnapshots } from './snapshot-pack.ts';
import { packedHosts } from './snapshots.fixture.ts';

const at = (time: number, own: Partial<HostSnapshot> = {}): HostSnapshot => ({
  time,
  containers: null,
  processes: null,
  ...own,
});
const process = (name: string, pid: number, cpu_percent: number) => ({
  name,
  pid,
  cpu_percent,
  memory_rss: pid * 4_096,
});

const EXAMPLE = [
  {
    serviceId: 'svc_a',
    snapshots: [
      at(1_000, { processes: [process('db', 9, 3), process('web', 7, 1.25)], containers: [] }),
      at(11_000, { processes: [process('web', 7, 4), process('db', 9, 2), process('web', 8, 0)] }),
    ],
  },
  {
    serviceId: 'svc_b',
    snapshots: [at(2_000, { containers: [{ name: 'web', image: 'web', restarts: 2 }] })],
  },
];

test('reads snapshots of every content and order back as they were', () => {
  fc.assert(
    fc.property(packedHosts, (hosts) => {
      expect(unpackSnapshots(packSnapshots(hosts))).toEqual(hosts);
    }),
    { numRuns: 300 },
  );
});

test('reads one host alone, and none of a host that is not there', () => {
  const bytes = packSnapshots(EXAMPLE);
  expect(unpackSnapshots(bytes)).toStrictEqual(EXAMPLE);
  expect(unpackSnapshots(bytes, { serviceId: 'svc_b' })).toStrictEqual([EXAMPLE[1]]);
  expect(unpackSnapshots(bytes, { serviceId: 'svc_c' })).toEqual([]);
});

test('reads the lists of one member, or the times alone', () => {
  const bytes = packSnapshots(EXAMPLE);
  const [first] = EXAMPLE[0]?.snapshots ?? [];
  expect(unpackSnapshots(bytes, { serviceId: 'svc_a', member: 'containers' })).toStrictEqual([
    { serviceId: 'svc_a', snapshots: [at(1_000, { containers: [] }), at(11_000)] },
  ]);
  const [{ snapshots } = { snapshots: [] }] = unpackSnapshots(bytes, { member: 'processes' });
  expect(snapshots[0]?.processes).toStrictEqual(first?.processes);
  expect(unpackHeads(bytes, 'svc_a')).toEqual([
    { time: 1_000, containers: true, processes: true },
    { time: 11_000, containers: false, processes: true },
  ]);
  expect(unpackHeads(bytes, 'svc_c')).toEqual([]);
});

test('keeps processes of one name and pid apart, in their order', () => {
  const twice = [process('a', 1, 2), process('a', 1, 2), process('a', 1, 1)];
  const snapshots = [at(1, { processes: twice }), at(2, { processes: twice.slice(1) })];
  expect(unpackSnapshots(packSnapshots([{ serviceId: 's', snapshots }]))).toStrictEqual([
    { serviceId: 's', snapshots },
  ]);
});

test('refuses bytes with any damage', () => {
  expect(unnoticed(packSnapshots(EXAMPLE), (bytes) => unpackSnapshots(bytes), MalformedBytesError)).toEqual(
    [],
  );
});

test('refuses more snapshots of a host than it would read', () => {
  const snapshots = Array.from({ length: MAX_PACKED_SNAPSHOTS + 1 }, (_, time) => at(time));
  const pack = (count: number) => packSnapshots([{ serviceId: 's', snapshots: snapshots.slice(0, count) }]);
  expect(() => pack(MAX_PACKED_SNAPSHOTS + 1)).toThrow(RangeError);
  expect(unpackSnapshots(pack(MAX_PACKED_SNAPSHOTS))[0]?.snapshots).toHaveLength(MAX_PACKED_SNAPSHOTS);
});
