import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { parseNumbers, readTime } from '../arguments.ts';
import { paged, showList } from '../list.ts';
import { safeText } from '../output/safe-text.ts';
import { type Cell, elastic, numeric } from '../output/table.ts';
import { word } from '../output/word.ts';
import { describeCondition, severitiesOf } from '../rules/condition.ts';
import { showPreview } from '../rules/preview-report.ts';
import { addRuleCreate, createBody } from '../rules/rule-arguments.ts';
import { chooseRule, readRuleDocument, withOptions } from '../rules/rule-document.ts';
import type { Session } from '../session.ts';

const COLUMNS = [
  'ID',
  elastic('NAME'),
  'SEVERITY',
  'STATE',
  numeric('FIRING'),
  elastic('CONDITION'),
  elastic('NOTIFIES'),
];

export function addRules(program: CommandUnknownOpts, session: Session): void {
  const rules = program
    .command('rules')
    .description('alert rules: list, create, apply, preview and export them');
  const list = rules.command('list').description('list alert rules, oldest first');
  paged(list).action((paging) =>
    showList(session, paging, {
      path: '/api/v1/alerts/rules',
      noun: 'rules',
      columns: COLUMNS,
      row: (rule) => rowOf(rule, session),
    }),
  );
  addRuleCreate(rules, async (options) => {
    const body = await createBody(session, options);
    const rule = await session.client().post('/api/v1/alerts/rules', { body });
    if (session.json()) return session.terminal.json(rule);
    for (const { message } of rule.warnings) session.terminal.note(safeText(`warning: ${message}`));
    return session.terminal.print(
      safeText(`${rule.id} ${rule.name}: ${describeCondition(rule)}`).concat('\n'),
    );
  });
  rules
    .command('apply')
    .description('replace the rules by those of a document, in one transaction')
    .argument('<file>', 'document in YAML or JSON; - for standard input')
    .option('--prune', 'also delete rules with an external id that are not in the document')
    .option('--dry-run', 'print the changes without making them')
    .action(async (file, { prune, dryRun }) => {
      const document = withOptions(await readRuleDocument(session, file), { prune, dryRun });
      const changes = await session.client().put('/api/v1/alerts/rules', {
        // The document is sent as text, so that the service parses it and reports its faults.
        body: { rules: [] },
        bodySerializer: () => document,
        headers: { 'Content-Type': 'application/yaml' },
      });
      if (session.json()) return session.terminal.json(changes);
      return session.terminal.print(describeChanges(changes, dryRun === true));
    });
  rules
    .command('preview')
    .description('evaluate a rule on stored samples and show the alerts that it would have fired')
    .argument('[file]', 'document with the rule; by default the rules of the service; - for standard input')
    .option('--rule <name>', 'external id or name of the rule in the document')
    .option('--from <time>', 'start of the range, or how long ago; 7 days ago by default')
    .option('--to <time>', 'end of the range, or how long ago')
    .option('--thresholds <numbers>', 'thresholds to compare, such as 80,90', parseNumbers)
    .option('--durations <minutes>', 'durations to compare, such as 1,5', parseNumbers)
    .action(async (file, options) => {
      const document =
        file === undefined ? await exported(session, 'json') : await readRuleDocument(session, file);
      const rule = chooseRule(document, options.rule);
      const now = session.clock();
      const preview = await session.client().post('/api/v1/alerts/rules/preview', {
        body: {
          // Sent without validation, because the service validates the rule.
          rule: rule as Schema<'RuleInput'>,
          ...(options.from !== undefined && { from: readTime(options.from, now, 'past') }),
          ...(options.to !== undefined && { to: readTime(options.to, now, 'past') }),
          ...(options.thresholds && { thresholds: options.thresholds }),
          ...(options.durations && { durations: options.durations }),
        },
      });
      if (session.json()) return session.terminal.json(preview);
      return showPreview(preview, session);
    });
  rules
    .command('export')
    .description('print all rules as a document for apply')
    .addOption(
      new Option('--format <format>', 'format of the document; yaml by default, json with --json').choices([
        'yaml',
        'json',
      ] as const),
    )
    .action(async ({ format }) => {
      const text = await exported(session, format ?? (session.json() ? 'json' : 'yaml'));
      return session.terminal.print(text.endsWith('\n') ? text : `${text}\n`);
    });
}

function exported(session: Session, format: 'yaml' | 'json'): Promise<string> {
  return session.client().get('/api/v1/alerts/rules', { params: { query: { format } }, parseAs: 'text' });
}

function rowOf(rule: Schema<'Rule'>, { terminal }: Session): (string | Cell)[] {
  const state = rule.enabled ? (rule.mode === 'shadow' ? `shadow ${rule.state}` : rule.state) : 'off';
  return [
    rule.id,
    rule.name,
    severityOf(rule, terminal),
    word(terminal, state),
    String(rule.firing_count || '-'),
    describeCondition(rule),
    describeChannels(rule),
  ];
}

function describeChanges(changes: Schema<'RuleSetChanges'>, dryRun: boolean): string {
  const kinds = ['created', 'updated', 'unchanged', 'deleted'] as const;
  const counts = kinds.map((kind) => `${changes[kind].length} ${kind}`).join(', ');
  const ids = kinds
    .filter((kind) => kind !== 'unchanged')
    .flatMap((kind) => (dryRun && kind === 'created' ? [] : changes[kind].map((id) => `  ${kind} ${id}\n`)));
  return `${dryRun ? 'would be: ' : ''}${safeText(counts)}\n${ids.join('')}`;
}

/** The severities of all levels of a rule, in the colour of the last and most severe one. */
function severityOf(rule: Schema<'Rule'>, terminal: Session['terminal']): Cell {
  const severities = severitiesOf(rule);
  const { paint } = word(terminal, severities.at(-1) ?? '');
  return { text: severities.join('/'), paint };
}

/**
 * Describes the channels of a rule: `nobody` without channels or in shadow mode, with remarks on channels that do not
 * exist.
 */
function describeChannels({ channels, mode, warnings }: Schema<'Rule'>): string {
  if (mode === 'shadow' || channels.length === 0) return 'nobody';
  const missing = warnings.some(({ code }) => code === 'channel_not_configured');
  return `${channels.join(' ')}${missing ? ' (not configured)' : ''}`;
}
