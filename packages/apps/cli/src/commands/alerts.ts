import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { describeAlert } from '../alerts/alert-description.ts';
import { SEVERITIES } from '../alerts/severities.ts';
import { stateOf, watchAlerts } from '../alerts/watch.ts';
import { given, parseDuration } from '../arguments.ts';
import { forEachId, paged, showList } from '../list.ts';
import { formatAge } from '../output/age.ts';
import { safeText } from '../output/safe-text.ts';
import { type Cell, elastic } from '../output/table.ts';
import { word } from '../output/word.ts';
import { ruleIdOf } from '../rules/rule-id.ts';
import type { Session } from '../session.ts';

const COLUMNS = ['ID', 'SEVERITY', 'STATE', 'FIRED', elastic('SUMMARY')];

export function addAlerts(program: CommandUnknownOpts, session: Session): void {
  const alerts = program
    .command('alerts')
    .description('alerts that fired: list, follow, acknowledge and resolve them');
  const list = alerts
    .command('list')
    .description('list alerts, newest first')
    .addOption(
      new Option('--status <status>', 'only of this status; active by default').choices([
        'active',
        'resolved',
        'all',
      ] as const),
    )
    .addOption(new Option('--severity <severity>', 'only of this severity').choices(SEVERITIES))
    .option('--host <name>', 'only of this host')
    .option('--rule <name-or-id>', 'only of this rule, by name, external id or id');
  paged(list).action(async ({ status, severity, host, rule, ...paging }) => {
    const ruleId = rule && (await ruleIdOf(session, rule));
    return showList(session, paging, {
      path: '/api/v1/alerts',
      noun: 'alerts' as const,
      columns: COLUMNS,
      query: given({ status, severity, host, rule_id: ruleId }),
      row: (alert) => rowOf(alert, session),
    });
  });
  alerts
    .command('show')
    .description('show an alert with its values and notifications')
    .argument('<id>', 'id of an alert')
    .addHelpText('after', '\nExamples:\n  tidewatch alerts show alr_0197f3a1c0de7b3c9a51d2e4f6a80b1c')
    .action(async (id) => {
      const alert = await session.client().get('/api/v1/alerts/{id}', { params: { path: { id } } });
      if (session.json()) return session.terminal.json(alert);
      return describeAlert(alert, session);
    });
  alerts
    .command('watch')
    .description('follow alerts as they fire, change and resolve, until Ctrl-C')
    .addOption(new Option('--severity <severity>', 'only of this severity').choices(SEVERITIES))
    .option('--host <name>', 'only of this host')
    .option('--for <duration>', 'stop after this time', parseDuration)
    .action((options) => watchAlerts(session, options));
  for (const { verb, path, done } of ACTIONS) {
    alerts
      .command(verb)
      .description(`${verb} alerts`)
      .argument('<id...>', 'ids of alerts')
      .option('--comment <text>', 'comment that is stored with the alert')
      .action((ids, { comment }) =>
        forEachId(
          session,
          ids,
          (id) => session.client().post(path, { params: { path: { id } }, body: given({ comment }) }),
          (alert) => `${alert.id} ${done}: ${safeText(alert.summary)}`,
        ),
      );
  }
}

const ACTIONS = [
  { verb: 'acknowledge', path: '/api/v1/alerts/{id}/acknowledge', done: 'acknowledged' },
  { verb: 'resolve', path: '/api/v1/alerts/{id}/resolve', done: 'resolved' },
] as const;

function rowOf(alert: Schema<'Alert'>, { terminal, clock }: Session): (string | Cell)[] {
  return [
    alert.id,
    word(terminal, alert.severity),
    word(terminal, stateOf(alert)),
    formatAge(alert.backfilled ? alert.fired_at : alert.created_at, clock()),
    alert.summary,
  ];
}
