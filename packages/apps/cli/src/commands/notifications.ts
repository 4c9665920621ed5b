import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { entries } from '@tidewatch/api-client/pages';
import type { Schema } from '@tidewatch/api-client/schema';
import { given } from '../arguments.ts';
import { paged, showList } from '../list.ts';
import { NotFoundError } from '../not-found-error.ts';
import { formatAge } from '../output/age.ts';
import { showFacts } from '../output/facts.ts';
import { type Cell, elastic, numeric } from '../output/table.ts';
import { word } from '../output/word.ts';
import type { Session } from '../session.ts';

const STATUSES = ['queued', 'delivered', 'failed', 'suppressed', 'not_configured'] as const;

const COLUMNS = [
  'ID',
  'AGE',
  'STATUS',
  'WHAT',
  elastic('CHANNEL'),
  'ALERT',
  numeric('TRIES'),
  elastic('WHY'),
];

const EXAMPLES = `
Examples:
  tidewatch notifications list --status failed
  tidewatch notifications list --alert alr_0197f3a1c0de7b3c9a51d2e4f6a80b1c
  tidewatch notifications show ntf_0197f3a1c0de7b3c9a51d2e4f6a80b1c`;

/** Adds the commands `notifications list` and `notifications show`. */
export function addNotifications(program: CommandUnknownOpts, session: Session): void {
  const notifications = program
    .command('notifications')
    .description('notifications that were sent, failed or suppressed, and why')
    .addHelpText('after', EXAMPLES);
  const list = notifications
    .command('list')
    .description('list notifications, newest first')
    .addOption(new Option('--status <status>', 'only of this status').choices(STATUSES))
    .option('--alert <id>', 'only about this alert');
  paged(list).action(({ status, alert, ...paging }) =>
    showList(session, paging, {
      path: '/api/v1/notifications',
      noun: 'notifications',
      columns: COLUMNS,
      query: given({ status, alert_id: alert }),
      row: (notification) => rowOf(notification, session),
    }),
  );
  notifications
    .command('show')
    .description('show a notification with its attempts and outcome')
    .argument('<id>', 'id of a notification')
    .action(async (id) => {
      const answer = await find(session, id);
      if (session.json()) return session.terminal.json(answer);
      const { channel, alert_ids: alerts, event_id: event } = answer;
      return showFacts(session, `${answer.transition} to ${channelOf(channel)}`, [
        ['id', answer.id] as const,
        ['status', answer.status] as const,
        ['why', answer.reason ?? answer.last_error ?? '-'],
        ['attempts', String(answer.attempts)],
        ['channel', channel.id ?? `no default of the kind ${channel.kind}`],
        ['alerts', alerts.join(' ') || '-'],
        ['event', event],
        ['created', answer.created_at],
        ['sent', answer.sent_at ?? 'not sent'],
      ]);
    });
}

function rowOf(notification: Schema<'Notification'>, { terminal, clock }: Session): (string | Cell)[] {
  const { alert_ids: alerts } = notification;
  const others = alerts.length > 1 ? ` +${alerts.length - 1}` : '';
  return [
    notification.id,
    formatAge(notification.created_at, clock()),
    word(terminal, notification.status),
    notification.transition,
    channelOf(notification.channel),
    `${alerts[0] ?? '-'}${others}`,
    String(notification.attempts),
    notification.reason ?? notification.last_error ?? '-',
  ];
}

const channelOf = ({ kind, name }: Schema<'NotifiedChannel'>) => (name === null ? kind : `${kind} ${name}`);

/** Finds a notification by reading the list, newest first. Throws NotFoundError. */
async function find(session: Session, id: string): Promise<Schema<'Notification'>> {
  for await (const each of entries(session.client(), '/api/v1/notifications', 'notifications', {}))
    if (each.id === id) return each;
  throw new NotFoundError(`no notification has the id ${id}: tidewatch notifications list shows all ids`);
}
