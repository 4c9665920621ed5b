import { alertActionSchema } from '@tidewatch/contracts/alerts/alert-action';
import { ProblemError, validationProblem } from '@tidewatch/contracts/values/problem';
import { check } from '@tidewatch/contracts/values/validation';
import { type Acted, type AlertAct, acknowledgeAlert, resolveAlert } from '@tidewatch/store/alerts/act';
import type { Transaction } from '@tidewatch/store/database/connection';
import { readOptionalJson } from '../http/json-body.ts';
import type { Handler, Handlers } from '../http/mount-routes.ts';
import { actorOf, auditTrailOf, idOf, organizationOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** Handlers that acknowledge, resolve or comment on an alert. */
export function createAlertActionHandlers({ sql, clock, newId, config }: QueryApiOptions): Handlers {
  const handlerOf =
    (act: (tx: Transaction, what: AlertAct) => Promise<Acted>): Handler =>
    async (request, response) => {
      const id = idOf(request, 'alr');
      const body = (await readOptionalJson(request, ['application/json'])) ?? {};
      const checked = check(alertActionSchema, body, 'body');
      if ('errors' in checked) throw validationProblem(checked.errors);
      const { comment } = checked.value;
      const organizationId = organizationOf(response);
      const now = clock();
      const what = {
        organizationId,
        id,
        eventId: newId('evt'),
        now,
        actor: actorOf(response),
        comment,
        publicUrl: config.publicUrl,
        audit: auditTrailOf(request, response, { now, newId, config }),
      };
      const acted = await sql.begin((tx) => act(tx, what));
      if ('refused' in acted) throw refusal(acted.refused);
      response.json(acted.alert);
    };
  return { acknowledgeAlert: handlerOf(acknowledgeAlert), resolveAlert: handlerOf(resolveAlert) };
}

function refusal(why: Extract<Acted, { refused: string }>['refused']): ProblemError {
  if (why !== 'too_many_comments') return new ProblemError(why);
  const message = 'The alert has as many comments as it keeps.';
  return validationProblem([{ in: 'body', path: '/comment', code: 'too_many', message }]);
}
