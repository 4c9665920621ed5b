import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import type { HostName } from '@tidewatch/domain/investigation/facts';
import type { FactsRequest } from './facts-request.ts';

/** Another host of the organization that is compared with the investigated one. */
export interface Peer extends HostName {
  tags: Record<string, string>;
  /** When the host last sent a payload, ms; null if never. */
  lastSeen: number | null;
}

export interface ChosenPeers {
  peers: Peer[];
  /** The number of other hosts of the organization. */
  leftOut: number;
}

type Candidate = Peer & { alerting: boolean; common: number; total: number };

/** Shares of the peers: hosts with alerts, then those with the most common tags; the others are a random sample. */
const ALERTING_SHARE = 0.4;
const ALIKE_SHARE = 0.8;

/** The number of newest active alerts, and of first alerts within the window, that are read to find hosts with alerts. */
const MAX_ALERTS_READ = 1_000;

/**
 * Chooses hosts to compare with: those with alerts, those with the most common tags, and a sample of all others. Ties are
 * broken by a digest of the ids, which is independent of names and age.
 */
export async function choosePeers(
  tx: Transaction,
  { organizationId, serviceId, from, to, maxPeers }: FactsRequest,
  tags: Readonly<Record<string, string>>,
): Promise<ChosenPeers> {
  const until = tx`${toIso(to)}::timestamptz`;
  const rows = await tx<Candidate[]>`
    with alerting as materialized (
      select distinct x.service_id from (
        (select a.service_id from alerts a
          where a.organization_id = ${organizationId} and a.status = 'active' and a.fired_at < ${until} and not a.shadow
            and a.service_id <> ${serviceId}
          order by a.fired_at desc, a.id desc limit ${MAX_ALERTS_READ})
        union all
        (select a.service_id from alerts a
          where a.organization_id = ${organizationId} and a.fired_at >= ${toIso(from)}::timestamptz and a.fired_at < ${until}
            and not a.shadow and a.service_id <> ${serviceId}
          order by a.fired_at, a.id limit ${MAX_ALERTS_READ})) x
    ), tags as materialized (
      select * from unnest(${Object.keys(tags)}::text[], ${Object.values(tags)}::text[]) t (name, value)
    ), alike as materialized (
      select t.id, count(*) as common from service_tags t join tags on t.name = tags.name and t.value = tags.value
      where t.organization_id = ${organizationId} and t.id <> ${serviceId} group by 1
    ), most_alike as materialized (
      select k.id, k.common from alike k
      where k.common >= (select min(x.common) from (select common from alike order by 1 desc limit ${maxPeers}) x)
    ), drawn as materialized (
      select a.service_id as id, coalesce(k.common, 0) as common, md5(a.service_id) as place
      from alerting a left join alike k on k.id = a.service_id
      order by common desc, place
    ), candidates as materialized (
      (select d.id from drawn d
        cross join lateral (select from services s
          where s.organization_id = ${organizationId} and s.id = d.id and s.deleted_at is null and s.archived_at is null
          limit 1) living
        order by d.common desc, d.place limit ${maxPeers})
      union (select m.id from most_alike m order by m.common desc, md5(m.id) limit ${maxPeers})
      union (select n.id from service_names n where n.organization_id = ${organizationId} and n.id <> ${serviceId}
        order by md5(n.id) limit ${maxPeers})
    )
    select c.id as "serviceId", s.host, s.tags, l.last_seen as "lastSeen", a.service_id is not null as alerting,
      (select count(*) from tags where s.tags ->> tags.name = tags.value)::int4 as common,
      (select count(*) from service_names n where n.organization_id = ${organizationId} and n.id <> ${serviceId})::int4 as total
    from candidates c
    join services s on s.organization_id = ${organizationId} and s.id = c.id
    left join service_live l on l.organization_id = ${organizationId} and l.service_id = c.id
    left join alerting a on a.service_id = c.id
    order by md5(c.id)`;
  const chosen = choose(rows, maxPeers);
  return { peers: chosen.map(peerOf), leftOut: (rows[0]?.total ?? 0) - chosen.length };
}

/** Chooses among candidates in sampled order; hosts without a common tag come from the beginning of the sample. */
function choose(rows: readonly Candidate[], maxPeers: number): Candidate[] {
  const chosen = new Set<Candidate>();
  const fill = (candidates: readonly Candidate[], until: number) => {
    for (const row of candidates) {
      if (chosen.size >= until) return;
      chosen.add(row);
    }
  };
  const alike = [...rows].sort((a, b) => b.common - a.common);
  fill(
    alike.filter((row) => row.alerting),
    Math.ceil(maxPeers * ALERTING_SHARE),
  );
  fill(alike, Math.ceil(maxPeers * ALIKE_SHARE));
  fill(rows, maxPeers);
  return [...chosen];
}

function peerOf({ serviceId, host, tags, lastSeen }: Candidate): Peer {
  return { serviceId, host, tags, lastSeen };
}
