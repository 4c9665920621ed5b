import { pickFields } from '@tidewatch/contracts/queries/fields';
import type { Summary } from '@tidewatch/contracts/summary/summary';
import { MAX_SUMMARY_AGE_MS } from '@tidewatch/contracts/summary/summary-age';
import type { SUMMARY_ROUTES } from '@tidewatch/contracts/summary/summary-routes';
import { toIso } from '@tidewatch/contracts/time/time';
import { beyondRequest } from '@tidewatch/database/tenancy/bound-organization';
import { readSummary } from '@tidewatch/store/summary/summary';
import { LRUCache } from 'lru-cache';
import { sendTagged } from '../http/entity-tag.ts';
import type { Handlers } from '../http/mount-routes.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

const MAX_ORGANIZATIONS = 10_000;

/** `/api/v1/summary`, which is read once a second however many ask. */
export function createSummaryHandlers({
  sql,
  clock,
  config,
}: QueryApiOptions): Handlers<typeof SUMMARY_ROUTES> {
  const known = new LRUCache<string, { readAt: number; summary: Promise<Summary> }>({
    max: MAX_ORGANIZATIONS,
  });

  async function read(organizationId: string, now: number): Promise<Summary> {
    const { setup, ...stored } = await readSummary(sql, organizationId, now);
    return {
      as_of: toIso(now),
      ...stored,
      setup: { ...setup, public_url: config.publicUrl !== null },
    };
  }

  function recent(organizationId: string): Promise<Summary> {
    const now = clock();
    const last = known.get(organizationId);
    if (last !== undefined && now >= last.readAt && now - last.readAt < MAX_SUMMARY_AGE_MS)
      return last.summary;
    const summary = beyondRequest(() => read(organizationId, now));
    known.set(organizationId, { readAt: now, summary });
    // A failure is not remembered.
    summary.catch(() => known.delete(organizationId));
    return summary;
  }

  return {
    async getSummary({ query, organizationId, request, response }) {
      sendTagged(request, response, pickFields(await recent(organizationId), query.fields), null);
    },
  };
}
