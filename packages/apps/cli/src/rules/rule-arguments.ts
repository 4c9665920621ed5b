import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { CONDITION_FACTS, CONDITIONS } from '@tidewatch/contracts/rules/condition';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';
import { SEVERITIES } from '../alerts/severities.ts';
import { collect, parseAssignment, parseDuration, parseNumber, text } from '../arguments.ts';
import { gatherTags } from '../selector.ts';
import type { Session } from '../session.ts';
import { chooseRule, readRuleDocument } from './rule-document.ts';

/** The conditions with one threshold. */
const COMPARISONS = CONDITIONS.filter((each) => !CONDITION_FACTS[each].isRange);

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

/** Adds `rules create`, which passes its options to `create`. */
export function addRuleCreate(
  rules: CommandUnknownOpts,
  create: (options: RuleOptions) => Promise<void>,
): void {
  rules
    .command('create')
    .description('create an alert rule from options, or from a document with one rule')
    .option('--name <text>', 'name of the rule')
    .option('--when <condition>', 'condition, such as "cpu_percent > 90"')
    .option('--for <duration>', 'how long the condition must hold; 5m by default', parseDuration)
    .addOption(
      new Option('--severity <severity>', 'severity of the alerts; warning by default').choices(SEVERITIES),
    )
    .option('--channel <channel>', 'default, a kind, or the id of a channel (repeatable)', collect(text))
    .option('--host <pattern>', 'only for these hosts (repeatable)', collect(text))
    .option('--tag <name=pattern>', 'only for hosts with this tag (repeatable)', collect(parseAssignment))
    .option('--file <file>', 'document with the rule instead of the other options; - for standard input')
    .addHelpText('after', EXAMPLES)
    .action((options) => create(options));
}

/** Builds the body of a new rule from the options. Throws UsageError for options that exclude each other. */
export async function createBody(
  session: Pick<Session, 'directory' | 'input'>,
  { file, ...options }: RuleOptions,
): Promise<Schema<'RuleInput'>> {
  if (file !== undefined) {
    if (Object.values(options).some((value) => value !== undefined))
      throw new UsageError('--file excludes all other options: put their values into the document');
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

/** Parses `cpu_percent > 90` into the fields of a rule. Throws UsageError. */
export function readCondition(when: string): Pick<Schema<'RuleInput'>, 'metric' | 'condition' | 'threshold'> {
  const [, metric = '', sign = '', bound = ''] =
    /^\s*(.*?[^<>=!\s])\s*([<>=!]{1,2})\s*(\S+)\s*$/.exec(when) ?? [];
  const condition = COMPARISONS.find((each) => CONDITION_FACTS[each].sign === sign);
  if (condition === undefined || !Number.isFinite(Number(bound)))
    throw new UsageError(
      `--when ${when} is not METRIC OPERATOR NUMBER, such as "cpu_percent > 90"; the operators are ${COMPARISONS.map((each) => CONDITION_FACTS[each].sign).join(' ')}`,
    );
  return { metric, condition, threshold: parseNumber(bound) };
}

function minutesOf(ms: number): number {
  const minutes = ms / MINUTE_MS;
  if (!Number.isInteger(minutes))
    throw new UsageError('--for must be whole minutes, such as 5m; 0s fires immediately');
  return minutes;
}
