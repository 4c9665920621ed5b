import type { Queryable } from '@tidewatch/database/connection';
import { Turn } from '../../event-loop/turn.ts';
import { readBackfilled } from '../rows/samples.ts';
import type { SampleSpan, Samples } from '../series-columns.ts';
import { slotKey } from '../slot-key.ts';
import { readColumns } from './stored/read-columns.ts';
import { mergeSamples } from './stored/sorted-times.ts';

/** Reads the samples of spans, in their order. */
export async function readSamples(
  tx: Queryable,
  spans: readonly SampleSpan[],
  { withBackfill }: { withBackfill: boolean } = { withBackfill: false },
): Promise<Samples[]> {
  const found: Samples[] = spans.map(() => NONE);
  const wanted = spans.map(({ blockId, slot, from, to }) => ({ blockId, from, to, mask: 1 << slot }));
  const columns = await readColumns(tx, wanted);
  const turn = new Turn();
  // Spans of one slot follow each other, so that each column is decoded once.
  const bySlot = Map.groupBy(spans.keys(), (index) => slotKey(spans[index] as SampleSpan));
  for (const indices of bySlot.values()) {
    for (const index of indices) {
      const { blockId, slot, firstOnly, ...range } = spans[index] as SampleSpan;
      found[index] = columns.of(blockId).samples(slot, range, firstOnly === true ? { first: 1 } : {});
    }
    if (turn.isOver) await turn.yieldWhenDue();
  }
  if (!withBackfill) return found;
  const late = await readBackfilled(tx, spans);
  return found.map((own, index) => {
    const { times, values } = mergeSamples(own, late[index] as Samples);
    const end = spans[index]?.firstOnly === true ? 1 : times.length;
    return { times: times.slice(0, end), values: values.slice(0, end) };
  });
}

const NONE: Samples = { times: new Float64Array(), values: new Float64Array() };
