import type { Role } from './roles.ts';
import type { StackProcess } from './stack-file.ts';

/** A process of the stack that is running. */
export interface Running {
  pid: number;
  ended: Promise<unknown>;
  /** Ends it and waits until it has ended. */
  stop(): Promise<void>;
}

/** One place in the stack: a role, and how to fill it. */
export interface Member {
  role: Role;
  /** `writer-2` */
  name: string;
  /** Where a service has its health and metrics. */
  adminUrl?: string;
  start(): Promise<Running>;
}

export interface Crew {
  /** Starts a member; it is kept running from then on. */
  add(member: Member): Promise<void>;
  processes(): StackProcess[];
  /** Ends all, the newest first. */
  stop(): Promise<void>;
}

export interface CrewOptions {
  /** Whether a member that dies is started again. */
  restart: boolean;
  /** The list of processes has changed. */
  onChange(): void;
  log: { warn(fields: object, message: string): void };
  sleep(ms: number): Promise<void>;
}

const RESTART_AFTER_MS = 1_000;

/** Keeps the stack's processes running, as a container engine would. */
export function createCrew({ restart, onChange, log, sleep }: CrewOptions): Crew {
  const places: { member: Member; running: Running | null }[] = [];
  let stopping = false;

  async function keep(place: { member: Member; running: Running | null }): Promise<void> {
    while (place.running !== null) {
      await place.running.ended;
      if (stopping) return;
      const { name, role } = place.member;
      log.warn(
        { name, role, pid: place.running.pid },
        restart ? 'a process has ended; it is started again' : 'a process has ended',
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
        const running = await place.member.start();
        // A stop that came meanwhile did not see it.
        if (stopping) await running.stop();
        else place.running = running;
        onChange();
      } catch (error) {
        log.warn({ err: error, name: place.member.name }, 'it could not be started; another try follows');
      }
    }
  }

  return {
    async add(member) {
      const place = { member, running: await member.start() };
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
      const levels = new Map<Role, Running[]>();
      for (const { member, running } of [...places].reverse()) {
        if (running) levels.set(member.role, [...(levels.get(member.role) ?? []), running]);
      }
      for (const level of levels.values()) await Promise.all(level.map((running) => running.stop()));
    },
  };
}
