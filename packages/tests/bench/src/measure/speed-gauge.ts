import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a fixed piece of work has taken so far. */
export interface SpeedReading {
  units: number;
  cpuSeconds: number;
}

/** A process that does the same piece of work again and again, about a tenth of the time. */
export interface SpeedGauge {
  /** Everything since its start. */
  read(): SpeedReading;
  stop(): void;
}

/** CPU-seconds of one unit between two readings. Throws RangeError where none was done. */
export function unitCost(before: SpeedReading, after: SpeedReading): number {
  const units = after.units - before.units;
  if (units <= 0) throw new RangeError('the gauge did no work between the readings');
  return (after.cpuSeconds - before.cpuSeconds) / units;
}

/**
 * Shows how fast the machine is while something else is measured: processors that share a core, or a host with others, do
 * less in a second of theirs than at another moment, and figures of two moments can only be compared beside that.
 */
export async function startSpeedGauge(): Promise<SpeedGauge> {
  const child = fork(fileURLToPath(new URL('./speed-gauge-process.ts', import.meta.url)), {
    serialization: 'json',
  });
  let reading: SpeedReading = { units: 0, cpuSeconds: 0 };
  await new Promise<void>((resolve, reject) => {
    child.on('message', (told: SpeedReading) => {
      reading = told;
      resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the speed gauge ended with ${code}`)));
  });
  return {
    read: () => reading,
    stop() {
      child.removeAllListeners('exit');
      child.kill();
    },
  };
}
