/** A running program. */
export interface Started {
  pid: number;
  ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** A server or service that can be hit by signals and started again on the same address and data. */
export interface Server {
  name: string;
  /** 0 while it does not run. */
  pid(): number;
  isRunning(): boolean;
  start(): Promise<void>;
  /** Sends a signal and does not wait for its effect. */
  signal(name: NodeJS.Signals): void;
  /** kill -9; resolves when it has ended. */
  kill(): Promise<void>;
  /** Stops it as an operator does; a server that was stopped by SIGSTOP is continued first. */
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
