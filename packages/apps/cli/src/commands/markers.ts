import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { collect, parseCount, parsePair, readTime, text } from '../arguments.ts';
import { forEachId, showList } from '../list.ts';
import type { Column } from '../output/table.ts';
import { describeSelector, gatherTags } from '../selector.ts';
import type { Session } from '../session.ts';

const COLUMNS: Column[] = [
  { title: 'ID' },
  { title: 'AT' },
  { title: 'TITLE', elastic: true },
  { title: 'HOSTS', elastic: true },
  { title: 'TAGS', elastic: true },
];

export function addMarkers(program: CommandUnknownOpts, session: Session): void {
  const markers = program.command('markers').description('what was done, such as deployments');
  markers
    .command('add')
    .description('mark something, so that investigations know of it')
    .argument('<title>', 'what was done')
    .option('--at <time>', 'when it was done, or so long ago', '0s')
    .option('--host <pattern>', 'on these hosts (again for more)', collect(text))
    .option('--on <name=pattern>', 'on hosts with this tag (again for more)', collect(parsePair))
    .option('--tag <name=value>', 'said of it, such as version=1.4.2 (again for more)', collect(parsePair))
    .action(async (title, { at, host, on, tag }) => {
      const marker = await session.client().post('/api/v1/markers', {
        body: {
          title,
          at: readTime(at, session.clock(), 'past'),
          selector: { ...(host && { hosts: host }), ...(on && { tags: gatherTags(on) }) },
          tags: Object.fromEntries(tag ?? []),
        },
      });
      if (session.json()) return session.terminal.json(marker);
      return session.terminal.print(`${marker.id} at ${marker.at}\n`);
    });
  markers
    .command('list')
    .description('list markers, newest first')
    .option('--from <time>', 'only since this time, or this long ago, such as 2h')
    .option('--to <time>', 'only before this time, or this long ago, such as 1h')
    .option('--limit <count>', 'how many', parseCount)
    .option('--all', 'every page; as JSON one object to a line')
    .action(({ from, to, limit, all }) => {
      const past = (time: string) => readTime(time, session.clock(), 'past');
      return showList(session, {
        path: '/api/v1/markers',
        noun: 'markers',
        limit,
        all,
        columns: COLUMNS,
        query: { ...(from && { from: past(from) }), ...(to && { to: past(to) }) },
        row: rowOf,
      });
    });
  markers
    .command('remove')
    .description('take markers away')
    .argument('<id...>', 'ids of markers')
    .action((ids) =>
      forEachId(
        session,
        ids,
        (id) => session.client().delete('/api/v1/markers/{id}', { params: { path: { id } } }),
        (_answer, id) => `${id} removed`,
      ),
    );
}

function rowOf({ id, at, title, selector, tags }: Schema<'Marker'>): string[] {
  const said = Object.entries(tags).map(([name, value]) => `${name}=${value}`);
  return [id, at, title, describeSelector(selector).join(' ') || '-', said.join(' ') || '-'];
}
