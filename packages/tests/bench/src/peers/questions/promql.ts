import type { HttpClient } from '../http-client.ts';
import { type Answer, emptySteps, MEAN, type Question, STEP_MS } from './question.ts';

/**
 * The range queries of a question, one for each panel as a dashboard sends them. A range of PromQL leaves out its older end
 * and includes its newer one, so that each minute is read as of its last millisecond.
 */
export function rangeQueries(question: Question): string[] {
  const minute = `[${STEP_MS / 1_000}s]`;
  if (question.kind === 'host')
    return question.metrics.map((metric) => `avg_over_time(${metric}{host="${question.host}"}${minute})`);
  const own = `avg_over_time(${question.metric}${minute})`;
  return [question.kind === 'mean' ? `avg(${own})` : own];
}

/** Asks a server of Prometheus' API. `nocache` keeps VictoriaMetrics from moving the range to multiples of the step. */
export function askPromql(http: HttpClient, question: Question): Promise<Buffer[]> {
  const start = String((question.fromMs + STEP_MS - 1) / 1_000);
  const end = String((question.toMs - 1) / 1_000);
  return Promise.all(
    rangeQueries(question).map((query) => {
      const parameters = new URLSearchParams({
        query,
        start,
        end,
        step: String(STEP_MS / 1_000),
        nocache: '1',
      });
      return http.get(`/api/v1/query_range?${parameters}`);
    }),
  );
}

interface Matrix {
  data: { result: { metric: Record<string, string>; values: [time: number, value: string][] }[] };
}

export function parsePromql(question: Question, answer: readonly Buffer[]): Answer {
  const parsed: Answer = new Map();
  for (const [index, bytes] of answer.entries()) {
    const { data } = JSON.parse(bytes.toString()) as Matrix;
    for (const { metric, values } of data.result) {
      const steps = emptySteps(question);
      for (const [seconds, value] of values)
        steps[Math.floor((Math.round(seconds * 1_000) - question.fromMs) / STEP_MS)] = Number(value);
      parsed.set(nameOf(question, index, metric['host'] ?? ''), steps);
    }
  }
  return parsed;
}

function nameOf(question: Question, index: number, host: string): string {
  if (question.kind === 'host') return question.metrics[index] ?? '';
  return question.kind === 'mean' ? MEAN : host;
}
