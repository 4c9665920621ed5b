/** A running program. */
export interface Started {
  pid: number;
  ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** A server or service that can receive signals and be restarted on the same address and data. */
export interface Server {
  name: string;
  /** The process id; 0 while the server does not run. */
  pid(): number;
  isRunning(): boolean;
  start(): Promise<void>;
  /** Sends a signal without waiting for its effect. */
  signal(name: NodeJS.Signals): void;
  /** Kills the server by SIGKILL; resolves when it has ended. */
  kill(): Promise<void>;
  /** Stops the server as an operator does; if it was stopped by SIGSTOP, continues it first. */
  stop(): Promise<void>;
}

/** A server that is not started yet, with the function that starts it. */
export function createServer<T extends Started>(name: string, open: () => Promise<T>): Server {
  let running: T | null = null;

  function signal(signalName: NodeJS.Signals): void {
    if (running === null) throw new Error(`${name} does not run`);
    process.kill(running.pid, signalName);
  }

  return {
    name,
    pid: () => running?.pid ?? 0,
    isRunning: () => running !== null,
    async start() {
      if (running !== null) throw new Error(`${name} runs already`);
      const started = await open();
      running = started;
      void started.ended.then(() => {
        if (running === started) running = null;
      });
    },
    signal,
    async kill() {
      const killed = running;
      signal('SIGKILL');
      await killed?.ended;
      running = null;
    },
    async stop() {
      if (running === null) return;
      signal('SIGCONT');
      await running.stop();
      running = null;
    },
  };
}
