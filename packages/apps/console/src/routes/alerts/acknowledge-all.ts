import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemText } from '../../components/problem-text.ts';
import { acknowledge, keepAlert } from './acknowledge.ts';
import type { Alert } from './alert-reads.ts';
import { alertName } from './alert-words.ts';

/** An alert that could not be acknowledged, and why. */
export interface AcknowledgeFailure {
  id: string;
  name: string;
  detail: string;
}

/** Acknowledges alerts one after the other, with its progress and what failed. `run` returns what failed, too. */
export function useAcknowledgeAll() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  const [failures, setFailures] = useState<readonly AcknowledgeFailure[]>([]);
  const run = async (alerts: readonly Pick<Alert, 'id' | 'host' | 'rule_name'>[]) => {
    const failed: AcknowledgeFailure[] = [];
    setFailures([]);
    for (const [done, alert] of alerts.entries()) {
      setProgress({ done, of: alerts.length });
      try {
        keepAlert(client, await acknowledge(alert.id));
      } catch (error) {
        failed.push({ id: alert.id, name: alertName(alert), detail: problemText(error).detail });
      }
    }
    setProgress(null);
    setFailures(failed);
    return failed;
  };
  return { progress, failures, run };
}
