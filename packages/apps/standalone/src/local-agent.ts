import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { answerAgent } from '@tidewatch/contracts/agent/parent-channel';
import { WATCH_PARENT } from '@tidewatch/contracts/agent/watch-parent';
import { WATCHED_METRICS } from '@tidewatch/contracts/agent/watched-metrics';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';

export interface LocalAgentOptions {
  url: string;
  logger: Logger;
  env: NodeJS.ProcessEnv;
  /** Returns metrics of this process by name in Prometheus' text format, which the agent reports too. */
  metrics(names: readonly string[]): Promise<string>;
}

/** The environment of the agent: only its own key, no proxy to this process, and trust in this process' certificate. */
export function agentEnvironment(
  env: Readonly<NodeJS.ProcessEnv>,
  key: string,
  certificate: string | undefined,
): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) =>
      (name === 'TIDEWATCH_LOG_LEVEL' || !name.startsWith('TIDEWATCH_')) && !/^https?_proxy$/i.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    TIDEWATCH_API_KEY: key,
    ...(certificate ? { NODE_EXTRA_CA_CERTS: certificate } : {}),
  };
}

/** The max pause before an agent that has ended is restarted, ms. */
const MAX_PAUSE = 60_000;

/** Ignores the error of sending to an agent that has ended. */
const ignoreLost = () => undefined;

/** Runs the agent in a child process that ends with this one; returns a function that stops it. */
export function startLocalAgent({ url, logger, env, metrics }: LocalAgentOptions): () => Promise<void> {
  const main = fileURLToPath(import.meta.resolve('@tidewatch/agent/main'));
  let child: ChildProcess | null = null;
  let stopping = false;
  let pause = 1_000;
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    const startedAt = performance.now();
    const running = spawn(process.execPath, [main, '--url', url, '--watch', WATCH_PARENT], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env,
    });
    child = running;
    running.once('error', (error) => logger.error({ err: error }, 'the local agent could not be started'));
    running.on('message', (message) => {
      answerAgent(message, () => metrics(WATCHED_METRICS))
        .then((answer) => answer && running.connected && running.send(answer, ignoreLost))
        .catch((error) =>
          logger.warn({ err: error }, 'the metrics of this process could not be passed to the local agent'),
        );
    });
    running.once('exit', (code, signal) => {
      child = null;
      if (stopping) {
        return;
      }
      pause = performance.now() - startedAt > MAX_PAUSE ? 1_000 : Math.min(pause * 2, MAX_PAUSE);
      logger.warn({ code, signal, restartInMs: pause }, 'the local agent ended; restarting it');
      timer = setTimeout(start, pause);
    });
  }

  start();
  return async () => {
    stopping = true;
    clearTimeout(timer);
    const running = child;
    if (!running) {
      return;
    }
    const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
    running.kill('SIGTERM');
    const kill = setTimeout(() => running.kill('SIGKILL'), 2_500);
    await ended;
    clearTimeout(kill);
  };
}
