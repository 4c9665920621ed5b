import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Channel, channelSchema, channelsQuerySchema } from '@tidewatch/contracts/channels/channel';
import type { KindAndConfig } from '@tidewatch/contracts/channels/channel-config';
import {
  applyChannelPatch,
  type ChannelDefinition,
  readChannelInput,
} from '@tidewatch/contracts/channels/channel-input';
import { pickFields } from '@tidewatch/contracts/values/fields';
import { type Fault, ProblemError, validationProblem } from '@tidewatch/contracts/values/problem';
import { type ChannelRow, channelAnswer } from '@tidewatch/store/channels/channel-row';
import { CHANNEL_ORDERS, listChannels, readChannelRow } from '@tidewatch/store/channels/list';
import { readDestination } from '@tidewatch/store/channels/read';
import {
  type ChannelValues,
  type ChannelWrite,
  deleteChannel,
  insertChannel,
  lockChannels,
  updateChannel,
} from '@tidewatch/store/channels/write';
import type { Transaction } from '@tidewatch/store/database/connection';
import { SecretKeyError } from '@tidewatch/store/secrets/secret-box';
import type { Request, Response } from 'express';
import { requireMatch, sendTagged } from '../http/entity-tag.ts';
import { readJson } from '../http/json-body.ts';
import { answerList, type List } from '../http/list-answer.ts';
import { type Handlers, pathOf } from '../http/mount-routes.ts';
import { auditTrailOf, fieldsOf, found, idOf, organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { testChannel } from './channel-test.ts';
import { withWarnings } from './channel-warnings.ts';
import { createPrivateDestinationCheck } from './private-destinations.ts';

const LIST: List<keyof typeof CHANNEL_ORDERS> = {
  noun: 'channels',
  orders: CHANNEL_ORDERS,
  usual: { field: 'created_at', descending: false },
};
const WEBHOOK_SECRET_BYTES = 32;

/** The routes of `/api/v1/channels`. */
export function createChannelHandlers(options: QueryApiOptions): Handlers {
  const { sql, clock, newId, config, secrets } = options;

  const privateDestinations = createPrivateDestinationCheck(config.allowPrivateDestinations);

  return {
    async listChannels(request, response) {
      const query = queryOf(request, channelsQuerySchema);
      await answerList(request, response, LIST, query, async (window, order) => {
        const { total, rows } = await listChannels(sql, organizationOf(response), query, order, window);
        return { total, rows: rows.map((channel) => withWarnings(channel, config.hasMailServer)) };
      });
    },

    async createChannel(request, response) {
      const input = definitionOf(readChannelInput(await readJson(request, ['application/json'])));
      refuseFaults(privateDestinations(input.config));
      const { values, madeSecret } = withSecret(input);
      const write = {
        ...writeOf(request, response, newId('chn')),
        maxChannels: config.limits.channelsLimit,
      };
      const row = await sql.begin((tx) => insertChannel(tx, write, values));
      response.location(pathOf('getChannel', write.id));
      sendTagged(request, response, shownOnce(row, madeSecret), row.version);
    },

    async getChannel(request, response) {
      const fields = fieldsOf(request, channelSchema.shape);
      const row = found(await readChannelRow(sql, organizationOf(response), idOf(request, 'chn')));
      sendTagged(request, response, pickFields(answerOf(row), fields), row.version);
    },

    async updateChannel(request, response) {
      const write = writeOf(request, response, idOf(request, 'chn'));
      const patch = await readJson(request, ['application/json', 'application/merge-patch+json']);
      const answer = await sql.begin(async (tx): Promise<Channel> => {
        const row = await lockedRow(tx, request, write);
        const stored = await readable(readDestination(tx, secrets, write.organizationId, write.id));
        const { kind, config } = found(stored);
        const before = { name: row.name, is_default: row.is_default, enabled: row.enabled, kind, config };
        const { values, madeSecret } = withSecret(
          definitionOf(applyChannelPatch(before as ChannelValues, patch)),
        );
        refuseFaults(privateDestinations(values.config, config));
        const unchanged = isDeepStrictEqual(values, before);
        return shownOnce(unchanged ? row : await updateChannel(tx, write, values), madeSecret);
      });
      sendTagged(request, response, answer, answer.version);
    },

    async deleteChannel(request, response) {
      const write = writeOf(request, response, idOf(request, 'chn'));
      await sql.begin(async (tx) => {
        await lockedRow(tx, request, write);
        await deleteChannel(tx, write);
      });
      response.end();
    },

    async testChannel(request, response) {
      const organizationId = organizationOf(response);
      const id = idOf(request, 'chn');
      const destination = found(await readable(readDestination(sql, secrets, organizationId, id)));
      const audit = auditTrailOf(request, response, { now: clock(), newId, config });
      response.json(await testChannel(options, organizationId, destination, audit));
    },
  };

  function answerOf(row: ChannelRow): Channel {
    return withWarnings(channelAnswer(row), config.hasMailServer);
  }

  /** The response; the only one that shows a generated secret. */
  function shownOnce(row: ChannelRow, madeSecret: string | null): Channel {
    const answer = answerOf(row);
    if (madeSecret === null) return answer;
    return { ...answer, config: { ...answer.config, secret: madeSecret } as Channel['config'] };
  }

  async function lockedRow(tx: Transaction, request: Request, write: ChannelWrite): Promise<ChannelRow> {
    await lockChannels(tx, write.organizationId);
    const row = found(await readChannelRow(tx, write.organizationId, write.id, { lock: true }));
    requireMatch(request, row.version);
    return row;
  }

  function writeOf(request: Request, response: Response, id: string): ChannelWrite {
    const now = clock();
    const newEventId = () => newId('evt');
    const audit = auditTrailOf(request, response, { now, newId, config });
    return { organizationId: organizationOf(response), id, newEventId, secrets, now, audit };
  }
}

function refuseFaults(faults: Fault[]): void {
  if (faults.length > 0) throw validationProblem(faults);
}

function definitionOf(read: { channel: ChannelDefinition } | { errors: Fault[] }): ChannelDefinition {
  if ('errors' in read) throw validationProblem(read.errors);
  return read.channel;
}

/** The definition with the secret that signs its deliveries, generated where none was given. */
function withSecret(input: ChannelDefinition): { values: ChannelValues; madeSecret: string | null } {
  if (input.kind !== 'webhook') return { values: input, madeSecret: null };
  const { secret: given } = input.config;
  const made = given === null ? `whsec_${randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')}` : null;
  const config = { ...input.config, secret: given ?? made ?? '' };
  return { values: { ...input, config }, madeSecret: made };
}

async function readable<T extends KindAndConfig | null>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof SecretKeyError) throw new ProblemError('secrets_unreadable', { cause: error });
    throw error;
  }
}
