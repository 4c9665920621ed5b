import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { collect, given, nameValue, parseAssignment } from '../arguments.ts';
import { paged, showList } from '../list.ts';
import { formatAge, formatDuration } from '../output/age.ts';
import { elastic, numeric } from '../output/table.ts';
import type { Session } from '../session.ts';

const COLUMNS = [
  elastic('HOST'),
  'AGENT',
  'VERSION',
  'UP',
  numeric('MEMORY'),
  numeric('WAITING'),
  numeric('DROPPED'),
  numeric('REFUSED'),
  numeric('SERIES'),
  'REPORTED',
  elastic('FAILING'),
  elastic('LEFT OUT'),
];

const MEBIBYTE = 1_048_576;

/** The agents of the fleet, each of which reports itself as a part of its host. */
export function addAgents(program: CommandUnknownOpts, session: Session): void {
  const agents = program
    .command('agents')
    .description('agents of the fleet, with what they could not send, and what of other agents is stored')
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

/**
 * WAITING, DROPPED and REFUSED of our agent are payloads; the last two since it started. Of an agent of another project there is
 * one row for each protocol: SERIES are stored, LEFT OUT are not, by reason, and REFUSED are points of a minute.
 */
function rowOf({ host, name, labels, metrics, time }: Schema<'HostPart'>, { clock }: Session): string[] {
  const numberOf = (metric: string, write: (value: number) => string = String) => {
    const value = metrics[metric];
    return value === undefined ? '-' : write(value);
  };
  return [
    host,
    name,
    labels['version'] ?? '-',
    numberOf('uptime_seconds', (seconds) => formatDuration(seconds * 1_000)),
    numberOf('memory_rss_bytes', (bytes) => `${(bytes / MEBIBYTE).toFixed(0)} MiB`),
    numberOf('buffered_payloads'),
    numberOf('dropped_payload_count'),
    numberOf(labels['protocol'] === undefined ? 'refused_payload_count' : 'rejected_points'),
    numberOf('stored_series'),
    formatAge(time, clock()),
    labels['failing'] || '-',
    labels['left_out'] || '-',
  ];
}
