import { Worker } from 'node:worker_threads';
import { threadHeap } from '@tidewatch/runtime/thread-heap';
import type { YamlAnswer } from './yaml-worker.ts';

/** A megabyte of rules takes about two seconds; what takes far longer was written to. */
const TIME_LIMIT_MS = 10_000;
const HEAP = { young: 24, old: 256 };

const TOO_COMPLEX: YamlAnswer = {
  fault: { code: 'too_complex', message: 'Is YAML that takes too long to read.' },
};

/** A thread takes a tenth of a second to start, so one that read its text in time waits for the next. */
const IDLE_MS = 60_000;

let turn: Promise<unknown> = Promise.resolve();
let waiting: { thread: Worker; idle: NodeJS.Timeout } | undefined;

/**
 * Reads YAML beside the event loop, one text after the other: a megabyte takes seconds, and far longer where it was
 * made to. The thread is cut off at a limit of time and memory.
 */
export function readYaml(text: string, limitMs = TIME_LIMIT_MS): Promise<YamlAnswer> {
  const answer = turn.then(() => perform(text, limitMs));
  turn = answer.catch(() => undefined);
  return answer;
}

function perform(text: string, limitMs: number): Promise<YamlAnswer> {
  const thread = takeThread();
  return new Promise((resolve) => {
    const settle = (answer: YamlAnswer, after: (thread: Worker) => void) => {
      clearTimeout(timer);
      leave(thread);
      resolve(answer);
      after(thread);
    };
    const giveUp = () => settle(TOO_COMPLEX, (lost) => void lost.terminate());
    const timer = setTimeout(giveUp, limitMs);
    thread.once('message', (answer: YamlAnswer) => settle(answer, keepThread));
    thread.once('error', giveUp);
    thread.once('exit', giveUp);
    thread.postMessage(text);
  });
}

function takeThread(): Worker {
  if (waiting === undefined) {
    return new Worker(new URL('./yaml-worker.ts', import.meta.url), { resourceLimits: threadHeap(HEAP) });
  }
  const { thread, idle } = waiting;
  forget();
  clearTimeout(idle);
  leave(thread);
  thread.ref();
  return thread;
}

function keepThread(thread: Worker): void {
  thread.unref();
  thread.once('error', forget);
  thread.once('exit', forget);
  const idle = setTimeout(() => void thread.terminate(), IDLE_MS).unref();
  waiting = { thread, idle };
}

/** One by one: listeners of its own keep its port open. */
function leave(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
}

function forget(): void {
  waiting = undefined;
}
