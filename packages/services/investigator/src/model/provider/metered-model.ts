import { setTimeout as pause } from 'node:timers/promises';
import { wrapLanguageModel } from 'ai';
import type { ModelSettings } from '../model-settings.ts';
import { costOf, minus, NOTHING_SPENT, plus, type Spend } from '../spend/budget.ts';
import type { SpendBook } from '../spend/spend.ts';
import { CallRefused, retryAfterMs, wasFree } from './failure.ts';
import type { Model } from './language-model.ts';

/** Of JSON and English, the safe side: a token is rather longer. */
const CHARACTERS_OF_A_TOKEN = 3;

export interface Meter {
  readonly model: Model;
  /** What the run took so far; what was reserved where nobody knows better, or not yet. */
  spent(): Spend;
  /** Whether one more call would be the last that the limits of the run leave room for. */
  isLastCall(): boolean;
}

export interface MeterParts {
  readonly model: Model;
  readonly settings: Pick<ModelSettings, 'run' | 'prices'>;
  readonly book: SpendBook;
  readonly signal: AbortSignal;
  /** ms until the run has to end */
  remainingMs(): number;
  /** The book could not be asked, and the call is not made; or not be told, and what was reserved stays spent. */
  onBookFault(error: unknown): void;
}

/**
 * The model behind limits: each call is reserved before it is made and settled after, be it the first or a repetition.
 * A call that failed for a passing reason is made once more, where the server's pause leaves time for it. Throws
 * CallRefused where a limit forbids the call.
 */
export function meteredModel(parts: MeterParts): Meter {
  const { settings, book, signal } = parts;
  const { run, prices } = settings;
  let spent = NOTHING_SPENT;
  let wantedLast = 0;
  const tokens = () => spent.inputTokens + spent.outputTokens;

  function wantedFor(prompt: unknown): Spend {
    const inputTokens = Math.ceil(JSON.stringify(prompt).length / CHARACTERS_OF_A_TOKEN);
    const outputTokens = run.answerTokens;
    return { calls: 1, inputTokens, outputTokens, costMicros: costOf(inputTokens, outputTokens, prices) };
  }

  async function reserve(wanted: Spend) {
    wantedLast = wanted.inputTokens + wanted.outputTokens;
    if (spent.calls >= run.calls)
      throw new CallRefused('the limit of calls for one investigation is reached');
    if (tokens() + wantedLast > run.tokens)
      throw new CallRefused('the limit of tokens for one investigation is reached');
    const reservation = await book.reserve(wanted).catch((error: unknown) => {
      parts.onBookFault(error);
      return { refused: 'what models may still spend could not be found out' };
    });
    if ('refused' in reservation) throw new CallRefused(reservation.refused);
    spent = plus(spent, wanted);
    return async (took: Spend | null) => {
      if (took !== null) spent = plus(spent, minus(took, wanted));
      await reservation.settle(took).catch(parts.onBookFault);
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
            const inVain = waitMs === null || attempt > 1 || spent.calls >= run.calls;
            if (inVain || waitMs >= parts.remainingMs() / 2) throw error;
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

/** What a server says that it took; what was reserved where it does not say, or says what cannot be. */
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
