import type { HttpClient } from '../http-client.ts';
import { type Answer, emptySteps, MEAN, type Question, STEP_MS } from './question.ts';

/** The statement of a question. The mean over hosts is that of the means of hosts, as for the other systems. */
export function statementOf(question: Question): string {
  const range = `time >= ${question.fromMs}ms and time < ${question.toMs}ms`;
  const minute = `time(${STEP_MS / 1_000}s)`;
  if (question.kind === 'host') {
    const means = question.metrics.map((metric) => `mean(${metric}) as ${metric}`).join(', ');
    return `select ${means} from host where host = '${question.host}' and ${range} group by ${minute}`;
  }
  const own = `select mean(${question.metric}) as ${question.metric} from host where ${range} group by ${minute}, host`;
  if (question.kind === 'hosts') return own;
  return `select mean(${question.metric}) as ${MEAN} from (${own}) where ${range} group by ${minute}`;
}

export async function askInfluxql(http: HttpClient, question: Question): Promise<Buffer[]> {
  const parameters = new URLSearchParams({ db: 'bench', epoch: 'ms', q: statementOf(question) });
  return [await http.get(`/query?${parameters}`)];
}

interface Results {
  results: {
    series?: { tags?: { host?: string }; columns: string[]; values: (number | null)[][] }[];
  }[];
}

export function parseInfluxql(question: Question, answer: readonly Buffer[]): Answer {
  const parsed: Answer = new Map();
  const { results } = JSON.parse((answer[0] ?? Buffer.from('{"results":[]}')).toString()) as Results;
  for (const { tags, columns, values } of results[0]?.series ?? []) {
    for (const [column, name] of columns.entries()) {
      if (column === 0) continue;
      const steps = emptySteps(question);
      for (const row of values)
        steps[((row[0] ?? 0) - question.fromMs) / STEP_MS] = row[column] ?? Number.NaN;
      parsed.set(question.kind === 'hosts' ? (tags?.host ?? '') : name, steps);
    }
  }
  return parsed;
}
