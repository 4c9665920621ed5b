import { type PartMetric, partMetricOf } from '@tidewatch/contracts/rules/rule-metric';
import type { PartSelector } from '@tidewatch/contracts/rules/rule-selector';
import type { Queryable } from '@tidewatch/database/connection';
import { type Grouping, groupOf, type SeriesGroup } from '@tidewatch/domain/fleet/grouping';
import { compilePartSelector, compileSelector } from '@tidewatch/domain/rules/selector';

/** A series of a host or of a part of it, with its block and slot and its group. */
export interface FleetMember {
  host: string;
  /** Whether it is a series of a part. */
  isOfPart: boolean;
  group: SeriesGroup;
  blockId: number;
  slot: number;
}

export interface FleetQuestion {
  /** A metric of hosts, and of parts where it is a kind, a full stop and a metric of theirs. */
  metric: string;
  selector: PartSelector;
  grouping: Grouping;
}

/** The number of hosts whose series one statement finds: each has one, or as many as it has parts of the kind. */
const HOSTS_AT_ONCE = 2_000;
const HOSTS_WITH_PARTS_AT_ONCE = 500;
/** Series that are held in memory for one query at most. */
export const MAX_SERIES = 200_000;

export class TooManySeriesError extends Error {
  constructor() {
    super(`more than ${MAX_SERIES} series have the metric`);
    this.name = 'TooManySeriesError';
  }
}

interface Place {
  blockId: number;
  slot: number;
}
interface HostRow {
  host: string;
  id: string;
  tags: Record<string, string>;
}

/**
 * Finds the series of a metric of every host that is not deleted and matches the selector, and of their parts, by host. Throws
 * TooManySeriesError.
 */
export async function findFleetMembers(
  tx: Queryable,
  organizationId: string,
  question: FleetQuestion,
): Promise<FleetMember[]> {
  const members: FleetMember[] = [];
  // A selector of parts chooses no host itself.
  if (compilePartSelector(question.selector) === null)
    for await (const found of hostSeries(tx, organizationId, question)) add(found);
  const ofParts = partMetricOf(question.metric);
  if (ofParts !== null)
    for await (const found of partSeries(tx, organizationId, question, ofParts)) add(found);
  return members;

  function add(found: readonly FleetMember[]): void {
    if (members.length + found.length > MAX_SERIES) throw new TooManySeriesError();
    for (const member of found) members.push(member);
  }
}

async function* hostSeries(
  tx: Queryable,
  organizationId: string,
  { metric, selector, grouping }: FleetQuestion,
): AsyncGenerator<FleetMember[]> {
  const matches = compileSelector(selector);
  const read = (after: Pick<HostRow, 'host' | 'id'>) => tx<(HostRow & Place)[]>`
    select s.host, s.id, s.tags, b.id as "blockId", array_position(b.metrics, ${metric}) - 1 as slot
    from services s
    join blocks b on b.organization_id = s.organization_id and b.service_id = s.id and b.subject_kind = 'host'
      and b.subject_name = s.host and ${metric} = any(b.metrics)
    where s.organization_id = ${organizationId} and s.deleted_at is null and (s.host, s.id) > (${after.host}, ${after.id})
    order by s.host, s.id limit ${HOSTS_AT_ONCE}`;
  for await (const rows of portions(read, HOSTS_AT_ONCE))
    yield rows
      .filter(({ host, tags }) => matches(host, tags))
      .map(({ host, tags, blockId, slot }) => {
        const group = groupOf(grouping, { host, tags, part: null });
        return { host, isOfPart: false, group, blockId, slot };
      });
}

async function* partSeries(
  tx: Queryable,
  organizationId: string,
  { selector, grouping }: FleetQuestion,
  { kind, metric }: PartMetric,
): AsyncGenerator<FleetMember[]> {
  const matches = compileSelector(selector);
  const matchesPart = compilePartSelector(selector);
  const read = (after: Pick<HostRow, 'host' | 'id'>) => tx<HostRow[]>`
    select host, id, tags from services
    where organization_id = ${organizationId} and deleted_at is null and (host, id) > (${after.host}, ${after.id})
    order by host, id limit ${HOSTS_WITH_PARTS_AT_ONCE}`;
  for await (const rows of portions(read, HOSTS_WITH_PARTS_AT_ONCE)) {
    const hosts = new Map(rows.filter(({ host, tags }) => matches(host, tags)).map((row) => [row.id, row]));
    if (hosts.size === 0) continue;
    const wantsLabels = selector.part_labels !== undefined;
    const places = await tx<(Place & { id: string; name: string; labels: Record<string, string> })[]>`
      with own as materialized (
        select service_id, array_agg(id) as ids from parts
        where organization_id = ${organizationId} and kind = ${kind} and service_id = any(${[...hosts.keys()]}::text[])
        group by 1
      )
      select b.service_id as id, b.id as "blockId", m.place::int - 1 as slot, p.name,
        ${wantsLabels ? tx`p.labels` : tx`'{}'::jsonb`} as labels
      from own
      join blocks b on b.organization_id = ${organizationId} and b.service_id = own.service_id
        and b.subject_kind = 'part' and b.parts && own.ids and ${metric} = any(b.metrics)
      cross join lateral unnest(b.metrics, b.parts) with ordinality as m (metric, part, place)
      join parts p on p.organization_id = ${organizationId} and p.id = m.part and p.kind = ${kind}
      where m.metric = ${metric}`;
    yield places
      .filter((part) => matchesPart === null || matchesPart(part))
      .map(({ id, blockId, slot, name }) => {
        const { host, tags } = hosts.get(id) as HostRow;
        const group = groupOf(grouping, { host, tags, part: { kind, name } });
        return { host, isOfPart: true, group, blockId, slot };
      });
  }
}

/** Yields rows in the order of hosts, `atOnce` of them at a time. */
async function* portions<Row extends Pick<HostRow, 'host' | 'id'>>(
  read: (after: Pick<HostRow, 'host' | 'id'>) => PromiseLike<readonly Row[]>,
  atOnce: number,
): AsyncGenerator<readonly Row[]> {
  let after: Pick<HostRow, 'host' | 'id'> = { host: '', id: '' };
  for (;;) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < atOnce) return;
    after = last;
  }
}
