import { visibleText } from '@tidewatch/domain/prompt-text/clean-text';
import type { KeptClaim } from '@tidewatch/investigator/model/answer/check-claim';
import type { Replayed } from './replay.ts';

/** The report of a replay, as lines of text. */
export function reportLines({ record, explanation, named, score }: Replayed): string[] {
  const { analysis, usage, checkedAnswer } = explanation;
  const cause = record.findings.find(({ id }) => id === record.analysis?.root_cause_finding_id);
  const people = record.feedback?.actual_root_cause;
  const lines = [
    `${record.id} ${visibleText(record.title)}`,
    `  recorded cause: ${visibleText(cause?.title ?? 'none')}`,
    ...(people ? [`  cause by people: ${visibleText(people)}`] : []),
    `  model: ${analysis.model_status}${analysis.model_reason === null ? '' : `, ${analysis.model_reason}`}; ${usage.model_calls} calls, ${usage.tool_calls} of tools, ${usage.input_tokens} tokens read, ${usage.output_tokens} written, ${usage.seconds.toFixed(1)} s`,
  ];
  if (checkedAnswer === null) return lines;
  const section = (title: string, claims: readonly KeptClaim[]) =>
    claims.map(({ text, evidenceIds }) => `  ${title}: ${text} [${evidenceIds.join(', ')}]`);
  return [
    ...lines,
    ...section('summary', checkedAnswer.summary),
    ...section('root cause', checkedAnswer.rootCause),
    ...section('details', checkedAnswer.details),
    ...checkedAnswer.dropped.map(
      ({ text, reason }) => `  dropped: ${visibleText(text)} (${visibleText(reason)})`,
    ),
    `  named by the model: ${visibleText(named ?? 'none')}`,
    `  ${score.kept} claims kept, ${score.dropped} dropped; agrees with the record: ${word(score.agrees_with_record)}, with people: ${word(score.agrees_with_people)}`,
  ];
}

/** Summarises several replays in one line. */
export function totalLine(replayed: readonly Replayed[]): string {
  const scores = replayed.map(({ score }) => score);
  const sum = (of: (score: (typeof scores)[number]) => number) =>
    scores.reduce((all, each) => all + of(each), 0);
  const share = (of: 'agrees_with_record' | 'agrees_with_people') =>
    `${scores.filter((each) => each[of]).length} of ${scores.filter((each) => each[of] !== null).length}`;
  const answered = replayed.filter(({ explanation }) => explanation.checkedAnswer !== null).length;
  return `${answered} of ${replayed.length} answered; ${sum(({ kept }) => kept)} claims kept, ${sum(({ dropped }) => dropped)} dropped; agree with the record: ${share('agrees_with_record')}, with people: ${share('agrees_with_people')}`;
}

/** The report of a replay as an object, for programs. */
export function reportObject({ record, explanation, named, score }: Replayed): object {
  const { analysis, usage, checkedAnswer } = explanation;
  return {
    id: record.id,
    model_status: analysis.model_status,
    model_reason: analysis.model_reason,
    usage,
    named,
    named_finding_id: checkedAnswer?.namedFindingId ?? null,
    recorded_finding_id: record.analysis?.root_cause_finding_id ?? null,
    actual_root_cause: record.feedback?.actual_root_cause ?? null,
    score,
    claims: checkedAnswer,
  };
}

function word(agrees: boolean | null): string {
  return agrees === null ? 'nothing to compare with' : agrees ? 'yes' : 'no';
}
