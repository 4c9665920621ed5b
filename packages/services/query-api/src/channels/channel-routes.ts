import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Channel } from '@tidewatch/contracts/channels/channel';
import {
  applyChannelPatch,
  type ChannelDefinition,
  readChannelInput,
} from '@tidewatch/contracts/channels/channel-input';
import type { CHANNEL_ROUTES } from '@tidewatch/contracts/channels/channel-routes';
import type { KindAndConfig } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { type Fault, ProblemError, validationProblem } from '@tidewatch/contracts/problems/problem';
import type { Transaction } from '@tidewatch/database/connection';
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
import { SecretKeyError } from '@tidewatch/store/secrets/secret-box';
import type { Call } from '../http/call.ts';
import { requireMatch, sendTagged } from '../http/entity-tag.ts';
import { answerList, type List } from '../http/list-answer.ts';
import { type Handlers, pathOf } from '../http/mount-routes.ts';
import { answerObject, found } from '../http/object-answer.ts';
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
export function createChannelHandlers(options: QueryApiOptions): Handlers<typeof CHANNEL_ROUTES> {
  const { sql, newId, config, secrets } = options;

  const privateDestinations = createPrivateDestinationCheck(config.allowPrivateDestinations);

  return {
    listChannels: answerList(LIST, async ({ organizationId }, query, window, order) => {
      const { total, rows } = await listChannels(sql, organizationId, query, order, window);
      return { total, rows: rows.map((channel) => withWarnings(channel, config.hasMailServer)) };
    }),

    async createChannel(call) {
      const input = definitionOf(readChannelInput(await call.json()));
      refuseFaults(privateDestinations(input.config));
      const { values, madeSecret } = withSecret(input);
      const write = {
        ...writeOf(call, newId('chn')),
        maxChannels: config.limits.channelsLimit,
      };
      const row = await sql.begin((tx) => insertChannel(tx, write, values));
      call.response.location(pathOf('getChannel', write.id));
      sendTagged(call.request, call.response, shownOnce(row, madeSecret), row.version);
    },

    getChannel: answerObject(
      async ({ organizationId }, id) => {
        const row = await readChannelRow(sql, organizationId, id);
        return row && answerOf(row);
      },
      ({ version }) => version,
    ),

    async updateChannel(call) {
      const write = writeOf(call, call.id);
      const patch = await call.json();
      const answer = await sql.begin(async (tx): Promise<Channel> => {
        const row = await lockedRow(tx, call, write);
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
      sendTagged(call.request, call.response, answer, answer.version);
    },

    async deleteChannel(call) {
      const write = writeOf(call, call.id);
      await sql.begin(async (tx) => {
        await lockedRow(tx, call, write);
        await deleteChannel(tx, write);
      });
    },

    async testChannel(call) {
      const { organizationId, id } = call;
      const destination = found(await readable(readDestination(sql, secrets, organizationId, id)));
      const { audit } = call.change(options);
      call.response.json(await testChannel(options, organizationId, destination, audit));
    },
  };

  function answerOf(row: ChannelRow): Channel {
    return withWarnings(channelAnswer(row), config.hasMailServer);
  }

  /** The response with a generated secret, which no other response shows. */
  function shownOnce(row: ChannelRow, madeSecret: string | null): Channel {
    const answer = answerOf(row);
    if (madeSecret === null) return answer;
    return { ...answer, config: { ...answer.config, secret: madeSecret } as Channel['config'] };
  }

  async function lockedRow(
    tx: Transaction,
    { request }: Pick<Call, 'request'>,
    write: ChannelWrite,
  ): Promise<ChannelRow> {
    await lockChannels(tx, write.organizationId);
    const row = found(await readChannelRow(tx, write.organizationId, write.id, { lock: true }));
    requireMatch(request, row.version);
    return row;
  }

  function writeOf(call: Pick<Call, 'change'>, id: string): ChannelWrite {
    return { ...call.change(options), id, newEventId: () => newId('evt'), secrets };
  }
}

function refuseFaults(faults: Fault[]): void {
  if (faults.length > 0) throw validationProblem(faults);
}

function definitionOf(read: { channel: ChannelDefinition } | { errors: Fault[] }): ChannelDefinition {
  if ('errors' in read) throw validationProblem(read.errors);
  return read.channel;
}

/** The definition with the secret that signs deliveries, which is generated if none is given. */
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
