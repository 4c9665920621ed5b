/** What an answer means for the bodies that were sent. */
export type SendVerdict =
  | { kind: 'accepted'; rejected: number; faults: string[] }
  | { kind: 'retry'; reason: string; retryAfterMs: number | undefined }
  | { kind: 'split'; reason: string }
  | { kind: 'refused'; reason: string };

export interface Answer {
  status: number;
  /** Retry-After as it came: seconds or an HTTP date. */
  retryAfter: string | null;
  body: string;
}

/** 2xx is accepted; 408, 429 and 5xx are tried again; 413 is tried in halves; every other answer is final. */
export function judgeAnswer(answer: Answer, sent: number, now: number): SendVerdict {
  const { status } = answer;
  if (status >= 200 && status < 300) {
    const { rejected, faults } = readAcceptance(answer.body);
    return { kind: 'accepted', rejected, faults };
  }
  const reason = `${status} ${readProblem(answer.body)}`.trim();
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: 'retry', reason, retryAfterMs: parseRetryAfter(answer.retryAfter, now) };
  }
  if (status === 413 && sent > 1) return { kind: 'split', reason };
  return { kind: 'refused', reason };
}

/** Milliseconds from now, at most an hour; undefined where the header is absent or unreadable. RFC 9110, 10.2.3. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), 3_600_000);
}

/** Full jitter: anywhere between nothing and an exponentially growing bound. `random` is in [0, 1). */
export function backoffMs(attempt: number, random: number): number {
  return random * Math.min(60_000, 500 * 2 ** Math.min(attempt, 20));
}

function readAcceptance(body: string): { rejected: number; faults: string[] } {
  try {
    const answer = JSON.parse(body) as {
      events_rejected?: number;
      errors?: { path?: string; message?: string }[];
    };
    const faults = (answer.errors ?? [])
      .slice(0, 5)
      .map((error) => `${error.path ?? ''}: ${error.message ?? ''}`);
    return { rejected: answer.events_rejected ?? 0, faults };
  } catch {
    return { rejected: 0, faults: [] };
  }
}

function readProblem(body: string): string {
  try {
    const problem = JSON.parse(body) as { code?: string; detail?: string; title?: string };
    return [problem.code, problem.detail ?? problem.title].filter(Boolean).join(': ');
  } catch {
    return body.slice(0, 200);
  }
}
