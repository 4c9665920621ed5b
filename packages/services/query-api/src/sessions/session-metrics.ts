import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';

/** The metric that counts sign-ins. */
export interface SessionMetrics {
  /** Counts a sign-in by its outcome: `signed_in`, or the code of its problem. */
  signIn(outcome: string): void;
  crossSite(): void;
  open(sessions: number): void;
}

export function createSessionMetrics(metrics: Metrics): SessionMetrics {
  const signIns = metrics.counter(
    'tidewatch_sign_ins_total',
    'Sign-ins to the console, by outcome: signed_in, or the code of the problem.',
    ['outcome'],
  );
  const crossSite = metrics.counter(
    'tidewatch_cross_site_requests_total',
    'Requests with a session, and sign-ins, that were refused since they may come from another site.',
  );
  const open = metrics.gauge('tidewatch_sessions_open', 'Open sessions of all organizations.');
  signIns.inc({ outcome: 'signed_in' }, 0);
  return {
    signIn: (outcome) => signIns.inc({ outcome }),
    crossSite: () => crossSite.inc(),
    open: (sessions) => open.set(sessions),
  };
}
