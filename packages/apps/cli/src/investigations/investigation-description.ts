import type { Schema } from '@tidewatch/api-client/schema';
import { showFacts, showSection } from '../output/facts.ts';
import { safeText } from '../output/safe-text.ts';
import { elastic, numeric } from '../output/table.ts';
import type { Session } from '../session.ts';

type Investigation = Schema<'Investigation'>;

/** Prints an investigation as text: its summary, findings, timeline and recommendations. */
export async function describeInvestigation(investigation: Investigation, session: Session): Promise<void> {
  const { terminal } = session;
  await showFacts(session, investigation.title, factsOf(investigation));
  if (investigation.analysis !== null)
    await terminal.print(`\n${safeText(investigation.analysis.summary)}\n`);
  await describeFindings(investigation, session);
  await describeTimeline(investigation, session);
  await describeRecommendations(investigation, session);
}

function factsOf(investigation: Investigation): [string, string][] {
  const { status, conclusion, confidence, analysis, question, failure, feedback } = investigation;
  const author = analysis?.model ?? analysis?.source;
  return [
    ['id', investigation.id],
    ['status', status],
    ...(conclusion === null ? [] : [fact('conclusion', `${conclusion}, confidence ${confidence}`)]),
    ...(analysis?.inconclusive_reason
      ? [fact('because', analysis.inconclusive_reason.replaceAll('_', ' '))]
      : []),
    ...(failure === null ? [] : [fact('failure', failure)]),
    ['host', investigation.host],
    ['window', `${investigation.from} to ${investigation.to}`],
    ['alerts', investigation.alert_ids.join(' ') || '-'],
    ...(investigation.storm_alerts > 0
      ? [fact('shared by', `${investigation.storm_alerts} alerts of other hosts`)]
      : []),
    ...(question === null ? [] : [fact('question', question)]),
    ...(author === undefined ? [] : [fact('text by', author)]),
    ...(feedback === null ? [] : [fact('feedback', describeFeedback(feedback))]),
  ];
}

const fact = (name: string, value: string): [string, string] => [name, value];

function describeFeedback({
  helpful,
  actual_root_cause: cause,
  comment,
}: Schema<'InvestigationFeedback'>): string {
  return [helpful ? 'helpful' : 'not helpful', cause, comment].filter((part) => part).join('; ');
}

async function describeFindings({ findings, analysis }: Investigation, session: Session): Promise<void> {
  if (findings.length === 0) return;
  await showSection(session, 'findings', findings.length);
  const cause = analysis?.root_cause_finding_id;
  const rows = findings.map(({ id, kind, score, possible_cause, host, subject, title }) => [
    possible_cause === false ? '-' : score.toFixed(2),
    id === cause ? `${kind} (cause)` : kind,
    host,
    subject.kind === 'host' ? '-' : `${subject.kind}:${subject.name}`,
    title,
  ]);
  const columns = [numeric('SCORE'), 'KIND', elastic('HOST'), elastic('SUBJECT'), elastic('WHAT')];
  await session.terminal.table(columns, rows);
}

async function describeTimeline({ timeline }: Investigation, session: Session): Promise<void> {
  if (timeline.length === 0) return;
  await showSection(session, 'timeline', timeline.length);
  const rows = timeline.map(({ at, type, title }) => [at, type, title]);
  await session.terminal.table(['AT', 'TYPE', elastic('WHAT')], rows);
}

async function describeRecommendations({ recommendations }: Investigation, session: Session): Promise<void> {
  if (recommendations.length === 0) return;
  const { terminal } = session;
  await showSection(session, 'recommendations', recommendations.length);
  for (const { priority, title, description, command, risk } of recommendations) {
    await terminal.print(`${priority}: ${safeText(title)}\n  ${safeText(description)}\n`);
    if (command !== null) await terminal.print(`  $ ${safeText(command)}\n`);
    await terminal.print(`  risk: ${safeText(risk)}\n`);
  }
}
