export interface Finding {
  check:
    | 'address'
    | 'parts'
    | 'processes'
    | 'dead letters'
    | 'jobs'
    | 'storage'
    | 'key'
    | 'clock'
    | 'hosts'
    | 'lag'
    | 'limits'
    | 'series'
    | 'alert instances'
    | 'notifications'
    | 'disk';
  /** The result of the check; `unknown` means that it was not possible, which alone is not a fault. */
  status: 'ok' | 'warning' | 'failed' | 'unknown';
  summary: string;
  /** Advice to the user; null if there is nothing to do. */
  advice: string | null;
}

/** The worst status of the findings. */
export function worst(findings: readonly Finding[]): 'ok' | 'warning' | 'failed' {
  if (findings.some(({ status }) => status === 'failed')) return 'failed';
  return findings.some(({ status }) => status === 'warning') ? 'warning' : 'ok';
}

export function finding(
  check: Finding['check'],
  status: Finding['status'],
  summary: string,
  advice: string | null = null,
): Finding {
  return { check, status, summary, advice };
}
