import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { useEffect, useRef, useState } from 'react';
import { trustedUrl } from '../../../../workers/trusted-url.ts';
import type { HostHistory } from './read-history.ts';
import type { TrialRequest, TrialResponse } from './trial-worker.ts';
import workerUrl from './trial-worker.ts?worker&url';
import type { TriedHost } from './try-rule.ts';

const NONE: readonly TriedHost[] = [];

/** The alerts of the shown hosts, computed in a worker at each change of the rule. A newer rule replaces an older one. */
export function useTrial(rule: RuleDefinition | null, hosts: readonly HostHistory[]): readonly TriedHost[] {
  const worker = useRef<Worker | null>(null);
  const lastId = useRef(0);
  const [tried, setTried] = useState(NONE);
  useEffect(() => {
    const started = new Worker(trustedUrl(workerUrl), { type: 'module', name: 'tidewatch-trial' });
    started.onmessage = ({ data }: MessageEvent<TrialResponse>) => {
      if (data.id === lastId.current) setTried(data.hosts);
    };
    worker.current = started;
    return () => {
      started.terminate();
      worker.current = null;
    };
  }, []);
  useEffect(() => {
    if (rule === null || hosts.length === 0) return setTried(NONE);
    lastId.current += 1;
    const request: TrialRequest = { id: lastId.current, rule, hosts };
    worker.current?.postMessage(request);
  }, [rule, hosts]);
  return tried;
}
