import type { ALERT_ACTION_ROUTES } from '@tidewatch/contracts/alerts/alert-action-routes';
import { faultProblem, ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Transaction } from '@tidewatch/database/connection';
import {
  type Acted,
  type AlertAct,
  acknowledgeAlert,
  commentAlert,
  resolveAlert,
} from '@tidewatch/store/alerts/act';
import type { HandlerOf, Handlers } from '../http/mount-routes.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** Handlers that acknowledge, resolve or comment on an alert. */
export function createAlertActionHandlers(options: QueryApiOptions): Handlers<typeof ALERT_ACTION_ROUTES> {
  const { sql, newId, config } = options;
  const handlerOf =
    (
      act: (tx: Transaction, what: AlertAct) => Promise<Acted>,
    ): HandlerOf<typeof ALERT_ACTION_ROUTES, 'acknowledgeAlert' | 'resolveAlert' | 'commentAlert'> =>
    async (call) => {
      const { id } = call;
      const { comment } = await call.body();
      const what = {
        ...call.change(options),
        id,
        eventId: newId('evt'),
        comment,
        publicUrl: config.consoleUrl,
      };
      const acted = await sql.begin((tx) => act(tx, what));
      if ('refused' in acted) throw refusal(acted.refused);
      call.response.json(acted.alert);
    };
  return {
    acknowledgeAlert: handlerOf(acknowledgeAlert),
    resolveAlert: handlerOf(resolveAlert),
    commentAlert: handlerOf(commentAlert),
  };
}

function refusal(why: Extract<Acted, { refused: string }>['refused']): ProblemError {
  if (why !== 'too_many_comments') return new ProblemError(why);
  return faultProblem('body', '/comment', 'too_many', 'The alert has as many comments as it keeps.');
}
