import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';
import { SEVERITIES } from '../alerts/severities.ts';
import { collect, given, parseAssignment, parseDuration, readTime, text } from '../arguments.ts';
import { deleteEach, paged, showList } from '../list.ts';
import { formatDuration } from '../output/age.ts';
import { type Cell, elastic } from '../output/table.ts';
import { word } from '../output/word.ts';
import { ruleIdOf } from '../rules/rule-id.ts';
import { describeSelector, gatherTags } from '../selector.ts';
import type { Session } from '../session.ts';

type Matchers = Schema<'SilenceMatchers'>;

const COLUMNS = ['ID', 'STATUS', elastic('MUTES'), 'FROM', 'UNTIL', elastic('REPEATS'), elastic('COMMENT')];

export function addSilences(program: CommandUnknownOpts, session: Session): void {
  const silences = program
    .command('silences')
    .description('silences: periods in which matching alerts notify nobody');
  const list = silences
    .command('list')
    .description('list silences, oldest first')
    .addOption(
      new Option('--status <status>', 'only of this status').choices([
        'scheduled',
        'active',
        'expired',
      ] as const),
    );
  paged(list).action(({ status, ...paging }) =>
    showList(session, paging, {
      path: '/api/v1/silences',
      noun: 'silences',
      columns: COLUMNS,
      query: given({ status }),
      row: (silence) => rowOf(silence, session),
    }),
  );
  silences
    .command('create')
    .description('silence alerts that match all given options')
    .option('--host <pattern>', 'of these hosts (repeatable)', collect(text))
    .option('--tag <name=pattern>', 'of hosts with this tag (repeatable)', collect(parseAssignment))
    .option('--rule <name-or-id>', 'of these rules, by name, external id or id (repeatable)', collect(text))
    .addOption(new Option('--severity <severity...>', 'of these severities').choices(SEVERITIES))
    .option('--from <time>', 'when it begins, or how long from now', '0s')
    .option('--until <time>', 'when it ends')
    .option('--for <duration>', 'how long it lasts, such as 2h', parseDuration)
    .option('--recurrence <rule>', 'recurrence rule, such as FREQ=WEEKLY;BYDAY=SU')
    .option('--timezone <name>', 'time zone of the recurrence')
    .option('--comment <text>', 'reason for the silence')
    .action(async (options) => {
      const from = readTime(options.from, session.clock(), 'future');
      const { recurrence, timezone, comment } = options;
      const until = endOf(options, from);
      const rules: string[] = [];
      for (const rule of options.rule ?? []) rules.push(await ruleIdOf(session, rule));
      const silence = await session.client().post('/api/v1/silences', {
        body: {
          matchers: {
            hosts: options.host ?? [],
            tags: gatherTags(options.tag ?? []),
            rule_ids: rules,
            severities: options.severity ?? [],
          },
          from,
          until,
          ...given({ recurrence, timezone, comment }),
        },
      });
      if (session.json()) return session.terminal.json(silence);
      return session.terminal.print(`${silence.id} mutes until ${silence.until}\n`);
    });
  silences
    .command('end')
    .description('end silences immediately')
    .argument('<id...>', 'ids of silences')
    .action((ids) => deleteEach(session, ids, '/api/v1/silences/{id}', 'ended'));
}

function endOf(options: { until?: string | undefined; for?: number | undefined }, from: string): string {
  if ((options.until === undefined) === (options.for === undefined))
    throw new UsageError('give one of --until (the end of the silence) and --for (its duration)');
  if (options.until !== undefined) return options.until;
  const begin = Date.parse(from);
  if (Number.isNaN(begin))
    throw new UsageError(`--from ${from} is neither an RFC 3339 time nor a duration such as 2h`);
  return new Date(begin + (options.for ?? 0)).toISOString();
}

function rowOf(silence: Schema<'Silence'>, { terminal, clock }: Session): (string | Cell)[] {
  const { id, status, from, until, recurrence, timezone, comment } = silence;
  const left =
    status === 'active' && recurrence === null ? ` (${formatDuration(Date.parse(until) - clock())})` : '';
  return [
    id,
    word(terminal, status),
    describeMatchers(silence.matchers),
    from,
    `${until}${left}`,
    recurrence === null ? '' : `${recurrence} ${timezone}`,
    comment,
  ];
}

function describeMatchers({ hosts, tags, rule_ids: rules, severities, subjects }: Matchers): string {
  return [
    ...describeSelector({ hosts, tags }),
    ...rules,
    ...severities,
    ...subjects.map(({ kind, name }) => `${kind}:${name}`),
  ].join(' ');
}
