import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';
import { SEVERITIES } from '../alerts/severities.ts';
import { given, readTime } from '../arguments.ts';
import { describeInvestigation } from '../investigations/investigation-description.ts';
import { forEachId, paged, showList } from '../list.ts';
import { formatAge } from '../output/age.ts';
import { safeText } from '../output/safe-text.ts';
import { type Cell, elastic } from '../output/table.ts';
import { word } from '../output/word.ts';
import { serviceIdOf } from '../services/service-id.ts';
import type { Session } from '../session.ts';

const INVESTIGATION = '/api/v1/investigations/{id}';
const STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
const CONCLUSIONS = ['root_cause_found', 'inconclusive'] as const;

const COLUMNS = [
  'ID',
  'STATUS',
  'CONCLUSION',
  'AGE',
  elastic('HOST'),
  elastic('TITLE'),
  elastic('BEST FINDING'),
];

export function addInvestigations(program: CommandUnknownOpts, session: Session): void {
  const investigations = program
    .command('investigations')
    .description('investigations: the search for the cause of an alert');
  const list = investigations
    .command('list')
    .description('list investigations, newest first')
    .addOption(new Option('--status <status>', 'only of this status').choices(STATUSES))
    .addOption(new Option('--conclusion <conclusion>', 'only with this conclusion').choices(CONCLUSIONS))
    .addOption(
      new Option('--severity <severity>', 'only with a worst alert of this severity').choices(SEVERITIES),
    )
    .option('--host <name>', 'only of this host')
    .option('--alert <id>', 'only about this alert');
  paged(list).action(({ status, conclusion, severity, host, alert, ...paging }) =>
    showList(session, paging, {
      path: '/api/v1/investigations',
      noun: 'investigations',
      columns: COLUMNS,
      query: given({ status, conclusion, severity, host, alert_id: alert }),
      row: (investigation) => rowOf(investigation, session),
    }),
  );
  investigations
    .command('show')
    .description('show the findings, timeline and recommendations of an investigation')
    .argument('<id>', 'id of the investigation')
    .action(async (id) => {
      const investigation = await session.client().get(INVESTIGATION, { params: { path: { id } } });
      if (session.json()) return session.terminal.json(investigation);
      return describeInvestigation(investigation, session);
    });
  investigations
    .command('start')
    .description('start an investigation of an alert or of a service')
    .option('--alert <id>', 'id of the alert to investigate')
    .option('--service <name-or-id>', 'host name or id of the service to investigate')
    .option('--metric <name>', 'metric of the service to investigate')
    .option('--from <time>', 'start of the window, or how long ago, such as 2h')
    .option('--to <time>', 'end of the window, or how long ago, such as 1h')
    .option('--question <text>', 'question for the investigation')
    .action(async ({ alert, service, metric, from, to, question }) => {
      const subject = await subjectOf(session, alert, service);
      const past = (time: string) => readTime(time, session.clock(), 'past');
      const investigation = await session.client().post('/api/v1/investigations', {
        body: {
          ...subject,
          ...given({ metric, from: from && past(from), to: to && past(to), question }),
        },
      });
      if (session.json()) return session.terminal.json(investigation);
      return session.terminal.print(`${investigation.id} ${investigation.status}\n`);
    });
  investigations
    .command('cancel')
    .description('cancel queued and running investigations')
    .argument('<id...>', 'ids of investigations')
    .action((ids) =>
      forEachId(
        session,
        ids,
        (id) => session.client().post('/api/v1/investigations/{id}/cancel', { params: { path: { id } } }),
        ({ id }) => `${id} cancelled`,
      ),
    );
  investigations
    .command('feedback')
    .description('record whether an investigation helped, and the actual cause')
    .argument('<id>', 'id of the investigation')
    .addOption(
      new Option('--helpful <answer>', 'whether it helped')
        .choices(['yes', 'no'] as const)
        .makeOptionMandatory(),
    )
    .option('--cause <text>', 'the actual cause')
    .option('--comment <text>', 'further comment')
    .action((id, { helpful, cause, comment }) =>
      forEachId(
        session,
        [id],
        () =>
          session.client().post('/api/v1/investigations/{id}/feedback', {
            params: { path: { id } },
            body: { helpful: helpful === 'yes', ...given({ actual_root_cause: cause, comment }) },
          }),
        (answer) => `${answer.id} feedback stored: ${safeText(answer.title)}`,
      ),
    );
}

/** The alert or service to investigate. Throws UsageError unless exactly one of the two is given. */
async function subjectOf(
  session: Session,
  alert: string | undefined,
  service: string | undefined,
): Promise<{ alert_id: string } | { service_id: string }> {
  if (alert !== undefined && service === undefined) return { alert_id: alert };
  if (alert !== undefined || service === undefined) throw new UsageError('give either --alert or --service');
  return { service_id: await serviceIdOf(session, service) };
}

function rowOf(investigation: Schema<'InvestigationItem'>, { terminal, clock }: Session): (string | Cell)[] {
  const { id, status, conclusion, host, title, findings, created_at: createdAt } = investigation;
  const [best] = findings;
  return [
    id,
    word(terminal, status),
    conclusion === null ? '-' : word(terminal, conclusion),
    formatAge(createdAt, clock()),
    host,
    title,
    best?.title ?? '-',
  ];
}
