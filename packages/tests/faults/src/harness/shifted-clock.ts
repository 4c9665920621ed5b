import { existsSync, writeFileSync } from 'node:fs';

const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
];

/** The path of libfaketime as Debian installs it, or null. */
export function findClockLibrary(): string | null {
  return LIBRARIES.find((path) => existsSync(path)) ?? null;
}

/** The wall clock of some processes, which can be shifted while they run; timers are not affected. */
export interface ShiftedClock {
  environment: Readonly<Record<string, string>>;
  /** Shifts the clock by whole seconds from the true time; processes notice within a second. */
  shift(seconds: number): void;
}

export function createShiftedClock(library: string, file: string): ShiftedClock {
  const shift = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s\n`);
  shift(0);
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    shift,
  };
}
