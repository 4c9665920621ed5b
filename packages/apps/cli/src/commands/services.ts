import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { collect, given, nameValue, parseAssignment } from '../arguments.ts';
import { forEachId, paged, showList } from '../list.ts';
import { formatAge } from '../output/age.ts';
import { safeText } from '../output/safe-text.ts';
import { type Cell, elastic, numeric } from '../output/table.ts';
import { word } from '../output/word.ts';
import { describeService } from '../services/service-description.ts';
import { serviceIdOf } from '../services/service-id.ts';
import type { Session } from '../session.ts';

const STATUSES = ['healthy', 'degraded', 'critical', 'offline', 'maintenance', 'archived'] as const;

const COLUMNS = [
  elastic('NAME'),
  'STATUS',
  'SINCE',
  'SEEN',
  ...['CPU %', 'MEM %', 'DISK %', 'ALERTS'].map(numeric),
  elastic('TAGS'),
];

export function addServices(program: CommandUnknownOpts, session: Session): void {
  const services = program.command('services').description('monitored hosts, which the API calls services');
  const list = services
    .command('list')
    .description('list services by name')
    .addOption(new Option('--status <status>', 'only of this status').choices(STATUSES))
    .option('--query <text>', 'only with this text in the name')
    .option('--tag <name=value>', 'only with this tag (repeatable)', collect(parseAssignment));
  paged(list).action(({ status, query: q, tag: tags, ...paging }) => {
    const tag = tags?.map(nameValue);
    return showList(session, paging, {
      path: '/api/v1/services',
      noun: 'services' as const,
      columns: COLUMNS,
      query: given({ status, q, tag }),
      row: (service) => rowOf(service, session),
    });
  });
  services
    .command('show')
    .description('show a service with its metrics, containers and active alerts')
    .argument('<name-or-id>', 'name of the host, or id of the service')
    .action(async (which) => {
      const id = await serviceIdOf(session, which);
      const service = await session.client().get('/api/v1/services/{id}', { params: { path: { id } } });
      if (session.json()) return session.terminal.json(service);
      return describeService(service, session);
    });
  services
    .command('delete')
    .description('delete services; a host that sends samples again gets a new id')
    .argument('<name-or-id...>', 'names of hosts, or ids of services')
    .addHelpText('after', '\nExamples:\n  tidewatch services delete web-01')
    .action((names) =>
      forEachId(
        session,
        names,
        async (name) => {
          const id = await serviceIdOf(session, name);
          return session.client().delete('/api/v1/services/{id}', { params: { path: { id } } });
        },
        (_answer, name) => `${safeText(name)} deleted`,
      ),
    );
}

function rowOf(service: Schema<'Service'>, { terminal, clock }: Session): (string | Cell)[] {
  const now = clock();
  const { critical, warning, info } = service.active_alerts;
  const { cpu_percent: cpu, memory_percent: memory, disk_percent: disk } = service.metrics;
  return [
    service.name,
    word(terminal, service.status),
    formatAge(service.status_since, now),
    formatAge(service.last_seen, now),
    ...[cpu, memory, disk].map((value) => (typeof value === 'number' ? value.toFixed(1) : '-')),
    String(critical + warning + info || '-'),
    Object.entries(service.tags)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  ];
}
