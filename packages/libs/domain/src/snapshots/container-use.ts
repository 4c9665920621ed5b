import type { Container } from '@tidewatch/contracts/ingest/sample';

/** The use of a container in percent of one core, and in bytes; null where it was not sent. */
export function containerUse({ cpu_percent: cpuPercent, memory_usage: memory }: Container) {
  return { cpuPercent: numberOf(cpuPercent), memory: numberOf(memory) };
}

const numberOf = (value: string | number | undefined): number | null =>
  typeof value === 'number' ? value : null;
