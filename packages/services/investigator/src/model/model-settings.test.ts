import { readConfig } from '@tidewatch/runtime/settings/config';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { describe, expect, it } from 'vitest';
import { modelSettings, readModelSettings } from './model-settings.ts';

const LOCAL = {
  TIDEWATCH_LLM_PROVIDER: 'openai-compatible',
  TIDEWATCH_LLM_BASE_URL: 'http://127.0.0.1:11434/v1/',
  TIDEWATCH_LLM_MODEL: 'qwen3:14b',
};

const read = (env: Record<string, string>) => readModelSettings(readConfig(modelSettings, env));

function refused(env: Record<string, string>): string {
  try {
    read(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('it was not refused');
}

describe('readModelSettings', () => {
  it.each([
    ['no variable', {}],
    [
      'the variables of other programs',
      { OPENAI_API_KEY: 'sk', OPENAI_BASE_URL: 'http://x', ANTHROPIC_API_KEY: 'sk', AI_GATEWAY_API_KEY: 'x' },
    ],
    ['limits only', { TIDEWATCH_LLM_HOURLY_CALLS: '5', TIDEWATCH_LLM_CRITICAL_RESERVE_PERCENT: '10' }],
    ['empty variables', { TIDEWATCH_LLM_PROVIDER: '', TIDEWATCH_LLM_MODEL: '' }],
  ])('configures no model from %s', (_, env) => {
    expect(read(env)).toBeNull();
  });

  it('accepts a local server without a key', () => {
    expect(read(LOCAL)).toMatchObject({
      provider: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:11434/v1',
      model: 'qwen3:14b',
      apiKey: undefined,
      run: { calls: 6, tokens: 100_000, seconds: 90, answerTokens: 4_000 },
      budget: { hour: { calls: 120, tokens: 1_000_000, costMicros: null }, reserve: 0.25 },
      prices: null,
    });
  });

  it('uses the address of Anthropic by default', () => {
    const env = { TIDEWATCH_LLM_PROVIDER: 'anthropic', TIDEWATCH_LLM_MODEL: 'm', TIDEWATCH_LLM_API_KEY: 'k' };
    expect(read(env)).toMatchObject({ baseUrl: 'https://api.anthropic.com/v1', apiKey: 'k' });
  });

  it('accepts limits in money together with prices', () => {
    const env = {
      ...LOCAL,
      TIDEWATCH_LLM_INPUT_PRICE: '0',
      TIDEWATCH_LLM_OUTPUT_PRICE: '15',
      TIDEWATCH_LLM_DAILY_COST: '2.5',
    };
    expect(read(env)).toMatchObject({
      prices: { input: 0, output: 15 },
      budget: { day: { costMicros: 2_500_000 }, hour: { costMicros: null } },
    });
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['a model without a provider', { TIDEWATCH_LLM_MODEL: 'm' }, ['TIDEWATCH_LLM_PROVIDER: is missing']],
    ['a key without a provider', { TIDEWATCH_LLM_API_KEY: 'k' }, ['TIDEWATCH_LLM_PROVIDER: is missing']],
    [
      'a provider without a model',
      { TIDEWATCH_LLM_PROVIDER: 'openai-compatible' },
      ['TIDEWATCH_LLM_MODEL: is missing', 'TIDEWATCH_LLM_BASE_URL: is missing'],
    ],
    [
      'Anthropic without a key',
      { TIDEWATCH_LLM_PROVIDER: 'anthropic', TIDEWATCH_LLM_MODEL: 'm' },
      ['TIDEWATCH_LLM_API_KEY: is missing'],
    ],
    [
      'a limit in money without prices',
      { ...LOCAL, TIDEWATCH_LLM_DAILY_COST: '1' },
      ['TIDEWATCH_LLM_INPUT_PRICE: is missing'],
    ],
    [
      'one price without the other',
      { ...LOCAL, TIDEWATCH_LLM_INPUT_PRICE: '1' },
      ['TIDEWATCH_LLM_OUTPUT_PRICE: is missing'],
    ],
    [
      'an unknown provider',
      { ...LOCAL, TIDEWATCH_LLM_PROVIDER: 'gateway' },
      ['TIDEWATCH_LLM_PROVIDER: must be'],
    ],
    [
      'a password in the address',
      { ...LOCAL, TIDEWATCH_LLM_BASE_URL: 'http://a:hunter2@b/v1' },
      ['TIDEWATCH_LLM_BASE_URL: must be'],
    ],
    [
      'an address that is not http or https',
      { ...LOCAL, TIDEWATCH_LLM_BASE_URL: 'file:///etc/passwd' },
      ['TIDEWATCH_LLM_BASE_URL: must be'],
    ],
    [
      'a key with a line break',
      { ...LOCAL, TIDEWATCH_LLM_API_KEY: 'hunter2\nx' },
      ['TIDEWATCH_LLM_API_KEY: must be'],
    ],
  ])('rejects %s with the name of the variable and without its value', (_, env, names) => {
    const message = refused(env);
    for (const name of names) expect(message).toContain(name);
    expect(message).not.toContain('hunter2');
  });
});
