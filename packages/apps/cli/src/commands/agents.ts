import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { collect, given, nameValue, parseAssignment } from '../arguments.ts';
import { paged, showList } from '../list.ts';
import { formatAge, formatDuration } from '../output/age.ts';
import { elastic, numeric } from '../output/table.ts';
import type { Session } from '../session.ts';

const COLUMNS = [
  elastic('HOST'),
  'VERSION',
  'UP',
  numeric('MEMORY'),
  numeric('WAITING'),
  numeric('DROPPED'),
  numeric('REFUSED'),
  'REPORTED',
  elastic('FAILING'),
];

const MEBIBYTE = 1_048_576;

/** The agents of the fleet, each of which reports itself as a part of its host. */
export function addAgents(program: CommandUnknownOpts, session: Session): void {
  const agents = program
    .command('agents')
    .description('agents of the fleet, with their version and what they could not send')
    .option('--host <name>', 'only of this host')
    .option('--tag <name=value>', 'only of hosts with this tag (repeatable)', collect(parseAssignment));
  paged(agents).action(({ host, tag: tags, ...paging }) =>
    showList(session, paging, {
      path: '/api/v1/parts',
      noun: 'parts' as const,
      columns: COLUMNS,
      query: given({ kind: 'agent', host, tag: tags?.map(nameValue) }),
      row: (part) => rowOf(part, session),
    }),
  );
}

/** WAITING, DROPPED and REFUSED are payloads; the last two since the agent started. */
function rowOf({ host, labels, metrics, time }: Schema<'HostPart'>, { clock }: Session): string[] {
  const numberOf = (metric: string, write: (value: number) => string = String) => {
    const value = metrics[metric];
    return value === undefined ? '-' : write(value);
  };
  return [
    host,
    labels['version'] ?? '-',
    numberOf('uptime_seconds', (seconds) => formatDuration(seconds * 1_000)),
    numberOf('memory_rss_bytes', (bytes) => `${(bytes / MEBIBYTE).toFixed(0)} MiB`),
    numberOf('buffered_payloads'),
    numberOf('dropped_payload_count'),
    numberOf('refused_payload_count'),
    formatAge(time, clock()),
    labels['failing'] || '-',
  ];
}
