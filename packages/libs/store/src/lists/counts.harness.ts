import type { Queryable, Sql } from '@tidewatch/database/connection';
import fc from 'fast-check';
import { type AlertFilter, alertCondition } from '../alerts/filter.ts';
import type { ServiceFilter } from '../services/filter.ts';

export const START = Date.UTC(2026, 10, 21, 22, 58, 30);
export const ORG = 'org_a';

export type Step = (sql: Queryable) => Promise<unknown>;

export const pick = <T>(...values: T[]) => fc.constantFrom(...values);
// Dense around the ends of a minute, an hour and a day, so that windows cut buckets of every tier.
const offset = fc.oneof(
  fc.integer({ min: 0, max: 120_000 }),
  fc.integer({ min: 0, max: 3 * 86_400_000 }),
  pick(30_000, 90_000, 90_001, 89_999, 3_690_000, 90_000 + 86_400_000),
);

export const alertStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        org: pick(ORG, ORG, ORG, 'org_b'),
        rule: fc.nat(2),
        severity: pick('critical', 'warning', 'info'),
        shadow: pick(false, false, false, true),
        status: pick('active', 'active', 'resolved'),
        offsets: fc.array(offset, { minLength: 1, maxLength: 20 }),
      })
      .map(({ org, rule, severity, shadow, status, offsets }) => (sql: Queryable) => {
        const times = offsets.map((each) => new Date(START + each).toISOString());
        return sql`
          insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
            status, state, severity, metric, condition, summary, fired_at, context, shadow)
          select ${org}, gen_random_uuid()::text, ${`rule-${rule}`}, 'r', 1, 'svc', 'h-' || floor(random() * 3)::integer, 'host', 'h',
            ${status}, 'firing', ${severity}, 'm', 'greater_than', '', t, '{}', ${shadow}
          from unnest(${times}::text[]::timestamptz[]) t`;
      }),
  },
  pick<Step>(
    (sql) =>
      sql`update alerts set status = 'resolved', resolved_at = now() where status = 'active' and random() < 0.5`,
    (sql) => sql`update alerts set severity = 'critical' where rule_id = 'rule-1' and random() < 0.5`,
    (sql) => sql`update alerts set acknowledged_at = now() where acknowledged_at is null and random() < 0.3`,
    (sql) => sql`update alerts set acknowledged_at = null where random() < 0.4`,
    (sql) => sql`update alerts set value = random()`,
    (sql) => sql`update alerts set shadow = not shadow where random() < 0.1`,
    (sql) => sql`delete from alerts where status = 'resolved' and random() < 0.4`,
    (sql) => sql`delete from alerts where random() < 0.05`,
  ),
);

export const alertFilter: fc.Arbitrary<AlertFilter> = fc.record({
  status: pick(undefined, 'active', 'resolved'),
  severity: pick(undefined, undefined, 'critical', 'info'),
  acknowledged: pick(undefined, undefined, true, false),
  ruleId: pick(undefined, undefined, 'rule-1'),
  host: pick(undefined, undefined, undefined, 'h-1'),
  from: fc.option(
    offset.map((each) => START + each),
    { nil: undefined },
  ),
  to: fc.option(
    offset.map((each) => START + each),
    { nil: undefined },
  ),
});

export const serviceStep: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({
      host: fc.nat(15),
      region: pick('eu', 'us', null),
      extra: fc.dictionary(pick('env', 'role'), pick('x', 'y', "it's", '')),
    })
    .map(({ host, region, extra }) => (sql: Queryable) => {
      const tags = region === null ? extra : { region, ...extra };
      return sql`
        insert into services (organization_id, id, host, tags, first_seen, status_since)
        values (${ORG}, gen_random_uuid()::text, ${`Web-${host}`}, ${sql.json(tags)}, now(), now())
        on conflict (organization_id, host) where deleted_at is null do update set tags = excluded.tags`;
    }),
  pick<Step>(
    (sql) =>
      sql`update services set status = (array['healthy', 'critical', 'offline'])[1 + floor(random() * 3)::integer] where random() < 0.5`,
    (sql) => sql`update services set active_critical = active_critical + 1`,
    (sql) => sql`update services set tags = tags || '{"region": "us"}' where random() < 0.4`,
    (sql) => sql`update services set tags = tags - 'region' where random() < 0.4`,
    (sql) =>
      sql`update services set archived_at = case when random() < 0.3 then now() end where random() < 0.5`,
    (sql) => sql`update services set deleted_at = now() where deleted_at is null and random() < 0.15`,
    (sql) => sql`update services set host = host || 'x' || left(id, 8) where random() < 0.1`,
    (sql) => sql`delete from services where random() < 0.1`,
  ),
);

export const serviceFilter: fc.Arbitrary<ServiceFilter> = fc.record({
  status: pick(undefined, undefined, 'healthy', 'critical', 'archived'),
  q: pick(undefined, undefined, 'WEB-1', 'x', '_', 'ä'),
  tag: fc.uniqueArray(
    fc.record({ name: pick('region', 'env', 'role'), value: pick('eu', 'us', 'x', "it's", '') }),
    { maxLength: 3, selector: ({ name, value }) => `${name}:${value}` },
  ),
});

export interface ServiceState {
  id: string;
  host: string;
  status: string;
  tags: Record<string, string>;
  archived: boolean;
  cpu: number | null;
}

/** The matching services grouped by a tag, those without it last: [value, counts of statuses, mean of cpu]. */
export function groupsOf(all: readonly ServiceState[], tag: string, filter: ServiceFilter) {
  const chosen = all.filter((service) => matches(service, filter));
  const groups = Map.groupBy(chosen, ({ tags }) => tags[tag] ?? null);
  const values = [...groups.keys()].sort((a, b) =>
    a === null ? 1 : b === null ? -1 : Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  return values.map((value) => {
    const members = groups.get(value) ?? [];
    const count = (status: string) => members.filter((each) => each.status === status).length;
    const cpu = members.flatMap((each) => each.cpu ?? []);
    const mean = cpu.length === 0 ? null : cpu.reduce((sum, each) => sum + each, 0) / cpu.length;
    return [value, count('healthy'), count('critical'), count('offline'), mean];
  });
}

/** Whether the filter matches the service: an implementation in TypeScript to compare the SQL with. */
export function matches({ host, status, tags, archived }: ServiceState, filter: ServiceFilter): boolean {
  const { q = '', status: wanted, tag } = filter;
  return (
    archived === (wanted === 'archived') &&
    (wanted === undefined || wanted === 'archived' || wanted === status) &&
    host.toLowerCase().includes(q.toLowerCase()) &&
    tag.every(({ name, value }) => tags[name] === value)
  );
}

/** Counts the rows of alerts that match the filter. */
export async function counted(sql: Sql, filter: AlertFilter): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*)::int as total from alerts a where ${alertCondition(sql, ORG, filter)}`;
  return row?.total ?? 0;
}
