import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { collect, given, parseAssignment, readTime, text } from '../arguments.ts';
import { deleteEach, paged, showList } from '../list.ts';
import { elastic } from '../output/table.ts';
import { describeSelector, gatherTags } from '../selector.ts';
import type { Session } from '../session.ts';

const COLUMNS = ['ID', 'AT', elastic('TITLE'), elastic('HOSTS'), elastic('TAGS')];

export function addMarkers(program: CommandUnknownOpts, session: Session): void {
  const markers = program.command('markers').description('markers of changes such as deployments');
  markers
    .command('add')
    .description('add a marker that investigations take into account')
    .argument('<title>', 'what was changed')
    .option('--at <time>', 'when it was changed, or how long ago', '0s')
    .option('--host <pattern>', 'changed on these hosts (repeatable)', collect(text))
    .option('--on <name=pattern>', 'changed on hosts with this tag (repeatable)', collect(parseAssignment))
    .option(
      '--tag <name=value>',
      'tag of the marker, such as version=1.4.2 (repeatable)',
      collect(parseAssignment),
    )
    .action(async (title, { at, host, on, tag }) => {
      const marker = await session.client().post('/api/v1/markers', {
        body: {
          title,
          at: readTime(at, session.clock(), 'past'),
          selector: given({ hosts: host, tags: on && gatherTags(on) }),
          tags: Object.fromEntries(tag ?? []),
        },
      });
      if (session.json()) return session.terminal.json(marker);
      return session.terminal.print(`${marker.id} at ${marker.at}\n`);
    });
  const list = markers
    .command('list')
    .description('list markers, newest first')
    .option('--from <time>', 'only since this time, or this long ago, such as 2h')
    .option('--to <time>', 'only before this time, or this long ago, such as 1h');
  paged(list).action(({ from, to, ...paging }) => {
    const past = (time: string) => readTime(time, session.clock(), 'past');
    return showList(session, paging, {
      path: '/api/v1/markers',
      noun: 'markers',
      columns: COLUMNS,
      query: given({ from: from && past(from), to: to && past(to) }),
      row: rowOf,
    });
  });
  markers
    .command('remove')
    .description('delete markers')
    .argument('<id...>', 'ids of markers')
    .action((ids) => deleteEach(session, ids, '/api/v1/markers/{id}', 'removed'));
}

function rowOf({ id, at, title, selector, tags }: Schema<'Marker'>): string[] {
  const shownTags = Object.entries(tags).map(([name, value]) => `${name}=${value}`);
  return [id, at, title, describeSelector(selector).join(' ') || '-', shownTags.join(' ') || '-'];
}
