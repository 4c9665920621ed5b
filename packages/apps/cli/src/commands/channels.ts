import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { CHANNEL_KINDS } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { given } from '../arguments.ts';
import { readConfig } from '../channels/channel-arguments.ts';
import { channelIdOf } from '../channels/channel-id.ts';
import { useForStarterRules } from '../channels/starter-rules.ts';
import { EXIT } from '../exit-code.ts';
import { deleteEach, paged, showList } from '../list.ts';
import { formatAge } from '../output/age.ts';
import { showFacts } from '../output/facts.ts';
import { safeText } from '../output/safe-text.ts';
import { type Cell, elastic } from '../output/table.ts';
import { word } from '../output/word.ts';
import type { Session } from '../session.ts';

const COLUMNS = ['ID', 'KIND', elastic('NAME'), 'DEFAULT', 'STATE', elastic('TO'), elastic('LAST')];

const EXAMPLES = `
Examples:
  tidewatch channels add slack https://hooks.slack.com/services/T000/B000/XXXX --for starter
  tidewatch channels add email oncall@example.com --name "on call"
  tidewatch channels add webhook https://example.com/hooks/tidewatch --default
  tidewatch channels use "on call" --for starter
  tidewatch channels test "on call"`;

/** Adds the commands `channels list`, `show`, `add`, `use`, `test` and `remove`. */
export function addChannels(program: CommandUnknownOpts, session: Session): void {
  const channels = program
    .command('channels')
    .description('channels that are notified of alerts: Slack, email, webhooks, PagerDuty')
    .addHelpText('after', EXAMPLES);
  const list = channels
    .command('list')
    .description('list channels, oldest first')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(CHANNEL_KINDS));
  paged(list).action(({ kind, ...paging }) =>
    showList(session, paging, {
      path: '/api/v1/channels',
      noun: 'channels',
      columns: COLUMNS,
      query: given({ kind }),
      row: (channel) => rowOf(channel, session),
    }),
  );
  channels
    .command('show')
    .description('show a channel with masked secrets')
    .argument('<name-or-id>', 'name or id of the channel')
    .action(async (which) => {
      const id = await channelIdOf(session, which);
      const channel = await session.client().get('/api/v1/channels/{id}', { params: { path: { id } } });
      if (session.json()) return session.terminal.json(channel);
      const { last_delivery: last } = channel;
      noteWarnings(session, channel);
      return showFacts(session, channel.name, [
        ['id', channel.id] as const,
        ['kind', channel.kind] as const,
        ['state', channel.enabled ? 'enabled' : 'disabled'],
        ['default', channel.is_default ? 'yes' : 'no'],
        ...Object.entries(channel.config).map(([name, value]) => [name, shown(value)] as const),
        [
          'last',
          last === null ? 'nothing sent yet' : `${last.status} at ${last.at} ${last.error ?? ''}`.trim(),
        ],
      ]);
    });
  channels
    .command('add')
    .description('add a channel; the first of a kind becomes its default')
    .addArgument(channels.createArgument('<kind>', 'kind of the channel').choices(CHANNEL_KINDS))
    .argument('<destination...>', 'URL of the webhook, email addresses, or routing key of PagerDuty')
    .option('--name <text>', 'name of the channel; its kind by default')
    .option('--default', 'make it the default of its kind')
    .addOption(
      new Option('--for <rules>', 'make these rules notify the channel').choices(['starter'] as const),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (kind, destinations, { name, default: isDefault, for: rules }) => {
      const input = {
        kind,
        name: name ?? kind,
        config: readConfig(kind, destinations),
        is_default: isDefault === true,
      };
      const channel = await session
        .client()
        .post('/api/v1/channels', { body: input as Schema<'ChannelInput'> });
      await describeAdded(session, channel);
      if (rules !== undefined) await useForStarterRules(session, channel);
      if (session.json()) return;
      return session.terminal.print(`test it: tidewatch channels test ${channel.id}\n`);
    });
  channels
    .command('use')
    .description('make rules notify a channel; a second run completes an interrupted one')
    .argument('<name-or-id>', 'name or id of the channel')
    .addOption(new Option('--for <rules>', 'which rules').choices(['starter'] as const).makeOptionMandatory())
    .action(async (which) => {
      const id = await channelIdOf(session, which);
      const channel = await session.client().get('/api/v1/channels/{id}', { params: { path: { id } } });
      await useForStarterRules(session, channel);
      if (session.json()) await session.terminal.json(channel);
    });
  channels
    .command('test')
    .description('send a test message; exit code 1 if it is not delivered')
    .argument('<name-or-id>', 'name or id of the channel')
    .action(async (which) => {
      const id = await channelIdOf(session, which);
      const outcome = await session.client().post('/api/v1/channels/{id}/test', { params: { path: { id } } });
      if (outcome.status === 'failed') session.exitCode = EXIT.failed;
      if (session.json()) return session.terminal.json(outcome);
      const why = outcome.error === null ? '' : `: ${outcome.error}`;
      return session.terminal.print(
        safeText(`${outcome.status} after ${outcome.duration_ms} ms${why}`).concat('\n'),
      );
    });
  channels
    .command('remove')
    .description('delete channels; no other channel becomes the default of its kind')
    .argument('<id...>', 'ids of channels')
    .action((ids) => deleteEach(session, ids, '/api/v1/channels/{id}', 'removed'));
}

function noteWarnings({ terminal }: Session, { warnings }: Schema<'Channel'>): void {
  for (const { message } of warnings) terminal.note(`warning: ${safeText(message)}`);
}

async function describeAdded(session: Session, channel: Schema<'Channel'>): Promise<void> {
  if (session.json()) return session.terminal.json(channel);
  await session.terminal.print(
    `${channel.id} ${safeText(channel.name)} (${channel.kind}${channel.is_default ? ', default of its kind' : ''})\n`,
  );
  if ('secret' in channel.config)
    await session.terminal.print(`deliveries are signed with ${safeText(channel.config.secret)}\n`);
  noteWarnings(session, channel);
}

function rowOf(channel: Schema<'Channel'>, { terminal, clock }: Session): (string | Cell)[] {
  const { last_delivery: last } = channel;
  const said = last === null ? '-' : `${last.status} ${formatAge(last.at, clock())} ago`;
  return [
    channel.id,
    channel.kind,
    channel.name,
    channel.is_default ? 'yes' : '-',
    word(terminal, channel.enabled ? 'enabled' : 'off'),
    destinationOf(channel.config),
    last?.error ? `${said}: ${last.error}` : said,
  ];
}

function destinationOf(config: Schema<'Channel'>['config']): string {
  if ('to' in config) return config.to.join(' ');
  if ('webhook_url' in config) return config.webhook_url;
  if ('url' in config) return config.url;
  return 'channel' in config ? config.channel : config.routing_key;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
