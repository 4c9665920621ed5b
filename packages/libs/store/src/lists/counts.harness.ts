import type { Queryable, Sql } from '@tidewatch/database/connection';
import fc from 'fast-check';
import { type AlertFilter, alertCondition } from '../alerts/filter.ts';
import type { ServiceFilter } from '../services/filter.ts';
import { chosen } from '../testing/chosen.harness.ts';

export const START = Date.UTC(2026, 10, 21, 22, 58, 30);
export const ORG = 'org_a';

export type Step = (sql: Queryable) => Promise<unknown>;

/** A change of rows that are chosen by a hash with the given salt. */
type Change = (sql: Queryable, salt: number) => Promise<unknown>;

export const pick = <T>(...values: T[]) => fc.constantFrom(...values);
const changes = (...all: Change[]): fc.Arbitrary<Step> =>
  fc.tuple(pick(...all), fc.nat(1_000_000)).map(
    ([change, salt]) =>
      (sql) =>
        change(sql, salt),
  );
// Times that are dense around the ends of a minute, an hour and a day, so that windows cut buckets of every width.
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
        batch: fc.uuid(),
      })
      .map(({ org, rule, severity, shadow, status, offsets, batch }) => (sql: Queryable) => {
        const times = offsets.map((each) => new Date(START + each).toISOString());
        return sql`
          insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
            status, state, severity, metric, condition, summary, fired_at, context, shadow)
          select ${org}, ${`${batch}-`} || n, ${`rule-${rule}`}, 'r', 1, 'svc', 'h-' || n % 3, 'host', 'h',
            ${status}, 'firing', ${severity}, 'm', 'greater_than', '', t, '{}', ${shadow}
          from unnest(${times}::text[]::timestamptz[]) with ordinality as r(t, n)`;
      }),
  },
  changes(
    (sql, salt) =>
      sql`update alerts set status = 'resolved', resolved_at = now() where status = 'active' and ${chosen(sql, 0.5, salt)}`,
    (sql, salt) =>
      sql`update alerts set severity = 'critical' where rule_id = 'rule-1' and ${chosen(sql, 0.5, salt)}`,
    (sql, salt) =>
      sql`update alerts set acknowledged_at = now() where acknowledged_at is null and ${chosen(sql, 0.3, salt)}`,
    (sql, salt) => sql`update alerts set acknowledged_at = null where ${chosen(sql, 0.4, salt)}`,
    (sql, salt) => sql`update alerts set value = hashtextextended(id, ${salt}::int8)`,
    (sql, salt) => sql`update alerts set shadow = not shadow where ${chosen(sql, 0.1, salt)}`,
    (sql, salt) => sql`delete from alerts where status = 'resolved' and ${chosen(sql, 0.4, salt)}`,
    (sql, salt) => sql`delete from alerts where ${chosen(sql, 0.05, salt)}`,
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
      id: fc.uuid(),
      host: fc.nat(15),
      region: pick('eu', 'us', null),
      extra: fc.dictionary(pick('env', 'role'), pick('x', 'y', "it's", '')),
    })
    .map(({ id, host, region, extra }) => (sql: Queryable) => {
      const tags = region === null ? extra : { region, ...extra };
      return sql`
        insert into services (organization_id, id, host, tags, first_seen, status_since)
        values (${ORG}, ${id}, ${`Web-${host}`}, ${sql.json(tags)}, now(), now())
        on conflict (organization_id, host) where deleted_at is null do update set tags = excluded.tags`;
    }),
  changes(
    (sql, salt) =>
      sql`update services set status = (array['healthy', 'critical', 'offline'])[1 + (hashtextextended(id, ${salt + 1}::int8) & 255)::int4 % 3] where ${chosen(sql, 0.5, salt)}`,
    (sql) => sql`update services set active_critical = active_critical + 1`,
    (sql, salt) => sql`update services set tags = tags || '{"region": "us"}' where ${chosen(sql, 0.4, salt)}`,
    (sql, salt) => sql`update services set tags = tags - 'region' where ${chosen(sql, 0.4, salt)}`,
    (sql, salt) =>
      sql`update services set archived_at = case when ${chosen(sql, 0.3, salt + 1)} then now() end where ${chosen(sql, 0.5, salt)}`,
    (sql, salt) =>
      sql`update services set deleted_at = now() where deleted_at is null and ${chosen(sql, 0.15, salt)}`,
    (sql, salt) => sql`update services set host = host || 'x' || left(id, 8) where ${chosen(sql, 0.1, salt)}`,
    (sql, salt) => sql`delete from services where ${chosen(sql, 0.1, salt)}`,
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

/** The matching services grouped by a tag, those without the tag last: [value, counts of statuses, mean of cpu]. */
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

/** Whether the filter matches the service, implemented in TypeScript as a reference for the SQL. */
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
