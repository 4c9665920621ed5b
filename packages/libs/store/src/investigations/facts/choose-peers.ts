import { toIso } from '@tidewatch/contracts/values/time';
import type { HostName } from '@tidewatch/domain/investigation/facts';
import type { Transaction } from '../../connection.ts';
import type { FactsRequest } from './facts-request.ts';

/** Another host of the organization that is compared with the one in question. */
export interface Peer extends HostName {
  tags: Record<string, string>;
  /** ms; null when it never reported */
  lastSeen: number | null;
}

export interface ChosenPeers {
  peers: Peer[];
  /** How many hosts of the organization are left out. */
  leftOut: number;
}

type Candidate = Peer & { place: number; byTags: number; byDraw: number; total: number };

/** Shares of the places: hosts with alerts first, then the most alike; the rest shows what the others do. */
const ALERTING_SHARE = 0.4;
const ALIKE_SHARE = 0.8;

/**
 * Hosts to compare with: those that have alerts, those with most tags in common, and some of all others. Where several are
 * as good, a digest of their ids decides, which tells nothing of names or of age.
 */
export async function choosePeers(
  tx: Transaction,
  { organizationId, serviceId, from, to, peersAtMost }: FactsRequest,
  tags: Readonly<Record<string, string>>,
): Promise<ChosenPeers> {
  const pairs = JSON.stringify(Object.entries(tags).map(([name, value]) => ({ [name]: value })));
  const rows = await tx<Candidate[]>`
    with alerting as materialized (
      select distinct a.service_id from alerts a
      where a.org_id = ${organizationId} and not a.shadow and a.fired_at < ${toIso(to)}::timestamptz
        and (a.status = 'active' or a.fired_at >= ${toIso(from)}::timestamptz)
    ), pairs as materialized (select value as pair from jsonb_array_elements(${pairs}::text::jsonb)
    ), others as (
      select s.id, s.host, s.tags, exists (select from alerting a where a.service_id = s.id) as alerting,
        (select count(*) from pairs p where s.tags @> p.pair) as common, md5(s.id) as draw
      from services s
      where s.org_id = ${organizationId} and s.id <> ${serviceId} and s.deleted_at is null and s.archived_at is null
    ), placed as (
      select o.*, row_number() over (order by alerting desc, common desc, draw) as place,
        row_number() over (order by common desc, draw) as by_tags, row_number() over (order by draw) as by_draw,
        count(*) over () as total
      from others o
    )
    select p.id as "serviceId", p.host, p.tags, l.last_seen as "lastSeen",
      case when p.alerting then p.place else p.place + p.total end as place, p.by_tags as "byTags",
      p.by_draw as "byDraw", p.total
    from placed p
    left join service_live l on l.org_id = ${organizationId} and l.service_id = p.id
    where p.alerting and p.place <= ${peersAtMost} or p.by_tags <= ${peersAtMost} or p.by_draw <= ${peersAtMost}
    order by p.draw`;
  const chosen = choose(rows, peersAtMost);
  return { peers: chosen.map(peerOf), leftOut: (rows[0]?.total ?? 0) - chosen.length };
}

function choose(rows: readonly Candidate[], atMost: number): Candidate[] {
  const chosen = new Set<Candidate>();
  const fill = (order: (row: Candidate) => number, until: number, fits: (row: Candidate) => boolean) => {
    for (const row of [...rows].sort((a, b) => order(a) - order(b))) {
      if (chosen.size >= until) return;
      if (fits(row)) chosen.add(row);
    }
  };
  const every = () => true;
  fill(
    (row) => row.place,
    Math.ceil(atMost * ALERTING_SHARE),
    (row) => row.place <= row.total,
  );
  fill((row) => row.byTags, Math.ceil(atMost * ALIKE_SHARE), every);
  fill((row) => row.byDraw, atMost, every);
  return [...chosen];
}

function peerOf({ serviceId, host, tags, lastSeen }: Candidate): Peer {
  return { serviceId, host, tags, lastSeen };
}
