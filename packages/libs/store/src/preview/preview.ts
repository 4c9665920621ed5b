import { subjectKindOf } from '@tidewatch/contracts/rules/rule-metric';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { TrialRules } from '@tidewatch/domain/preview/trial-rules';
import { type CompiledRule, compileRule } from '@tidewatch/domain/rules/rule';
import type { PreviewContext, PreviewRequest, RulesOfSubject } from './preview-context.ts';
import { previewProcesses } from './processes.ts';
import { previewStreams } from './streams.ts';
import { type FoundAlert, Tally } from './tally.ts';

export interface PreviewOutcome {
  services: number;
  /** The alerts, newest first. */
  alerts: readonly FoundAlert[];
  total: number;
  /** The number of times that each candidate fired. */
  fired: readonly number[];
}

/** The statement timeout of a preview, ms. */
const MAX_STATEMENT_MS = 15_000;

/**
 * Evaluates a rule on stored values with the same code as live evaluation: from one snapshot of the database, read-only and
 * in bounded memory. Throws `PreviewTooLargeError` if there are too many values.
 */
export async function previewRule(sql: Sql, request: PreviewRequest): Promise<PreviewOutcome> {
  const tally = new Tally(1 + request.candidates.length, request.maxAlerts);
  const { rulesOf, appliesTo } = rulesOfSubjects(request);
  await readOnly(sql, async (tx) => {
    const context = { tx, request, rulesOf, appliesTo, tally };
    if (subjectKindOf(request.rule.metric) === 'process') return previewProcesses(context);
    const [exported] = await tx<{ snapshot: string }[]>`select pg_export_snapshot() as snapshot`;
    const adopt = `set transaction snapshot '${exported?.snapshot}'`;
    await readOnly(sql, (second) => previewStreams(context, [tx, second]), adopt);
  });
  const [total = 0, ...fired] = tally.fired;
  return { services: tally.services, alerts: tally.alerts, total, fired };
}

/** Runs `work` in a read-only transaction whose first statement is `first`. */
async function readOnly(sql: Sql, work: (tx: Transaction) => Promise<void>, first?: string): Promise<void> {
  await sql.begin('isolation level repeatable read read only', async (tx) => {
    if (first !== undefined) await tx.unsafe(first);
    await tx.unsafe(`set local statement_timeout = ${MAX_STATEMENT_MS}`);
    await work(tx);
  });
}

function rulesOfSubjects({
  organizationId,
  rule,
  candidates,
}: PreviewRequest): Pick<PreviewContext, 'rulesOf' | 'appliesTo'> {
  const compiled = [rule, ...candidates].map((definition) =>
    compileRule({ id: '', organizationId, version: 1, definition }),
  );
  const known = new Map<CompiledRule, TrialRules>();
  const rulesOf: RulesOfSubject = (host, tags, part) => {
    const own = compiled[0]?.forSubject(host, tags, part) ?? null;
    if (own === null) return null;
    const others = () =>
      compiled.slice(1).flatMap((candidate) => candidate.forSubject(host, tags, part) ?? []);
    const rules = known.get(own) ?? new TrialRules(own, others());
    known.set(own, rules);
    return rules;
  };
  return { rulesOf, appliesTo: (host, tags) => (compiled[0]?.forHost(host, tags) ?? null) !== null };
}
