import type { Evidence } from '@tidewatch/contracts/investigations/finding';
import type { EvidenceDraft } from '@tidewatch/domain/investigation/finding';
import { isAskedByModel } from '@tidewatch/investigator/model/prompt/case';
import type { EvidenceReader } from '@tidewatch/investigator/model/tools/evidence-reader';
import { QUESTION_STAT, questionKey } from '@tidewatch/investigator/model/tools/question-key';

/**
 * Answers the queries of a model's tools from the evidence that was stored with the investigation; other data is reported
 * as missing.
 */
export function frozenReader(evidence: readonly Evidence[]): EvidenceReader {
  const byQuestion = new Map(
    evidence.filter(isAskedByModel).map((each) => [each.stats[QUESTION_STAT], each]),
  );
  const answer = (tool: string) => async (question: object) => {
    const frozen = byQuestion.get(questionKey(tool, question));
    return frozen === undefined ? null : draftOf(frozen);
  };
  return {
    series: answer('read_series'),
    processes: answer('read_processes'),
    parts: answer('read_parts'),
    alerts: answer('read_alerts'),
    hosts: answer('find_hosts'),
  };
}

function draftOf({ id, query, from, to, stats, points }: Evidence): EvidenceDraft {
  return { ref: id, query, from: Date.parse(from), to: Date.parse(to), stats, points };
}
