import type { SampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import type { ConsumerName } from './consumers.ts';

export const TOPOLOGIES = ['embedded', 'distributed'] as const;

export type Topology = (typeof TOPOLOGIES)[number];

/** How the database of the product keeps samples. */
export const LAYOUTS = ['rows', 'log'] as const satisfies readonly SampleLayout[];

/** The jobs of the comparison with peers, in the order in which they run. */
export const PEER_JOBS = ['hour', 'day', 'rules'] as const;

export type PeerJob = (typeof PEER_JOBS)[number];

/** The systems of the comparison with peers, in the order in which they run. */
export const PEER_SYSTEMS = ['tidewatch', 'victoria-metrics', 'prometheus', 'influxdb'] as const;

export type PeerSystem = (typeof PEER_SYSTEMS)[number];

export interface NumberLimits {
  min: number;
  max: number;
  default: number;
  multipleOf?: number;
}

/** Options that are whole numbers; a scenario may have other limits. */
export const NUMBERS = {
  /** The time that a replay sends, or that a live run is measured after its warm-up, seconds. */
  seconds: { default: 60, min: 1, max: 3_600 },
  /** The rate of a load in samples a second; 0 stands for the scenario's own rate, or as fast as responses arrive. */
  rate: { default: 0, min: 1_000, max: 5_000_000 },
  /** The number of rules that evaluate the samples of replays. */
  rules: { default: 100, min: 10, max: 1_000, multipleOf: 10 },
  /** The number of hosts with stored samples in previews and investigations, or of hosts that breach at once in a storm. */
  hosts: { default: 1_000, min: 10, max: 1_000 },
  /** The time between the payloads of a host over the day that investigations read, seconds. */
  every: { default: 60, min: 10, max: 60, multipleOf: 10 },
  /** The number of keys that send in turn. */
  keys: { default: 10_000, min: 100, max: 100_000 },
  /** The payloads in one request of an agent. */
  payloads: { default: 2, min: 1, max: 100 },
  /** Connections that send at once. */
  connections: { default: 32, min: 1, max: 256 },
  kills: { default: 10, min: 1, max: 1_000 },
  /** Streams of events that are open at once. */
  readers: { default: 1_000, min: 1, max: 2_000 },
  /** The number of alert instances. */
  instances: { default: 100_000, min: 1_000, max: 1_000_000, multipleOf: 100 },
  /** Partitions of the topic that flush publishes to. */
  partitions: { default: 24, min: 1, max: 100 },
} satisfies Record<string, NumberLimits>;

export type NumberName = keyof typeof NUMBERS;

export type OptionName = NumberName | 'consumer' | 'jobs' | 'systems';

export interface BenchOptions extends Record<Exclude<NumberName, 'rate'>, number> {
  scenario: string;
  /** The topology of the product: one process, or Kafka and a process for each service. */
  topology: Topology;
  /** The layout of samples; null for that which the product gives a new database. */
  layout: SampleLayout | null;
  /** The rate of a load in samples a second; null stands for the scenario's own rate, or as fast as responses arrive. */
  rate: number | null;
  /** What the comparison with peers does, and with which systems. */
  jobs: readonly PeerJob[];
  systems: readonly PeerSystem[];
  /** The consumer whose processes are added in the scenario `scaling`. */
  consumer: ConsumerName;
  /** The file for the figures as JSON; null if none is written. */
  json: string | null;
  help: boolean;
}
