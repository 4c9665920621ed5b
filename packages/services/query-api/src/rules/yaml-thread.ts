import { Worker } from 'node:worker_threads';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { threadHeap } from '@tidewatch/runtime/process/thread-heap';
import type { YamlAnswer } from './yaml-worker.ts';

/** The time limit for parsing a text, ms. A megabyte of rules takes about two seconds, and only hostile texts take longer. */
const TIME_LIMIT_MS = 8_000;
const HEAP = { young: 24, old: 256 };

const TOO_COMPLEX: YamlAnswer = {
  fault: { code: 'too_complex', message: 'Is YAML that takes too long to read.' },
};

/** How long the thread waits for another text, ms, since starting it takes a tenth of a second. */
const IDLE_MS = MINUTE_MS;

const idleThreads: { thread: Worker; idle: NodeJS.Timeout }[] = [];

/**
 * Parses YAML in a thread, because a megabyte takes seconds. The thread is terminated at a limit of time or memory, and
 * when `signal` is aborted, whose reason is thrown. The caller limits how many texts are parsed at once.
 */
export function readYaml(text: string, signal: AbortSignal, limitMs = TIME_LIMIT_MS): Promise<YamlAnswer> {
  signal.throwIfAborted();
  const thread = takeThread();
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      leave(thread);
    };
    const abort = () => {
      settle();
      void thread.terminate();
      reject(signal.reason);
    };
    const giveUp = () => {
      settle();
      void thread.terminate();
      resolve(TOO_COMPLEX);
    };
    const timer = setTimeout(giveUp, limitMs);
    signal.addEventListener('abort', abort, { once: true });
    thread.once('message', (answer: YamlAnswer) => {
      settle();
      keepThread(thread);
      resolve(answer);
    });
    thread.once('error', giveUp);
    thread.once('exit', giveUp);
    thread.postMessage(text);
  });
}

function takeThread(): Worker {
  const waiting = idleThreads.pop();
  if (waiting === undefined) {
    return new Worker(new URL('./yaml-worker.ts', import.meta.url), { resourceLimits: threadHeap(HEAP) });
  }
  const { thread, idle } = waiting;
  clearTimeout(idle);
  leave(thread);
  thread.ref();
  return thread;
}

function keepThread(thread: Worker): void {
  thread.unref();
  const forget = () => {
    const index = idleThreads.findIndex((each) => each.thread === thread);
    if (index !== -1) idleThreads.splice(index, 1);
  };
  thread.once('error', forget);
  thread.once('exit', forget);
  const idle = setTimeout(() => void thread.terminate(), IDLE_MS).unref();
  idleThreads.push({ thread, idle });
}

/** Removes the listeners of a thread by event name, because listeners of the thread itself keep its port open. */
function leave(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
}
