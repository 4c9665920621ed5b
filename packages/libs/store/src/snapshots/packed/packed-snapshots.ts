import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import type { HostSnapshot, SnapshotLists, SnapshotMember } from '@tidewatch/domain/snapshots/host-snapshot';
import { mergeSnapshots } from '@tidewatch/domain/snapshots/merge-snapshots';
import { unpackHeads, unpackSnapshots } from '@tidewatch/domain/snapshots/snapshot-pack';
import { Turn } from '../../event-loop/turn.ts';
import type { HourOfSnapshots, SnapshotReader, SnapshotSpan, StoredList } from '../snapshot-reader.ts';
import { countChunks, type FoundPack, findNewestChunks, readChunks, readTail } from './read-packs.ts';

/** The reader of snapshots in the layout `log`: what is not sealed yet, and chunks. */
export const packedSnapshots: SnapshotReader = {
  newest: readNewest,

  async newestTimes(sql, spans, member) {
    const newest = await readNewest(sql, spans, member);
    return newest.map(([list]) => list?.time ?? null);
  },

  async lists<M extends SnapshotMember>(
    sql: Queryable,
    spans: readonly SnapshotSpan[],
    member: M,
    options?: { stepMs: number },
  ) {
    const tail = await readTail(sql, spans);
    const found = await unpackLists(spans, [...(await readChunks(sql, spans, member)), ...tail], member);
    return options === undefined ? found : found.map((lists) => newestOfSteps(lists, options.stepMs));
  },

  async times(sql, span) {
    const tail = await readTail(sql, [span]);
    const packs = [...(await readChunks(sql, [span])), ...tail];
    const heads = packs.flatMap(({ pack }) => unpackHeads(pack, span.serviceId));
    const times = new Set(
      heads.map(({ time }) => time).filter((time) => time >= span.from && time < span.to),
    );
    return Float64Array.from(times).sort();
  },

  async containerPresence(sql, span, name) {
    const [lists = []] = await packedSnapshots.lists(sql, [span], 'containers');
    return {
      at: Float64Array.from(lists, ({ time }) => time),
      hasIt: lists.map(({ list }) => list.some((container) => container.name === name)),
    };
  },

  async hours(sql, spans, member) {
    const tail = await readTail(sql, spans);
    const counted = await countChunks(sql, spans, member);
    return spans.map((span, place): HourOfSnapshots[] => {
      const counts = new Map<number, number>();
      const add = (hour: number, count: number) => counts.set(hour, (counts.get(hour) ?? 0) + count);
      for (const found of counted) if (found.place === place) add(found.hour, found.count);
      for (const found of tail)
        if (found.place === place)
          for (const head of unpackHeads(found.pack, span.serviceId))
            if (head[member] && head.time >= span.from && head.time < span.to)
              add(bucketOf(head.time, HOUR_MS), 1);
      return [...counts].map(([hour, count]) => ({ hour, count })).sort((a, b) => a.hour - b.hour);
    });
  },
};

/** Reads the newest chunk that has a list of each span, and what overlaps it, then the one before, until there are enough lists. */
async function readNewest<M extends SnapshotMember>(
  sql: Queryable,
  spans: readonly SnapshotSpan[],
  member: M,
  max = 1,
): Promise<StoredList<M>[][]> {
  const tail = await readTail(sql, spans);
  const unsealed = await unpackLists(spans, tail, member);
  const newest: StoredList<M>[][] = spans.map(() => []);
  let open = spans.map((span, place) => ({ span, place, lists: unsealed[place] ?? [] }));
  while (open.length > 0) {
    const rest = open.map(({ span }) => span);
    const firsts = await findNewestChunks(sql, rest, member);
    const windows = rest.map((span, index) => ({
      ...span,
      from: Math.max(span.from, firsts[index] ?? span.to),
    }));
    const packs = await readChunks(sql, windows, member);
    const sealed = await unpackLists(windows, packs, member);
    const further: typeof open = [];
    for (const [index, { span, place, lists }] of open.entries()) {
      const first = firsts[index] ?? null;
      const all = united(sealed[index] ?? [], lists);
      const certain = first === null ? all : all.filter(({ time }) => time >= first);
      if (first === null || first <= span.from || certain.length >= max)
        newest[place] = all.toReversed().slice(0, max);
      else further.push({ span: { ...span, to: first }, place, lists: all });
    }
    open = further;
  }
  return newest;
}

/** Lists in the order of their times; of equal times those of the second count. */
function united<M extends SnapshotMember>(first: readonly StoredList<M>[], second: readonly StoredList<M>[]) {
  const byTime = new Map([...first, ...second].map((list) => [list.time, list]));
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}

/** The lists of each span in its packs, of which a later one counts for equal times, oldest first. Yields to the event loop. */
async function unpackLists<M extends SnapshotMember>(
  spans: readonly SnapshotSpan[],
  packs: readonly FoundPack[],
  member: M,
): Promise<StoredList<M>[][]> {
  const turn = new Turn();
  const found: HostSnapshot[][] = spans.map(() => []);
  for (const { place, pack } of packs) {
    const { serviceId, from, to } = spans[place] as SnapshotSpan;
    const [host] = unpackSnapshots(pack, { serviceId, member });
    for (const snapshot of host?.snapshots ?? [])
      if (snapshot[member] !== null && snapshot.time >= from && snapshot.time < to)
        found[place]?.push(snapshot);
    if (turn.isOver) await turn.yieldWhenDue();
  }
  return found.map((snapshots) =>
    mergeSnapshots(snapshots).map((snapshot) => ({
      time: snapshot.time,
      list: snapshot[member] as SnapshotLists[M],
    })),
  );
}

function newestOfSteps<M extends SnapshotMember>(
  lists: readonly StoredList<M>[],
  stepMs: number,
): StoredList<M>[] {
  const steps = new Map(lists.map((list) => [bucketOf(list.time, stepMs), list]));
  return [...steps.values()];
}
