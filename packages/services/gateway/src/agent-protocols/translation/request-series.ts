import type { SeriesSource } from '../series/point-batch.ts';
import type { SentSeries } from '../series/sent-series.ts';
import type { SeriesTable } from '../series/series-table.ts';
import type { SeriesHash } from '../wire/series-hash.ts';
import type { KnownSeries } from './known-series.ts';

/** The series of one request, whose descriptions are kept until it ends, or they are settled. `learn` is given what each new one says. */
export function requestSeries(
  known: KnownSeries,
  table: SeriesTable,
  hash: SeriesHash,
  learn: (sent: SentSeries) => void,
): SeriesSource {
  const held = new Set<number>();
  const hold = (series: number) => {
    if (known.fateOf(series) !== undefined || held.has(series)) return;
    held.add(series);
    known.hold(series);
  };
  return {
    hash,
    turns: () => table.turns,
    find(high, low) {
      const series = table.find(high, low);
      if (series === undefined || known.isSettled(series)) return series;
      if (known.isForgotten(series)) return undefined;
      hold(series);
      return series;
    },
    add(high, low, sent, before) {
      learn(sent);
      const forgotten = table.find(high, low);
      const series = forgotten ?? known.create(high, low, sent, before);
      if (forgotten === undefined) table.add(series);
      else known.describe(forgotten, sent);
      hold(series);
      return series;
    },
    release() {
      for (const series of held) known.leave(series);
    },
  };
}
