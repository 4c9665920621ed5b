import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiProblem } from '@tidewatch/api-client/problem';
import type { Preview } from '@tidewatch/contracts/rules/preview';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { useState } from 'react';
import { api } from '../../../../api/client.ts';
import { useSettled } from '../../../../form/use-settled.ts';
import { conditionText } from '../../rule-words.ts';
import { candidateDurations, candidateThresholds } from '../draft.ts';
import type { MetricHistory } from './read-history.ts';

const RETRY_MS = 1_500;
const MAX_WAIT_MS = 60_000;

export interface PreviewResult {
  preview: Preview;
  /** The condition that it was computed for. */
  condition: string;
  durationMs: number;
}

/** What the rule would have done in the last 7 days. The former result stays until the next one arrives. */
export function usePreview(rule: RuleDefinition | null, history: MetricHistory | undefined) {
  const [isWaiting, setWaiting] = useState(false);
  const settled = useSettled(rule);
  const query = useQuery({
    queryKey: ['rule-preview', settled === null ? null : evaluatedPart(settled), history?.range ?? null],
    enabled: settled !== null && history !== undefined,
    staleTime: 60_000,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      readPreview(settled as RuleDefinition, history as MetricHistory, signal, setWaiting),
  });
  return { ...query, isWaiting, isOutdated: query.isPlaceholderData || settled !== rule };
}

/** The fields that change what a preview finds. */
function evaluatedPart({
  name: _,
  description: __,
  channels: ___,
  runbook_url: ____,
  ...rest
}: RuleDefinition) {
  return rest;
}

async function readPreview(
  rule: RuleDefinition,
  { range }: MetricHistory,
  signal: AbortSignal,
  setWaiting: (isWaiting: boolean) => void,
): Promise<PreviewResult> {
  const hasCurve = rule.thresholds === null && rule.threshold !== null && range !== null;
  const body = {
    rule,
    ...(hasCurve && {
      thresholds: candidateThresholds(rule, range),
      durations: candidateDurations(rule.duration_minutes),
    }),
  };
  const start = performance.now();
  for (;;) {
    try {
      const preview = await api.post('/api/v1/alerts/rules/preview', { body: body as never, signal });
      setWaiting(false);
      return {
        preview: preview as Preview,
        condition: conditionText(rule),
        durationMs: performance.now() - start,
      };
    } catch (error) {
      const isRunning = error instanceof ApiProblem && error.code === 'preview_running';
      if (!isRunning || signal.aborted || performance.now() - start > MAX_WAIT_MS) throw error;
      // An organization has one preview at a time.
      setWaiting(true);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
