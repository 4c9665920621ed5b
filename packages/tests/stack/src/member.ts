import type { Role } from './roles.ts';
import type { StackProcess } from './stack-file.ts';

/** A process of the stack that is running. */
export interface Running {
  pid: number;
  ended: Promise<unknown>;
  /** Ends the process and waits until it has ended. */
  stop(): Promise<void>;
}

/** A process of the stack: its role and the function that starts it. */
export interface Member {
  role: Role;
  /** `writer-2` */
  name: string;
  /** The address of the health and metrics of a service. */
  adminUrl?: string;
  /** Starts the process. If `leaving` is aborted, ends what was started. */
  start(leaving: AbortSignal): Promise<Running>;
}

export interface Crew {
  /** Starts a process and keeps it running. Throws if the stack is being stopped, and leaves nothing running. */
  add(member: Member): Promise<void>;
  processes(): StackProcess[];
  /** Ends all processes, the newest first. */
  stop(): Promise<void>;
}

export interface CrewOptions {
  /** True if a process that ends is restarted. */
  restart: boolean;
  /** Called when the list of processes has changed. */
  onChange(): void;
  log: { warn(fields: object, message: string): void };
  sleep(ms: number): Promise<void>;
}

const RESTART_AFTER_MS = 1_000;

/** Keeps the stack's processes running, as a container engine would. */
export function createCrew({ restart, onChange, log, sleep }: CrewOptions): Crew {
  const places: { member: Member; running: Running | null }[] = [];
  const leaving = new AbortController();
  const starts = new Set<Promise<Running>>();
  let stopping = false;

  /** Starts a process; if the stack is stopped meanwhile, ends it. */
  async function begin(member: Member): Promise<Running> {
    leaving.signal.throwIfAborted();
    const starting = member.start(leaving.signal).then(async (running) => {
      if (!stopping) return running;
      await running.stop();
      throw new Error(`${member.name} was stopped while it started`);
    });
    starts.add(starting);
    try {
      return await starting;
    } finally {
      starts.delete(starting);
    }
  }

  async function keep(place: { member: Member; running: Running | null }): Promise<void> {
    while (place.running !== null) {
      await place.running.ended;
      if (stopping) return;
      const { name, role } = place.member;
      log.warn(
        { name, role, pid: place.running.pid },
        restart ? 'a process has ended; restarting it' : 'a process has ended',
      );
      place.running = null;
      onChange();
      if (restart) await revive(place);
    }
  }

  async function revive(place: { member: Member; running: Running | null }): Promise<void> {
    while (!stopping && place.running === null) {
      await sleep(RESTART_AFTER_MS);
      if (stopping) return;
      try {
        place.running = await begin(place.member);
        onChange();
      } catch (error) {
        if (stopping) return;
        log.warn({ err: error, name: place.member.name }, 'a process could not be started; retrying');
      }
    }
  }

  return {
    async add(member) {
      const place = { member, running: await begin(member) };
      places.push(place);
      onChange();
      void keep(place);
    },
    processes: () =>
      places.flatMap(({ member: { role, adminUrl }, running }) =>
        running ? [{ role, pid: running.pid, ...(adminUrl && { admin_url: adminUrl }) }] : [],
      ),
    async stop() {
      stopping = true;
      leaving.abort(new Error('the stack is being stopped'));
      await Promise.allSettled([...starts]);
      const levels = new Map<Role, Running[]>();
      for (const { member, running } of [...places].reverse()) {
        if (running) levels.set(member.role, [...(levels.get(member.role) ?? []), running]);
      }
      for (const level of levels.values()) await Promise.all(level.map((running) => running.stop()));
    },
  };
}
