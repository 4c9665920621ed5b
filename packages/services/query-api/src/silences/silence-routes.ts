import { type Fault, validationProblem } from '@tidewatch/contracts/problems/problem';
import type { SilenceDefinition, SilenceMatchers } from '@tidewatch/contracts/silences/silence';
import type { SILENCE_ROUTES } from '@tidewatch/contracts/silences/silence-routes';
import type { Queryable } from '@tidewatch/database/connection';
import { readRecurrence } from '@tidewatch/domain/silence/recurrence';
import { requireRoom } from '@tidewatch/store/limits/require-room';
import { listSilences, SILENCE_ORDERS } from '@tidewatch/store/silences/list';
import { previewSilence } from '@tidewatch/store/silences/preview';
import { readSilence } from '@tidewatch/store/silences/read';
import { silenceAnswer } from '@tidewatch/store/silences/row';
import { deleteSilence, findUnknownRules, insertSilence } from '@tidewatch/store/silences/write';
import { clientGone } from '../http/client-gone.ts';
import { requireMatch, sendTagged } from '../http/entity-tag.ts';
import { answerList, type List } from '../http/list-answer.ts';
import { type Handlers, pathOf } from '../http/mount-routes.ts';
import { answerObject, found } from '../http/object-answer.ts';
import type { OrganizationShare } from '../http/organization-share.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { createSilenceWindowsHandler } from './silence-windows-route.ts';

const LIST: List<keyof typeof SILENCE_ORDERS> = {
  noun: 'silences',
  orders: SILENCE_ORDERS,
  usual: { field: 'created_at', descending: false },
};
/** The version of every silence, since silences cannot be edited. */
const VERSION = 1;

/** The routes of `/api/v1/silences`. */
export function createSilenceHandlers(
  options: QueryApiOptions,
  queries: OrganizationShare,
): Handlers<typeof SILENCE_ROUTES> {
  const { sql, clock, newId, config } = options;
  return {
    listSilences: answerList(LIST, ({ organizationId }, { status, at = clock() }, window, order) =>
      listSilences(sql, organizationId, status, at, order, window),
    ),

    async createSilence(call) {
      const definition = await call.body();
      const endsAt = endOf(definition);
      const { actor, ...change } = call.change(options);
      const write = { ...change, id: newId('sil'), eventId: newId('evt') };
      const row = await sql.begin(async (tx) => {
        await requireRoom(tx, write.organizationId, { kind: 'silences', max: config.limits.silencesLimit });
        await requireRules(tx, write.organizationId, definition.matchers);
        return insertSilence(tx, write, definition, endsAt, actor);
      });
      call.response.location(pathOf('getSilence', write.id));
      sendTagged(call.request, call.response, silenceAnswer(row, write.now), VERSION);
    },

    async previewSilence(call) {
      const { organizationId, response } = call;
      const { matchers } = await call.body();
      await requireRules(sql, organizationId, matchers);
      const read = () => previewSilence(sql, organizationId, matchers);
      response.json(await queries.run(organizationId, clientGone(response), read));
    },

    listSilenceWindows: createSilenceWindowsHandler(options, queries),

    getSilence: answerObject(
      async ({ organizationId }, id) => {
        const row = await readSilence(sql, organizationId, id);
        return row && silenceAnswer(row, clock());
      },
      () => VERSION,
    ),

    async deleteSilence(call) {
      const { id } = call;
      const write = { ...call.change(options), id, eventId: newId('evt') };
      await sql.begin(async (tx) => {
        found((await deleteSilence(tx, write)) ? write : null);
        requireMatch(call.request, VERSION);
      });
    },
  };
}

/** When the last window of a silence ends, ms. */
function endOf({ from, until, recurrence, timezone }: SilenceDefinition): number {
  if (recurrence === null) return until;
  const read = readRecurrence(recurrence, from, timezone);
  if ('code' in read) throw validationProblem([{ in: 'body', path: '/recurrence', ...read }]);
  return read.last + (until - from);
}

async function requireRules(sql: Queryable, organizationId: string, matchers: SilenceMatchers) {
  const unknown = await findUnknownRules(sql, organizationId, matchers.rule_ids);
  const faults = matchers.rule_ids.flatMap((id, index): Fault[] => {
    if (!unknown.has(id)) return [];
    const path = `/matchers/rule_ids/${index}`;
    return [{ in: 'body', path, code: 'unknown_rule', message: 'Is not the id of a rule.' }];
  });
  if (faults.length > 0) throw validationProblem(faults);
}
