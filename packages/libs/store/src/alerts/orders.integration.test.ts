import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AlertFilter } from './filter.ts';
import { ALERT_ORDERS, listAlerts } from './list.ts';
import { rankOfSeverity } from './severity-rank.ts';

const ORG = 'org_a';
const START = Date.UTC(2026, 10, 21);
const { sql } = await storeForFile({ organizations: [ORG, 'org_b'], max: 2 });

interface Row {
  id: string;
  severity: 'critical' | 'warning' | 'info';
  status: string;
  rule: string;
  fired_at: number;
  created_at: number;
}
let all: readonly Row[] = [];

// More warnings than are sorted, and none of them among the 5,000 greatest ids; many times are equal, so that pages end between them.
beforeAll(async () => {
  await sql`
    insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
      status, state, severity, metric, condition, summary, context, fired_at, created_at)
    select o, 'a-' || lpad(i::text, 5, '0'), case when i % 97 = 0 then 'rare' when i < 7000 then 'early' else 'late' end, 'r', 1,
      'svc', 'h', 'host', 'h', case when i % 3 = 0 then 'resolved' else 'active' end, 'firing',
      case when i % 50 = 0 then 'critical' when i < 10300 then 'warning' else 'info' end, 'm', 'greater_than', '', '{}',
      f.at, f.at + case when i % 11 = 0 then i % 20000 * interval '1 s' else i % 600 * interval '1 s' - interval '5 min' end
    from (values (${ORG}, 15400), ('org_b', 30)) o(o, alerts) cross join generate_series(1, alerts) i
      cross join lateral (select ${START}::timestamptz + (i * 7919 % 997 + i / 7000 * 100000) * interval '1 s' as at) f`;
  await sql`analyze alerts`;
  all = await sql<Row[]>`
    select id, severity, status, rule_id as rule, fired_at, created_at from alerts where organization_id = ${ORG}`;
});

const KEYS = {
  created_at: (row: Row) => row.created_at,
  severity: (row: Row) => rankOfSeverity(row.severity),
};

describe.each(['created_at', 'severity'] as const)('alerts by %s', (field) => {
  it.each<AlertFilter>([
    {},
    { status: 'active' },
    { severity: 'warning' },
    { ruleId: 'rare' },
    { ruleId: 'early' },
    { ruleId: 'late', status: 'resolved' },
    { ruleId: 'none' },
    { from: START + 100_500_000 },
    { from: START + 100_500_000, severity: 'warning' },
    { from: START + 100_100_000, to: START + 100_900_000, status: 'active' },
    { from: START, ruleId: 'late' },
    { from: START + 100_100_000, ruleId: 'late', status: 'active' },
    { to: START + 500_000 },
    { host: 'h', severity: 'critical' },
  ])('that match %j come in that order on every page', async (filter) => {
    const { status, severity, ruleId, from = 0, to = Number.POSITIVE_INFINITY } = filter;
    const key = KEYS[field];
    const matching = all
      .filter(
        (row) =>
          (status ?? row.status) === row.status &&
          (severity ?? row.severity) === row.severity &&
          (ruleId ?? row.rule) === row.rule &&
          row.fired_at >= from &&
          row.fired_at < to,
      )
      .toSorted((a, b) => key(a) - key(b) || (a.id < b.id ? -1 : 1));
    for (const descending of [true, false]) {
      const sorted = descending ? matching.toReversed() : matching;
      const order = { ...ALERT_ORDERS[field], descending };
      const read = async (offset: number, after: readonly [number, string] | null) => {
        const { rows, total } = await listAlerts(sql, ORG, filter, order, { limit: 20, offset, after });
        return { total, ids: rows.map(({ id }) => id) };
      };
      const page = (from: number) => ({
        total: sorted.length,
        ids: sorted.slice(from, from + 21).map(({ id }) => id),
      });
      // Beside the change from one severity to the next, and at both ends.
      const steps = sorted.flatMap((row, index) =>
        index > 0 && row.severity !== sorted[index - 1]?.severity ? [Math.max(0, index - 10)] : [],
      );
      const places = [0, 990, 1_500, Math.max(0, sorted.length - 15), ...(field === 'severity' ? steps : [])];
      for (const place of places) {
        expect(await read(place, null)).toEqual(page(place));
        const last = sorted[place];
        if (last !== undefined) expect(await read(0, [key(last), last.id])).toEqual(page(place + 1));
      }
    }
  });
});
