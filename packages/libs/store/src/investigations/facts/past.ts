import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import type { PastAlertFacts } from '@tidewatch/domain/investigation/facts';
import type { FactsRequest } from './facts-request.ts';

const PAST_MS = 30 * DAY_MS;
const MAX_ALERTS = 200;

type PastRow = Omit<PastAlertFacts, 'investigation'> & {
  investigationId: string | null;
  conclusion: 'root_cause_found' | 'inconclusive' | null;
  rootCause: string | null;
  feedback: { helpful: boolean; actual_root_cause: string | null } | null;
};

/** The start of the period from which earlier alerts are read, ms. */
export function pastFrom(to: number): number {
  return to - PAST_MS;
}

/** Earlier alerts of the service, and of the rule on any service, with the results of their investigations; newest first. */
export async function readPast(
  tx: Transaction,
  { organizationId, serviceId, alertIds, to }: FactsRequest,
  ruleId: string | null,
): Promise<PastAlertFacts[]> {
  const inTime = tx`a.organization_id = ${organizationId} and not a.shadow
    and a.fired_at >= ${toIso(pastFrom(to))}::timestamptz and a.fired_at < ${toIso(to)}::timestamptz
    order by a.fired_at desc, a.id desc limit ${MAX_ALERTS + alertIds.length}`;
  const rows = await tx<PastRow[]>`
    with found as (
      (select a.id from alerts a where a.service_id = ${serviceId} and ${inTime})
      union
      (select a.id from alerts a where a.rule_id = ${ruleId ?? ''} and ${inTime})
    )
    select a.id, a.rule_id as "ruleId", a.metric, a.service_id as "serviceId", a.host, a.fired_at as "firedAt",
      a.resolved_at as "resolvedAt", i.id as "investigationId", i.conclusion, i.analysis ->> 'root_cause' as "rootCause",
      i.feedback
    from found f join alerts a on a.organization_id = ${organizationId} and a.id = f.id
    left join investigations i on i.organization_id = a.organization_id and i.id = a.investigation_id
    where a.id <> all(${alertIds}::text[])
    order by a.fired_at desc, a.id desc limit ${MAX_ALERTS}`;
  return rows.map(({ investigationId, conclusion, rootCause, feedback, ...alert }) => ({
    ...alert,
    investigation:
      investigationId === null
        ? null
        : {
            id: investigationId,
            conclusion,
            rootCause,
            feedback: feedback && { helpful: feedback.helpful, actualRootCause: feedback.actual_root_cause },
          },
  }));
}
