import { type ConfigOf, setting, wholeNumber } from '@tidewatch/runtime/settings/config';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { z } from 'zod';
import type { Budget, Prices } from './spend/budget.ts';

export const PROVIDERS = ['openai-compatible', 'anthropic'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

const ANTHROPIC_URL = 'https://api.anthropic.com/v1';

/** A price or an amount of money; all are in the same currency. */
function amount() {
  return z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a number such as 0.25')
    .transform(Number)
    .optional();
}

/** The settings of a process that can call a language model. */
export const modelSettings = {
  llmProvider: setting({
    env: 'TIDEWATCH_LLM_PROVIDER',
    schema: z.enum(PROVIDERS, { error: `must be ${PROVIDERS.join(' or ')}` }).optional(),
    meaning:
      'The API of the language model that explains investigations: openai-compatible (also for most local servers) or anthropic.',
    default: 'none, and then no model is called',
    example: 'openai-compatible',
  }),
  llmBaseUrl: setting({
    env: 'TIDEWATCH_LLM_BASE_URL',
    schema: z
      .string()
      .regex(
        /^https?:\/\/[^\s?#@]+$/i,
        'must be an http or https address without password, query and fragment',
      )
      .refine((text) => URL.canParse(text), 'must be an http or https address')
      .transform((text) => text.replace(/\/+$/, ''))
      .optional(),
    meaning:
      'The address of the API of the model, which may be private; /chat/completions or /messages is appended.',
    default: `none; with anthropic ${ANTHROPIC_URL}`,
    example: 'http://127.0.0.1:11434/v1',
  }),
  llmModel: setting({
    env: 'TIDEWATCH_LLM_MODEL',
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, 'must be a name without spaces')
      .optional(),
    meaning: 'The name of the model on its server.',
    example: 'qwen3:14b',
  }),
  llmApiKey: setting({
    env: 'TIDEWATCH_LLM_API_KEY',
    schema: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
      .optional(),
    meaning:
      'The key of the API of the model; most local servers need none. Variables of other programs are not read.',
    example: 'sk-…',
    secret: true,
  }),
  llmRunCalls: setting({
    env: 'TIDEWATCH_LLM_RUN_CALLS',
    schema: wholeNumber(1, 20).default(6),
    meaning: 'The maximum number of calls of the model in one investigation.',
    example: '3',
  }),
  llmRunTokens: setting({
    env: 'TIDEWATCH_LLM_RUN_TOKENS',
    schema: wholeNumber(1_000, 10_000_000).default(100_000),
    meaning: 'The maximum number of tokens, read and written, in one investigation.',
    example: '40000',
  }),
  llmRunSeconds: setting({
    env: 'TIDEWATCH_LLM_RUN_SECONDS',
    schema: wholeNumber(1, 150).default(90),
    meaning: 'The maximum time that one investigation waits for the model in total, in seconds.',
    example: '45',
  }),
  llmAnswerTokens: setting({
    env: 'TIDEWATCH_LLM_ANSWER_TOKENS',
    schema: wholeNumber(200, 100_000).default(4_000),
    meaning: 'The maximum number of tokens in one answer, including thinking.',
    example: '8000',
  }),
  llmHourlyCalls: setting({
    env: 'TIDEWATCH_LLM_HOURLY_CALLS',
    schema: wholeNumber(0, 1_000_000).default(120),
    meaning: 'The maximum number of calls of models in an hour, of all processes and organizations together.',
    example: '30',
  }),
  llmDailyCalls: setting({
    env: 'TIDEWATCH_LLM_DAILY_CALLS',
    schema: wholeNumber(0, 10_000_000).default(1_000),
    meaning: 'The same within 24 hours.',
    example: '200',
  }),
  llmHourlyTokens: setting({
    env: 'TIDEWATCH_LLM_HOURLY_TOKENS',
    schema: wholeNumber(0, 1_000_000_000).default(1_000_000),
    meaning:
      'The maximum number of tokens, read and written, in an hour, of all processes and organizations together.',
    example: '200000',
  }),
  llmDailyTokens: setting({
    env: 'TIDEWATCH_LLM_DAILY_TOKENS',
    schema: wholeNumber(0, 10_000_000_000).default(8_000_000),
    meaning: 'The same within 24 hours.',
    example: '1000000',
  }),
  llmInputPrice: setting({
    env: 'TIDEWATCH_LLM_INPUT_PRICE',
    schema: amount(),
    meaning: 'The price of a million tokens that the model reads; required for limits in money.',
    example: '3',
  }),
  llmOutputPrice: setting({
    env: 'TIDEWATCH_LLM_OUTPUT_PRICE',
    schema: amount(),
    meaning: 'The price of a million tokens that the model writes.',
    example: '15',
  }),
  llmHourlyCost: setting({
    env: 'TIDEWATCH_LLM_HOURLY_COST',
    schema: amount(),
    meaning: 'The maximum cost in an hour, in the currency of the prices.',
    example: '1.50',
  }),
  llmDailyCost: setting({
    env: 'TIDEWATCH_LLM_DAILY_COST',
    schema: amount(),
    meaning: 'The maximum cost within 24 hours, in the currency of the prices.',
    example: '10',
  }),
  llmCriticalReserve: setting({
    env: 'TIDEWATCH_LLM_CRITICAL_RESERVE_PERCENT',
    schema: wholeNumber(0, 100).default(25),
    meaning:
      'The percentage of each hourly and daily limit that is reserved for investigations of critical alerts.',
    example: '50',
  }),
};

/** The limits of one investigation. */
export interface RunLimits {
  readonly calls: number;
  readonly tokens: number;
  readonly seconds: number;
  readonly answerTokens: number;
}

/** The configuration of a model. */
export interface ModelSettings {
  readonly provider: ProviderName;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly run: RunLimits;
  readonly budget: Budget;
  readonly prices: Prices | null;
}

/** Reads the configuration of the model; null where none is configured. Throws ConfigError if it is incomplete. */
export function readModelSettings(config: ConfigOf<typeof modelSettings>): ModelSettings | null {
  const { llmProvider: provider, llmModel: model, llmApiKey: apiKey } = config;
  const problems: string[] = [];
  const need = (field: keyof typeof modelSettings, because: string) => {
    if (config[field] === undefined) problems.push(`${modelSettings[field].env}: is missing, ${because}`);
  };
  if (provider === undefined) {
    for (const field of ['llmBaseUrl', 'llmModel', 'llmApiKey'] as const) {
      if (config[field] !== undefined) need('llmProvider', `while ${modelSettings[field].env} is given`);
    }
    refuse(problems.slice(0, 1));
    return null;
  }
  const because = `which a model of ${modelSettings.llmProvider.env}=${provider} needs`;
  need('llmModel', because);
  need(provider === 'anthropic' ? 'llmApiKey' : 'llmBaseUrl', because);
  for (const [field, other] of [
    ['llmInputPrice', 'llmOutputPrice'],
    ['llmOutputPrice', 'llmInputPrice'],
    ['llmHourlyCost', 'llmInputPrice'],
    ['llmDailyCost', 'llmInputPrice'],
  ] as const) {
    if (config[field] !== undefined) need(other, `while ${modelSettings[field].env} is given`);
  }
  refuse([...new Set(problems)]);
  return {
    provider,
    baseUrl: config.llmBaseUrl ?? ANTHROPIC_URL,
    model: model ?? '',
    apiKey,
    run: {
      calls: config.llmRunCalls,
      tokens: config.llmRunTokens,
      seconds: config.llmRunSeconds,
      answerTokens: config.llmAnswerTokens,
    },
    budget: {
      hour: limits(config.llmHourlyCalls, config.llmHourlyTokens, config.llmHourlyCost),
      day: limits(config.llmDailyCalls, config.llmDailyTokens, config.llmDailyCost),
      reserve: config.llmCriticalReserve / 100,
    },
    prices:
      config.llmInputPrice === undefined || config.llmOutputPrice === undefined
        ? null
        : { input: config.llmInputPrice, output: config.llmOutputPrice },
  };
}

function limits(calls: number, tokens: number, cost: number | undefined) {
  return { calls, tokens, costMicros: cost === undefined ? null : Math.round(cost * 1e6) };
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new ConfigError(`The settings are not usable:\n  ${problems.join('\n  ')}`);
}
