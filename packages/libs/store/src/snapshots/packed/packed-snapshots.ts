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
  async newest<M extends SnapshotMember>(sql: Queryable, spans: readonly SnapshotSpan[], member: M, max = 1) {
    const turn = new Turn();
    const newest: StoredList<M>[][] = [];
    for (const [place, found] of (await findNewest(sql, spans, member, max)).entries()) {
      const { serviceId } = spans[place] as SnapshotSpan;
      const packs = new Map<Buffer, HostSnapshot[]>();
      const own: StoredList<M>[] = [];
      for (const { time, pack } of found) {
        const unpacked = packs.get(pack) ?? unpackSnapshots(pack, { serviceId, member })[0]?.snapshots ?? [];
        packs.set(pack, unpacked);
        const list = unpacked.find((snapshot) => snapshot.time === time)?.[member] as SnapshotLists[M];
        own.push({ time, list });
        if (turn.isOver) await turn.yieldWhenDue();
      }
      newest.push(own);
    }
    return newest;
  },

  async newestTimes(sql, spans, member) {
    const newest = await findNewest(sql, spans, member, 1);
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

/** A list that a pack has of a span. */
interface FoundList {
  time: number;
  pack: Buffer;
}

/**
 * Finds the newest lists of each span, newest first: reads its newest chunk that has one, and what overlaps it, then the chunk before, until
 * there are enough.
 */
async function findNewest(
  sql: Queryable,
  spans: readonly SnapshotSpan[],
  member: SnapshotMember,
  max: number,
): Promise<FoundList[][]> {
  const unsealed = await findLists(spans, await readTail(sql, spans), member);
  const newest: FoundList[][] = spans.map(() => []);
  let open = spans.map((span, place) => ({ span, place, lists: unsealed[place] ?? [] }));
  while (open.length > 0) {
    const rest = open.map(({ span }) => span);
    const firsts = await findNewestChunks(sql, rest, member);
    const windows = rest.map((span, index) => ({
      ...span,
      from: Math.max(span.from, firsts[index] ?? span.to),
    }));
    const sealed = await findLists(windows, await readChunks(sql, windows, member), member);
    const further: typeof open = [];
    for (const [index, { span, place, lists }] of open.entries()) {
      const first = firsts[index] ?? null;
      const all = inOrder([...(sealed[index] ?? []), ...lists]);
      const certain = first === null ? all : all.filter(({ time }) => time >= first);
      if (first === null || first <= span.from || certain.length >= max)
        newest[place] = all.toReversed().slice(0, max);
      else further.push({ span: { ...span, to: first }, place, lists: all });
    }
    open = further;
  }
  return newest;
}

/** The lists of each span in its packs, of which a later one counts for equal times, without reading them. */
async function findLists(
  spans: readonly SnapshotSpan[],
  packs: readonly FoundPack[],
  member: SnapshotMember,
): Promise<FoundList[][]> {
  const turn = new Turn();
  const found: FoundList[][] = spans.map(() => []);
  for (const { place, pack } of packs) {
    const { serviceId, from, to } = spans[place] as SnapshotSpan;
    for (const head of unpackHeads(pack, serviceId))
      if (head[member] && head.time >= from && head.time < to) found[place]?.push({ time: head.time, pack });
    if (turn.isOver) await turn.yieldWhenDue();
  }
  return found.map(inOrder);
}

/** Lists in the order of their times; of equal times the last one counts. */
function inOrder(lists: readonly FoundList[]): FoundList[] {
  const byTime = new Map(lists.map((list) => [list.time, list]));
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
