import { alertActionSchema } from '@tidewatch/contracts/alerts/alert-action';
import { ProblemError, validationProblem } from '@tidewatch/contracts/values/problem';
import { check } from '@tidewatch/contracts/values/validation';
import { type Acted, type AlertAct, acknowledgeAlert, resolveAlert } from '@tidewatch/store/alerts/act';
import type { Transaction } from '@tidewatch/store/database/connection';
import type { Request, Response, Router } from 'express';
import { readOptionalJson } from '../http/json-body.ts';
import { actorOf, auditTrailOf, idOf, organizationOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** `/api/v1/alerts/:id/acknowledge` and `/api/v1/alerts/:id/resolve`. */
export function addAlertActionRoutes(
  router: Router,
  { sql, authenticate, clock, newId, config }: QueryApiOptions,
): void {
  const add = (name: string, act: (tx: Transaction, what: AlertAct) => Promise<Acted>) => {
    router.post(
      `/api/v1/alerts/:id/${name}`,
      authenticate('write'),
      async (request: Request, response: Response) => {
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
      },
    );
  };
  add('acknowledge', acknowledgeAlert);
  add('resolve', resolveAlert);
}

function refusal(why: Extract<Acted, { refused: string }>['refused']): ProblemError {
  if (why !== 'too_many_comments') return new ProblemError(why);
  const message = 'The alert has as many comments as it keeps.';
  return validationProblem([{ in: 'body', path: '/comment', code: 'too_many', message }]);
}
