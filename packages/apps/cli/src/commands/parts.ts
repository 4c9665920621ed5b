import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { collect, given, nameValue, parseAssignment, readTime } from '../arguments.ts';
import { paged, showList } from '../list.ts';
import { formatAge } from '../output/age.ts';
import { elastic } from '../output/table.ts';
import type { Session } from '../session.ts';

const COLUMNS = [elastic('HOST'), elastic('PART'), elastic('METRICS'), 'AGE', elastic('LABELS')];

export function addParts(program: CommandUnknownOpts, session: Session): void {
  const parts = program
    .command('parts')
    .description('parts of hosts, such as filesystems, disks and units, with their latest values');
  const list = parts
    .command('list')
    .description('list parts, by kind, name and host unless --sort says otherwise')
    .option('--kind <kind>', 'only of this kind, such as filesystem')
    .option('--name <pattern>', 'only with a name that matches; * stands for any characters')
    .option('--query <text>', 'only with this text in the name')
    .option('--host <name>', 'only of this host')
    .option('--tag <name=value>', 'only of hosts with this tag (repeatable)', collect(parseAssignment))
    .option('--label <name=value>', 'only with this label (repeatable)', collect(parseAssignment))
    .option(
      '--sort <order>',
      'kind, name, host, last_seen, or with --kind a metric such as used_percent; - before it descends',
    )
    .option('--as-of <time>', 'as of this time in the last 7 days, or this long ago, such as 2h')
    .addHelpText(
      'after',
      "\nExamples:\n  tidewatch parts list --kind filesystem --name '/var*'\n  tidewatch parts list --kind filesystem --sort -used_percent",
    );
  paged(list).action(({ kind, name, query: q, host, tag: tags, label: labels, sort, asOf, ...paging }) =>
    showList(session, paging, {
      path: '/api/v1/parts',
      noun: 'parts' as const,
      columns: COLUMNS,
      query: given({
        kind,
        name,
        q,
        host,
        tag: tags?.map(nameValue),
        label: labels?.map(nameValue),
        sort,
        as_of: asOf && readTime(asOf, session.clock(), 'past'),
      }),
      row: (part) => rowOf(part, session),
    }),
  );
}

function rowOf(part: Schema<'HostPart'>, { clock }: Session): string[] {
  const textOf = (record: Readonly<Record<string, string | number>>) =>
    Object.entries(record)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ');
  return [
    part.host,
    `${part.kind}:${part.name}`,
    textOf(part.metrics),
    formatAge(part.time, clock()),
    textOf(part.labels),
  ];
}
