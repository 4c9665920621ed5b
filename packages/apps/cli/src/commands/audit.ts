import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { given, readTime } from '../arguments.ts';
import { paged, showList } from '../list.ts';
import { elastic } from '../output/table.ts';
import type { Session } from '../session.ts';

const OBJECTS = [
  ...(['rule', 'channel', 'silence', 'key', 'organization', 'service', 'alert'] as const),
  ...(['notification', 'investigation', 'marker', 'session', 'sign_in_link'] as const),
] as const;

const COLUMNS = ['AT', elastic('WHO'), 'FROM', 'ACTION', 'OBJECT', elastic('NAME'), elastic('CHANGED')];

const EXAMPLES = `
Examples:
  tidewatch audit --from 1d
  tidewatch audit --type rule --limit 20
  tidewatch audit --object rul_0197f3a1c0de7b3c9a51d2e4f6a80b1c --json`;

/** Adds the command `audit`, which lists who changed what, newest first. Needs a key with the scope admin. */
export function addAudit(program: CommandUnknownOpts, session: Session): void {
  const list = program
    .command('audit')
    .description('list who changed what, newest first; needs a key with the scope admin')
    .addOption(new Option('--type <type>', 'only changes of this kind of object').choices(OBJECTS))
    .option('--object <id>', 'only changes of this object')
    .option('--key <id>', 'only changes made with this key')
    .option('--from <time>', 'only since this time, or this long ago, such as 2h')
    .option('--to <time>', 'only before this time, or this long ago, such as 1h')
    .addHelpText('after', EXAMPLES);
  paged(list).action(({ type, object, key, from, to, ...paging }) => {
    const past = (time: string) => readTime(time, session.clock(), 'past');
    return showList(session, paging, {
      path: '/api/v1/audit',
      noun: 'audit',
      columns: COLUMNS,
      query: given({
        object_type: type,
        object_id: object,
        key_id: key,
        from: from && past(from),
        to: to && past(to),
      }),
      row: rowOf,
    });
  });
}

function rowOf({ at, actor, ip, action, object, before, after }: Schema<'AuditRecord'>): string[] {
  const changed = before === null || after === null ? [] : Object.keys(after);
  return [at, actor.name, ip ?? '-', action, object.id, object.name, changed.join(' ') || '-'];
}
