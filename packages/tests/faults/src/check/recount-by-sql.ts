import { acknowledgedTicks } from '@tidewatch/bench/ledger/check';
import type { Ledger } from '@tidewatch/bench/ledger/ledger';
import { hostName, metricName, type Plan, timeOf } from '@tidewatch/bench/load/plan';
import { createWalk } from '@tidewatch/bench/load/walk';
import type { Sql } from '@tidewatch/database/connection';

interface Series {
  metric: string;
  /** Milliseconds since the epoch, in the order in which the function returns samples. */
  times: number[];
  values: number[];
}

/**
 * Reads every sample of the load by the SQL function for tools of users, and returns the differences from the ledger in words. Only for
 * a ledger without open requests.
 */
export async function recountBySql(reader: Sql, plan: Plan, ledger: Ledger): Promise<string[]> {
  const names = Array.from({ length: plan.metrics }, (_, index) => metricName(index));
  const differences: string[] = [];
  for (let host = 0; host < plan.hosts; host += 1) {
    const series = await reader<Series[]>`
      select m.name as metric, array_agg((extract(epoch from s."time") * 1000)::float8 order by s.place) as times,
        array_agg(s.value order by s.place) as values
      from unnest(${names}::text[]) as m (name)
      cross join lateral samples_of(${hostName(host)}, m.name, '-infinity', 'infinity') with ordinality as s ("time", value, place)
      group by 1`;
    const found = new Map(series.map((each) => [each.metric, each]));
    const expected = seriesOf(plan, host, acknowledgedTicks(plan, ledger, host));
    for (const [index, name] of names.entries()) {
      const { times, values } = found.get(name) ?? { times: [], values: [] };
      const wanted = expected[index] as Omit<Series, 'metric'>;
      const at = wanted.times.findIndex(
        (time, place) => times[place] !== time || values[place] !== wanted.values[place],
      );
      if (at === -1 && times.length === wanted.times.length) continue;
      const place = at === -1 ? wanted.times.length : at;
      differences.push(
        `${hostName(host)} ${name}: ${times.length} of ${wanted.times.length}, the first difference at ${place}: ${times[place]} ${values[place]} in place of ${wanted.times[place]} ${wanted.values[place]}`,
      );
    }
  }
  return differences;
}

function seriesOf(plan: Plan, host: number, ticks: number): Omit<Series, 'metric'>[] {
  const walk = createWalk(plan, host);
  const times = Array.from({ length: ticks }, (_, tick) => timeOf(plan, host, tick));
  const series = Array.from({ length: plan.metrics }, () => ({ times, values: [] as number[] }));
  for (let tick = 0; tick < ticks; tick += 1) {
    walk.next();
    for (const [index, { values }] of series.entries()) values.push((walk.values[index] as number) / 100);
  }
  return series;
}
