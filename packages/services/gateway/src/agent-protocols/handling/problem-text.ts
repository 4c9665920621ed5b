import type { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Refusals } from '../series/point-batch.ts';
import type { AgentAnswer } from './agent-protocol.ts';

/** A response of one line of text, which senders write into their log. */
export function textAnswer(status: number, text: string): AgentAnswer {
  return { status, type: 'text/plain; charset=utf-8', body: `${text}\n` };
}

/** What was wrong with a request, in one line. */
export function problemLine({ code, detail, errors }: ProblemError): string {
  const [first] = errors;
  const where = first === undefined ? '' : ` (${[first.path, first.message].filter(Boolean).join(' ')})`;
  return `${code}: ${detail}${where}`.replaceAll('\n', ' ');
}

/** What was refused for ever, in one line: how much, and the first ten reasons. */
export function refusalsLine({ points, histograms, examples }: Refusals): string {
  return `${points + histograms} refused, the others are stored: ${examples.join('; ')}`.replaceAll(
    '\n',
    ' ',
  );
}
