import type { HttpClient } from '../http-client.ts';
import { type Answer, emptySteps, MEAN, type Question, STEP_MS } from './question.ts';

const BASE = '/api/v1';

/** Asks Tidewatch; `ids` holds the ids of services by host. */
export async function askTidewatch(
  http: HttpClient,
  ids: ReadonlyMap<string, string>,
  question: Question,
): Promise<Buffer[]> {
  const range = {
    from: new Date(question.fromMs).toISOString(),
    to: new Date(question.toMs).toISOString(),
  };
  if (question.kind === 'host') {
    const parameters = new URLSearchParams({
      ...range,
      metrics: question.metrics.join(','),
      step: String(STEP_MS / 1_000),
    });
    return [await http.get(`${BASE}/services/${ids.get(question.host)}/metrics?${parameters}`)];
  }
  const by = question.kind === 'hosts' ? { by: 'host' } : {};
  const body = JSON.stringify({ metric: question.metric, ...range, step: STEP_MS / 1_000, ...by });
  return [await http.post(`${BASE}/query`, body, { 'content-type': 'application/json' })];
}

interface Series {
  series: {
    metric?: string;
    host?: string | null;
    points: { t: string; avg?: number; value?: number }[];
  }[];
}

export function parseTidewatch(question: Question, answer: readonly Buffer[]): Answer {
  const parsed: Answer = new Map();
  const { series } = JSON.parse((answer[0] ?? Buffer.from('{"series":[]}')).toString()) as Series;
  for (const { metric, host, points } of series) {
    const steps = emptySteps(question);
    for (const { t, avg, value } of points)
      steps[(Date.parse(t) - question.fromMs) / STEP_MS] = avg ?? value ?? Number.NaN;
    parsed.set((question.kind === 'host' ? metric : question.kind === 'hosts' ? host : MEAN) ?? '', steps);
  }
  return parsed;
}
