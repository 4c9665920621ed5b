import type { Container, ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import fc from 'fast-check';
import type { HostSnapshot } from './host-snapshot.ts';
import type { HostSnapshots } from './snapshot-pack.ts';

const names = fc.oneof(
  fc.constantFrom('node', 'postgres', 'kworker/0:1', 'ünï', 'redis-server'),
  fc.string({ minLength: 1, maxLength: 12 }),
);
const percents = fc.oneof(
  fc.integer({ min: 0, max: 40_000 }).map((hundredths) => hundredths / 100),
  fc.constantFrom(0, 0, -0, 1 / 3, 5e-324, 1e300),
);
const bytes = fc.oneof(
  fc.nat({ max: 100_000 }).map((pages) => pages * 4_096),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const processes: fc.Arbitrary<ProcessInfo[]> = fc.array(
  fc.record(
    {
      name: names,
      pid: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer()),
      cpu_percent: percents,
      memory_rss: bytes,
    },
    { requiredKeys: ['name', 'pid'] },
  ),
  { maxLength: 8 },
);
const containers: fc.Arbitrary<Container[]> = fc.array(
  fc.record(
    {
      name: names,
      image: names,
      status: fc.constantFrom('running', 'exited'),
      id: fc.string({ maxLength: 12 }),
      health: fc.constantFrom('healthy', 'starting'),
      cpu_percent: percents,
      memory_usage: bytes,
      restarts: fc.nat(),
    },
    { requiredKeys: ['name'] },
  ),
  { maxLength: 5 },
);

/** Agents list what uses most first, and mostly the same from one payload to the next. */
const asAgentsSend = fc
  .uniqueArray(fc.record({ name: names, pid: fc.integer({ min: 1, max: 9_999 }) }), {
    maxLength: 20,
    selector: ({ pid }) => pid,
  })
  .chain((all) =>
    fc
      .array(
        fc.record({
          left: fc.nat({ max: 20 }),
          use: fc.array(fc.tuple(percents, bytes), { minLength: 20, maxLength: 20 }),
        }),
        { maxLength: 12 },
      )
      .map((payloads) =>
        payloads.map(({ left, use }): ProcessInfo[] =>
          all
            .map((process, index) => ({
              ...process,
              cpu_percent: use[index]?.[0] ?? 0,
              memory_rss: use[index]?.[1] ?? 0,
            }))
            .filter((_, index) => index !== left)
            .sort((a, b) => b.cpu_percent - a.cpu_percent || b.memory_rss - a.memory_rss || a.pid - b.pid),
        ),
      ),
  );

const snapshotsOf = (
  lists: readonly Omit<HostSnapshot, 'time'>[],
  gaps: readonly number[],
): HostSnapshot[] => {
  let time = 1_790_000_000_000;
  return lists.map((own, index) => {
    time += gaps[index] ?? 1;
    return { time, ...own };
  });
};
const gaps = fc.array(fc.oneof(fc.constant(10_000), fc.integer({ min: 1, max: 100_000 })), {
  minLength: 12,
  maxLength: 12,
});
const lists = fc.record({ containers: fc.option(containers), processes: fc.option(processes) });

/** Snapshots of a host: with lists of any content and order, or such as agents send them. */
export const hostSnapshots: fc.Arbitrary<HostSnapshot[]> = fc.oneof(
  fc.tuple(fc.array(lists, { maxLength: 6 }), gaps).map(([own, steps]) => snapshotsOf(own, steps)),
  fc.tuple(asAgentsSend, gaps, fc.option(containers)).map(([payloads, steps, own]) =>
    snapshotsOf(
      payloads.map((list) => ({ containers: own, processes: list })),
      steps,
    ),
  ),
);

export const packedHosts: fc.Arbitrary<HostSnapshots[]> = fc.uniqueArray(
  fc.record({ serviceId: fc.string({ maxLength: 8 }), snapshots: hostSnapshots }),
  { maxLength: 4, selector: ({ serviceId }) => serviceId },
);
