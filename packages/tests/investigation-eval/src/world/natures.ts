import type { Random } from './random.ts';
import type { Nature } from './signal.ts';

export type MetricName =
  | 'cpu_percent'
  | 'cpu_steal_percent'
  | 'disk_io_wait_percent'
  | 'load_1'
  | 'load_5'
  | 'memory_percent'
  | 'swap_percent'
  | 'disk_percent'
  | 'disk_read_bytes_per_second'
  | 'disk_write_bytes_per_second'
  | 'network_receive_bytes_per_second'
  | 'network_transmit_bytes_per_second'
  | 'requests_per_second'
  | 'connections'
  | 'latency_ms'
  | 'latency_p95_ms'
  | 'errors_per_second'
  | 'queue_length'
  | 'context_switches_per_second'
  | 'temperature_celsius';

/** The courses of the metrics of an ordinary host; `noise` scales how strongly they vary. */
export function natures(random: Random, noise: number): Map<MetricName, Nature> {
  const traffic = random.between(20, 400);
  const percent = (base: number, rhythm: number, slow: number, fast: number): Nature => ({
    base,
    rhythm,
    slow: slow * noise,
    fast: fast * noise,
    alike: random.between(0.5, 0.93),
    least: 0,
    most: 100,
  });
  const rate = (base: number, spread: number): Nature => ({
    base,
    rhythm: base * random.between(0.1, 0.4),
    slow: spread * noise * 0.5,
    fast: spread * noise * 0.5,
    alike: random.between(0.4, 0.9),
    multiplied: true,
    least: 0,
  });
  return new Map<MetricName, Nature>([
    ['cpu_percent', percent(random.between(12, 38), random.between(2, 9), 1.6, 1.8)],
    ['cpu_steal_percent', percent(0.4, 0, 0.15, 0.15)],
    ['disk_io_wait_percent', percent(1.5, 0.3, 0.4, 0.5)],
    ['load_1', { ...rate(random.between(0.6, 3), 0.15), least: 0 }],
    ['load_5', { ...rate(random.between(0.6, 3), 0.05), least: 0 }],
    ['memory_percent', percent(random.between(30, 60), random.between(0.5, 3), 0.5, 0.15)],
    ['swap_percent', percent(0, 0, 0, 0)],
    ['disk_percent', percent(random.between(35, 70), 0.2, 0.05, 0.01)],
    ['disk_read_bytes_per_second', rate(random.between(1e5, 3e6), 0.6)],
    ['disk_write_bytes_per_second', rate(random.between(3e5, 6e6), 0.4)],
    ['network_receive_bytes_per_second', rate(traffic * 6e3, 0.15)],
    ['network_transmit_bytes_per_second', rate(traffic * 2.5e4, 0.15)],
    ['requests_per_second', rate(traffic, 0.12)],
    ['connections', rate(traffic * 1.5, 0.08)],
    ['latency_ms', rate(random.between(15, 60), 0.1)],
    ['latency_p95_ms', rate(random.between(80, 250), 0.2)],
    ['errors_per_second', rate(0.2, 0.6)],
    ['queue_length', rate(4, 0.4)],
    ['context_switches_per_second', rate(8e3, 0.1)],
    ['temperature_celsius', { base: 52, rhythm: 1.5, slow: 0.5 * noise, fast: 0.3 * noise, alike: 0.9 }],
  ]);
}
