import type { Investigation } from '@tidewatch/contracts/investigations/investigation';
import { newId } from '@tidewatch/contracts/values/id';
import { type Explanation, explain } from '@tidewatch/investigator/model/explain';
import { modelMetrics } from '@tidewatch/investigator/model/model-metrics';
import type { ModelSettings } from '@tidewatch/investigator/model/model-settings';
import { type Case, caseOf, findingOf } from '@tidewatch/investigator/model/prompt/case';
import { createBreaker } from '@tidewatch/investigator/model/provider/breaker';
import { openModel } from '@tidewatch/investigator/model/provider/language-model';
import type { SpendLedger } from '@tidewatch/investigator/model/spend/spend';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { frozenReader } from './frozen-reader.ts';

export interface ReplayParts {
  readonly settings: ModelSettings;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  clock(): number;
}

/** The score of a prompt on one investigation; null if there is nothing to compare with. */
export interface Score {
  readonly kept: number;
  readonly dropped: number;
  /** Whether the model names the same cause as the record, or both name none. */
  readonly agrees_with_record: boolean | null;
  /** Whether the cause in people's feedback contains the name of the cause that the model chose. */
  readonly agrees_with_people: boolean | null;
}

export interface Replayed {
  readonly record: Investigation;
  readonly explanation: Explanation;
  /** The title of the finding that the model chose as the cause. */
  readonly named: string | null;
  readonly score: Score;
}

/** A ledger without limits, because only the limits of a run apply to replays. */
const UNLIMITED: SpendLedger = { reserve: async () => ({ settle: async () => undefined }) };

/** Repeats the model's explanation of a stored investigation, with its prompt and evidence. Writes nothing. */
export async function replay(record: Investigation, parts: ReplayParts): Promise<Replayed> {
  const { settings, clock, logger, signal } = parts;
  const of = caseOf(record);
  const metrics = createMetrics();
  try {
    const explanation = await explain(
      {
        case: of,
        // Without the texts of the statistics, because only claims are compared.
        statistics: {
          summary: '',
          root_cause: null,
          root_cause_finding_id: of.rootCauseFindingId,
          inconclusive_reason: null,
          details_markdown: '',
          source: 'statistics',
          model: null,
          model_status: 'not_configured',
          model_reason: null,
          claims_dropped: 0,
        },
        deadline: clock() + settings.run.seconds * 1_000,
      },
      {
        settings,
        model: openModel(settings),
        reader: frozenReader(record.evidence),
        ledger: UNLIMITED,
        breaker: createBreaker(clock),
        signal,
        logger,
        metrics: modelMetrics(metrics),
        clock,
        newId,
      },
    );
    const named = findingOf(of, explanation.checkedAnswer?.namedFindingId ?? null);
    return { record, explanation, named: named?.title ?? null, score: scoreOf(of, record, explanation) };
  } finally {
    metrics.close();
  }
}

function scoreOf(of: Case, record: Investigation, { checkedAnswer }: Explanation): Score {
  if (checkedAnswer === null)
    return { kept: 0, dropped: 0, agrees_with_record: null, agrees_with_people: null };
  const named = findingOf(of, checkedAnswer.namedFindingId);
  const people = record.feedback?.actual_root_cause ?? null;
  return {
    kept: checkedAnswer.summary.length + checkedAnswer.rootCause.length + checkedAnswer.details.length,
    dropped: checkedAnswer.dropped.length,
    agrees_with_record: checkedAnswer.namedFindingId === of.rootCauseFindingId,
    agrees_with_people:
      people === null
        ? null
        : named !== null && people.toLowerCase().includes(named.subject.name.toLowerCase()),
  };
}
