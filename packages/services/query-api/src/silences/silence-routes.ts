import {
  type SilenceDefinition,
  silenceInputSchema,
  silenceSchema,
  silencesQuerySchema,
} from '@tidewatch/contracts/silences/silence';
import { pickFields } from '@tidewatch/contracts/values/fields';
import { type Fault, validationProblem } from '@tidewatch/contracts/values/problem';
import { check } from '@tidewatch/contracts/values/validation';
import { readRecurrence } from '@tidewatch/domain/silence/recurrence';
import type { Transaction } from '@tidewatch/store/database/connection';
import { requireRoom } from '@tidewatch/store/limits/require-room';
import { listSilences, SILENCE_ORDERS } from '@tidewatch/store/silences/list';
import { readSilence } from '@tidewatch/store/silences/read';
import { silenceAnswer } from '@tidewatch/store/silences/row';
import { deleteSilence, findUnknownRules, insertSilence } from '@tidewatch/store/silences/write';
import type { Request, Response } from 'express';
import { requireMatch, sendTagged } from '../http/entity-tag.ts';
import { readJson } from '../http/json-body.ts';
import { answerList, type List } from '../http/list-answer.ts';
import { type Handlers, pathOf } from '../http/mount-routes.ts';
import { actorOf, auditTrailOf, fieldsOf, found, idOf, organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

const LIST: List<keyof typeof SILENCE_ORDERS> = {
  noun: 'silences',
  orders: SILENCE_ORDERS,
  usual: { field: 'created_at', descending: false },
};
/** A silence is never edited, so its first version stays the only one. */
const VERSION = 1;

/** The routes of `/api/v1/silences`. */
export function createSilenceHandlers({ sql, clock, newId, config }: QueryApiOptions): Handlers {
  return {
    async listSilences(request, response) {
      const query = queryOf(request, silencesQuerySchema);
      await answerList(request, response, LIST, query, (window, order) =>
        listSilences(sql, organizationOf(response), query.status, query.at ?? clock(), order, window),
      );
    },

    async createSilence(request, response) {
      const body = await readJson(request, ['application/json']);
      const { definition, endsAt } = definitionOf(body);
      const write = writeOf(request, response, newId('sil'));
      const row = await sql.begin(async (tx) => {
        await requireRoom(tx, write.organizationId, { kind: 'silences', max: config.limits.silencesLimit });
        await requireRules(tx, write.organizationId, definition);
        return insertSilence(tx, write, definition, endsAt, actorOf(response));
      });
      response.location(pathOf('getSilence', write.id));
      sendTagged(request, response, silenceAnswer(row, write.now), VERSION);
    },

    async getSilence(request, response) {
      const fields = fieldsOf(request, silenceSchema.shape);
      const row = found(await readSilence(sql, organizationOf(response), idOf(request, 'sil')));
      sendTagged(request, response, pickFields(silenceAnswer(row, clock()), fields), VERSION);
    },

    async deleteSilence(request, response) {
      const write = writeOf(request, response, idOf(request, 'sil'));
      await sql.begin(async (tx) => {
        found((await deleteSilence(tx, write)) ? write : null);
        requireMatch(request, VERSION);
      });
      response.end();
    },
  };

  function writeOf(request: Request, response: Response, id: string) {
    const now = clock();
    const audit = auditTrailOf(request, response, { now, newId, config });
    return { organizationId: organizationOf(response), id, eventId: newId('evt'), now, audit };
  }
}

/** What the body says, and when its last window ends (ms). */
function definitionOf(body: unknown): { definition: SilenceDefinition; endsAt: number } {
  const checked = check(silenceInputSchema, body, 'body');
  if ('errors' in checked) throw validationProblem(checked.errors);
  const { value: definition } = checked;
  const { from, until, recurrence, timezone } = definition;
  if (recurrence === null) return { definition, endsAt: until };
  const read = readRecurrence(recurrence, from, timezone);
  if ('code' in read) throw validationProblem([{ in: 'body', path: '/recurrence', ...read }]);
  return { definition, endsAt: read.last + (until - from) };
}

async function requireRules(tx: Transaction, organizationId: string, { matchers }: SilenceDefinition) {
  const unknown = await findUnknownRules(tx, organizationId, matchers.rule_ids);
  const faults = matchers.rule_ids.flatMap((id, index): Fault[] => {
    if (!unknown.has(id)) return [];
    const path = `/matchers/rule_ids/${index}`;
    return [{ in: 'body', path, code: 'unknown_rule', message: 'Is not the id of a rule.' }];
  });
  if (faults.length > 0) throw validationProblem(faults);
}
