import { faultProblem } from '@tidewatch/contracts/problems/problem';
import { MAX_CHANGES_DAYS, type ServiceChangesAnswer } from '@tidewatch/contracts/services/service-changes';
import type { SERVICE_ROUTES } from '@tidewatch/contracts/services/service-routes';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import type { ChangeFacts } from '@tidewatch/domain/investigation/facts';
import { readChanges } from '@tidewatch/store/investigations/facts/changes';
import { findTaggedHost } from '@tidewatch/store/services/host';
import { sendTagged } from '../http/entity-tag.ts';
import type { HandlerOf } from '../http/mount-routes.ts';
import { found } from '../http/object-answer.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** The first time that answers spell, ms. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z');

/** Answers `GET /api/v1/services/:id/changes`. */
export function createChangesHandler({
  sql,
  clock,
}: QueryApiOptions): HandlerOf<typeof SERVICE_ROUTES, 'listServiceChanges'> {
  return async ({ id, query, organizationId, request, response }) => {
    const to = query.to ?? clock();
    const from = query.from ?? Math.max(FIRST_TIME, to - DAY_MS);
    if (from > to) throw rangeProblem('Must be before now, where the range ends without to.');
    if (to - from > MAX_CHANGES_DAYS * DAY_MS)
      throw rangeProblem(`Must be at most ${MAX_CHANGES_DAYS} days before the end of the range.`);
    const host = found(await findTaggedHost(sql, organizationId, id));
    const changes = await readChanges(sql, { organizationId, to }, from, [host], 'of the host');
    const answer: ServiceChangesAnswer = {
      service_id: id,
      host: host.host,
      from: toIso(from),
      to: toIso(to),
      changes: changes.map(changeAnswer),
    };
    sendTagged(request, response, answer, null);
  };
}

function changeAnswer({ kind, id, at, title, tags }: ChangeFacts): ServiceChangesAnswer['changes'][number] {
  return { kind, id: kind === 'tag' ? null : id, at: toIso(at), title, tags };
}

function rangeProblem(message: string) {
  return faultProblem('query', '/from', 'out_of_range', message);
}
