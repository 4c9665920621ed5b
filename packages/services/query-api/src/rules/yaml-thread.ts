import { Worker } from 'node:worker_threads';
import type { YamlAnswer } from './yaml-worker.ts';

/** A megabyte of rules takes about two seconds; what takes far longer was written to. */
const TIME_LIMIT_MS = 10_000;
const HEAP_MB = 256;

const TOO_COMPLEX: YamlAnswer = {
  fault: { code: 'too_complex', message: 'Is YAML that takes too long to read.' },
};

let turn: Promise<unknown> = Promise.resolve();

/**
 * Reads YAML beside the event loop, one text after the other: a megabyte takes seconds, and far longer where it was
 * made to. Each text has a thread to itself, which is cut off at a limit of time and memory.
 */
export function readYaml(text: string, limitMs = TIME_LIMIT_MS): Promise<YamlAnswer> {
  const answer = turn.then(() => perform(text, limitMs));
  turn = answer.catch(() => undefined);
  return answer;
}

function perform(text: string, limitMs: number): Promise<YamlAnswer> {
  const thread = new Worker(new URL('./yaml-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  return new Promise((resolve) => {
    const settle = (answer: YamlAnswer) => {
      clearTimeout(timer);
      resolve(answer);
      void thread.terminate();
    };
    const timer = setTimeout(() => settle(TOO_COMPLEX), limitMs);
    thread.once('message', settle);
    thread.once('error', () => settle(TOO_COMPLEX));
    thread.once('exit', () => settle(TOO_COMPLEX));
    thread.postMessage(text);
  });
}
