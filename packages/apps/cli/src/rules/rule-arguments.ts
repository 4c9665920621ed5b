import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { collect, parseDuration, parseNumber, parsePair, text } from '../arguments.ts';
import { gatherTags } from '../selector.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';
import { chooseRule, readRuleDocument } from './rule-document.ts';

const CONDITIONS: Readonly<Record<string, Schema<'RuleInput'>['condition']>> = {
  '>': 'greater_than',
  '>=': 'greater_than_or_equal',
  '<': 'less_than',
  '<=': 'less_than_or_equal',
  '=': 'equal',
  '!=': 'not_equal',
};

const EXAMPLES = `
Examples:
  tidewatch rules create --name "CPU is busy" --when "cpu_percent > 90" --for 5m --channel default
  tidewatch rules create --name "API is slow" --when "latency_ms >= 800" --severity critical --host "api-*"
  tidewatch rules create --file rule.yaml`;

export interface RuleOptions {
  file?: string | undefined;
  name?: string | undefined;
  when?: string | undefined;
  for?: number | undefined;
  severity?: 'critical' | 'warning' | 'info' | undefined;
  channel?: string[] | undefined;
  host?: string[] | undefined;
  tag?: [string, string][] | undefined;
}

/** Adds `rules create`, which hands what its options say to `create`. */
export function addRuleCreate(
  rules: CommandUnknownOpts,
  create: (options: RuleOptions) => Promise<void>,
): void {
  rules
    .command('create')
    .description('create an alert rule from options, or from a document with one rule')
    .option('--name <text>', 'name of the rule')
    .option('--when <condition>', 'the condition that must hold, such as "cpu_percent > 90"')
    .option('--for <duration>', 'how long it must hold; 5m unless given', parseDuration)
    .addOption(
      new Option('--severity <severity>', 'warning unless given').choices([
        'critical',
        'warning',
        'info',
      ] as const),
    )
    .option('--channel <channel>', 'default, a kind, or the id of a channel (again for more)', collect(text))
    .option('--host <pattern>', 'of these hosts alone (again for more)', collect(text))
    .option('--tag <name=pattern>', 'of hosts with this tag alone (again for more)', collect(parsePair))
    .option('--file <file>', 'a document with the rule in place of the other options; - for standard input')
    .addHelpText('after', EXAMPLES)
    .action((options) => create(options));
}

/** The body of a new rule that the options spell. Throws UsageError where they do not fit together. */
export async function createBody(
  session: Pick<Session, 'directory' | 'input'>,
  { file, ...options }: RuleOptions,
): Promise<Schema<'RuleInput'>> {
  if (file !== undefined) {
    if (Object.values(options).some((value) => value !== undefined))
      throw new UsageError('--file stands alone: everything else is in the document');
    return chooseRule(await readRuleDocument(session, file), undefined) as Schema<'RuleInput'>;
  }
  const { name, when, for: lasting, severity, channel, host, tag } = options;
  if (name === undefined || when === undefined) throw new UsageError('give --name and --when, or --file');
  return {
    name,
    ...readCondition(when),
    ...(lasting !== undefined && { duration_minutes: minutesOf(lasting) }),
    ...(severity && { severity }),
    ...(channel && { channels: channel }),
    ...((host || tag) && { scope: { ...(host && { hosts: host }), ...(tag && { tags: gatherTags(tag) }) } }),
  };
}

/** `cpu_percent > 90` as the fields of a rule. Throws UsageError. */
export function readCondition(when: string): Pick<Schema<'RuleInput'>, 'metric' | 'condition' | 'threshold'> {
  const [, metric = '', sign = '', bound = ''] =
    /^\s*(.*?[^<>=!\s])\s*(>=|<=|!=|>|<|=)\s*(\S+)\s*$/.exec(when) ?? [];
  const condition = CONDITIONS[sign];
  if (condition === undefined || !Number.isFinite(Number(bound)))
    throw new UsageError(
      `--when ${when} is not METRIC SIGN NUMBER, such as "cpu_percent > 90"; signs are ${Object.keys(CONDITIONS).join(' ')}`,
    );
  return { metric, condition, threshold: parseNumber(bound) };
}

function minutesOf(ms: number): number {
  const minutes = ms / 60_000;
  if (!Number.isInteger(minutes))
    throw new UsageError('--for takes whole minutes, such as 5m; 0s fires at once');
  return minutes;
}
