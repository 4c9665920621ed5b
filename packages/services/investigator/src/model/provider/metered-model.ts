import { setTimeout as pause } from 'node:timers/promises';
import { wrapLanguageModel } from 'ai';
import type { ModelSettings } from '../model-settings.ts';
import { costOf, minus, NOTHING_SPENT, plus, type Spend } from '../spend/budget.ts';
import type { SpendLedger } from '../spend/spend.ts';
import { CallRefused, retryAfterMs, wasFree } from './failure.ts';
import type { Model } from './language-model.ts';

/** A low estimate for JSON and English, so that the number of tokens is rather estimated too high. */
const CHARACTERS_PER_TOKEN = 3;

export interface Meter {
  readonly model: Model;
  /** The spend of the run so far, including reservations of calls whose actual spend is unknown. */
  spent(): Spend;
  /** Whether the limits of the run allow only one more call. */
  isLastCall(): boolean;
}

export interface MeterParts {
  readonly model: Model;
  readonly settings: Pick<ModelSettings, 'run' | 'prices'>;
  readonly ledger: SpendLedger;
  readonly signal: AbortSignal;
  /** The time until the run must end, ms. */
  remainingMs(): number;
  /**
   * Called when the ledger fails. A call that could not be reserved is not made; one that could not be settled stays
   * reserved.
   */
  onLedgerError(error: unknown): void;
}

/**
 * Wraps the model with limits: each call is reserved before and settled after. A call with a temporary failure is retried
 * once, if the pause that the server asks for leaves time. Throws CallRefused if a limit forbids the call.
 */
export function meteredModel(parts: MeterParts): Meter {
  const { settings, ledger, signal } = parts;
  const { run, prices } = settings;
  let spent = NOTHING_SPENT;
  let wantedLast = 0;
  const tokens = () => spent.inputTokens + spent.outputTokens;

  function wantedFor(prompt: unknown): Spend {
    const inputTokens = Math.ceil(JSON.stringify(prompt).length / CHARACTERS_PER_TOKEN);
    const outputTokens = run.answerTokens;
    return { calls: 1, inputTokens, outputTokens, costMicros: costOf(inputTokens, outputTokens, prices) };
  }

  async function reserve(wanted: Spend) {
    wantedLast = wanted.inputTokens + wanted.outputTokens;
    if (spent.calls >= run.calls)
      throw new CallRefused('the limit of calls for one investigation is reached');
    if (tokens() + wantedLast > run.tokens)
      throw new CallRefused('the limit of tokens for one investigation is reached');
    const reservation = await ledger.reserve(wanted).catch((error: unknown) => {
      parts.onLedgerError(error);
      return { refused: 'the remaining budget for models could not be read' };
    });
    if ('refused' in reservation) throw new CallRefused(reservation.refused);
    spent = plus(spent, wanted);
    return async (took: Spend | null) => {
      if (took !== null) spent = plus(spent, minus(took, wanted));
      await reservation.settle(took).catch(parts.onLedgerError);
    };
  }

  const model = wrapLanguageModel({
    model: parts.model,
    middleware: {
      specificationVersion: 'v4',
      wrapGenerate: async ({ doGenerate, params }) => {
        const wanted = wantedFor([params.prompt, params.tools, params.responseFormat]);
        for (let attempt = 1; ; attempt += 1) {
          const settle = await reserve(wanted);
          try {
            const result = await doGenerate();
            await settle(tookBy(result.usage, wanted, prices));
            return result;
          } catch (error) {
            await settle(wasFree(error) ? { ...NOTHING_SPENT, calls: 1 } : null);
            const waitMs = retryAfterMs(error);
            const isUseless = waitMs === null || attempt > 1 || spent.calls >= run.calls;
            if (isUseless || waitMs >= parts.remainingMs() / 2) throw error;
            await pause(waitMs, undefined, { signal });
          }
        }
      },
    },
  });

  return {
    model,
    spent: () => spent,
    isLastCall: () =>
      spent.calls >= run.calls - 1 || tokens() + 2 * Math.max(wantedLast, run.answerTokens) > run.tokens,
  };
}

/** The spend that the server reports; the reserved spend if the report is missing or implausible. */
function tookBy(
  usage: { inputTokens: { total?: number | undefined }; outputTokens: { total?: number | undefined } },
  wanted: Spend,
  prices: MeterParts['settings']['prices'],
): Spend {
  const inputTokens = plausible(usage.inputTokens.total, wanted.inputTokens);
  const outputTokens = plausible(usage.outputTokens.total, wanted.outputTokens);
  return { calls: 1, inputTokens, outputTokens, costMicros: costOf(inputTokens, outputTokens, prices) };
}

const MAX_TOKENS = 100_000_000;

function plausible(tokens: number | undefined, reserved: number): number {
  return tokens !== undefined && tokens >= 0 && tokens <= MAX_TOKENS ? Math.ceil(tokens) : reserved;
}
