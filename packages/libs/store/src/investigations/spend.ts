import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';

/** Calls, tokens, and cost in millionths of the currency. */
export interface SpentRow {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  costMicros: number;
}

export interface SpendKey {
  organizationId: string;
  /** The start of the hour, ms. */
  hour: number;
  severityClass: 'critical' | 'other';
}

type ByClass = Record<SpendKey['severityClass'], SpentRow>;

/**
 * Reads the spend of all organizations on models in the hour that begins at `hour` and in the 24 hours that end with it.
 * Holds a lock until the transaction ends, so that two processes cannot both spend the remaining budget.
 */
export async function lockSpend(tx: Transaction, hour: number): Promise<Record<'hour' | 'day', ByClass>> {
  await tx`select pg_advisory_xact_lock(hashtext('tidewatch investigation spend'))`;
  const rows = await tx<(SpentRow & { span: 'hour' | 'day'; severityClass: SpendKey['severityClass'] })[]>`
    select span, severity_class as "severityClass", sum(calls)::bigint as calls,
      sum(input_tokens)::bigint as "inputTokens", sum(output_tokens)::bigint as "outputTokens",
      sum(cost_micros)::bigint as "costMicros"
    from investigation_spend cross join (values ('hour'), ('day')) as spans (span)
    where hour <= ${toIso(hour)}::timestamptz and hour > ${toIso(hour)}::timestamptz - interval '24 hours'
      and (span = 'day' or hour = ${toIso(hour)}::timestamptz)
    group by 1, 2`;
  const spent = (span: 'hour' | 'day', severityClass: SpendKey['severityClass']): SpentRow => {
    const row = rows.find((each) => each.span === span && each.severityClass === severityClass);
    return {
      calls: Number(row?.calls ?? 0),
      inputTokens: Number(row?.inputTokens ?? 0),
      outputTokens: Number(row?.outputTokens ?? 0),
      costMicros: Number(row?.costMicros ?? 0),
    };
  };
  const byClass = (span: 'hour' | 'day') => ({
    critical: spent(span, 'critical'),
    other: spent(span, 'other'),
  });
  return { hour: byClass('hour'), day: byClass('day') };
}

/** Adds to the spend; negative values return what was reserved and not used. */
export async function addSpend(tx: Transaction, key: SpendKey, more: SpentRow): Promise<void> {
  await tx`
    insert into investigation_spend as spent
      (organization_id, hour, severity_class, calls, input_tokens, output_tokens, cost_micros)
    values (${key.organizationId}, ${toIso(key.hour)}, ${key.severityClass}, ${more.calls}, ${more.inputTokens},
      ${more.outputTokens}, ${more.costMicros})
    on conflict (organization_id, hour, severity_class) do update set
      calls = spent.calls + excluded.calls, input_tokens = spent.input_tokens + excluded.input_tokens,
      output_tokens = spent.output_tokens + excluded.output_tokens,
      cost_micros = spent.cost_micros + excluded.cost_micros`;
}

/**
 * Reads the spend of one organization in the same hour and 24 hours, under the lock of `lockSpend`; null if no other
 * organization has investigations and needs a share of the budget.
 */
export async function readOwnSpend(
  tx: Transaction,
  organizationId: string,
  hour: number,
): Promise<Record<'hour' | 'day', SpentRow> | null> {
  const [others] = await tx<{ are: boolean | null }[]>`
    select min(organization_id) <> ${organizationId} or max(organization_id) <> ${organizationId} as are from investigations`;
  if (others?.are !== true) return null;
  const [row] = await tx<Record<'hour' | 'day', SpentRow>[]>`
    with own as (
      select hour = ${toIso(hour)}::timestamptz as is_now, calls, input_tokens, output_tokens, cost_micros
      from investigation_spend
      where organization_id = ${organizationId} and hour <= ${toIso(hour)}::timestamptz
        and hour > ${toIso(hour)}::timestamptz - interval '24 hours'
    )
    select json_build_object('calls', coalesce(sum(calls) filter (where is_now), 0),
        'inputTokens', coalesce(sum(input_tokens) filter (where is_now), 0),
        'outputTokens', coalesce(sum(output_tokens) filter (where is_now), 0),
        'costMicros', coalesce(sum(cost_micros) filter (where is_now), 0)) as hour,
      json_build_object('calls', coalesce(sum(calls), 0), 'inputTokens', coalesce(sum(input_tokens), 0),
        'outputTokens', coalesce(sum(output_tokens), 0), 'costMicros', coalesce(sum(cost_micros), 0)) as day
    from own`;
  return row ?? null;
}
