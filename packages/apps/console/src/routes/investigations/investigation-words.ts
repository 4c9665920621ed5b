import type { Investigation, InvestigationItem } from './investigation-reads.ts';

type Verdict = Pick<InvestigationItem, 'status' | 'conclusion' | 'confidence'>;

/** What an investigation came to, or how far it is, in a few words. */
export function verdictWords({ status, conclusion, confidence }: Verdict): string {
  switch (status) {
    case 'queued':
      return conclusion === null ? 'Waiting in the queue' : 'Waiting to run again';
    case 'running':
      return conclusion === null ? 'Running' : 'Running again';
    case 'failed':
      return 'Failed';
    case 'cancelled':
      return 'Cancelled';
    case 'completed':
      return `${conclusion === 'root_cause_found' ? 'Root cause found' : 'Inconclusive'} · confidence ${confidence}`;
  }
}

/** The same, short enough for a column: "Cause found, high confidence". */
export function shortVerdict(verdict: Verdict): string {
  const { status, conclusion, confidence } = verdict;
  if (status !== 'completed') return verdictWords(verdict);
  return conclusion === 'root_cause_found' ? `Cause found, ${confidence} confidence` : 'Inconclusive';
}

/** Why no cause is named, in a sentence. */
export function inconclusiveWords(analysis: Investigation['analysis']): string {
  switch (analysis?.inconclusive_reason) {
    case 'too_little_history':
      return 'There is too little history to name a cause.';
    case 'nothing_unusual':
      return 'Nothing unusual was found.';
    case 'several_alike':
      return 'Several causes are about as probable.';
    case 'cause_not_seen':
      return 'The cause is not in what Tidewatch sees.';
    default:
      return 'The investigation found no clear cause.';
  }
}

/** Whether findings may still arrive. */
export function isUnderWay({ status }: Pick<InvestigationItem, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/** Who worded the analysis, and why a model that is configured did not; null while there is none. */
export function authorWords({ status, analysis }: Pick<Investigation, 'status' | 'analysis'>): string | null {
  if (analysis === null) return null;
  const { source, model, model_status, model_reason } = analysis;
  if (source === 'llm') return `worded by the model ${model ?? 'that is configured'}`;
  if (isUnderWay({ status })) return 'statistics so far, a model is asked';
  switch (model_status) {
    case 'not_configured':
      return 'statistics only';
    case 'used':
      return `statistics only: ${model_reason ?? 'nothing that the model said was kept'}`;
    default:
      return `statistics only: ${model_reason ?? `the model was ${model_status}`}`;
  }
}
