import type { Omission } from '../../series/point-sink.ts';
import type { SentSeries } from '../../series/sent-series.ts';

/** A place in a host, to which series with one of these labels belong: a part. */
export interface Place {
  /** The names of the series, as sent. */
  names: RegExp;
  /** The label that names the part; the first that a series has. */
  label: readonly string[];
  kind: string;
  /** Labels of the series that become labels of the part, by the name that they get. */
  texts: Readonly<Record<string, string>>;
  /** The name of the part by the value of its label, where that is not the name. */
  rename?(value: string): string;
}

/** Labels over whose values series are combined into one metric: counters always by their sum. */
export interface Merged {
  names: RegExp;
  labels: readonly string[];
  gauges: 'sum' | 'mean';
}

/** A label that has this value where a series stands for the whole host; the series of its other values are kept or left out. */
export interface WholeHost {
  names: RegExp;
  label: string;
  value: string;
  others: 'keep' | 'omit';
}

/**
 * A metric of ours that is computed from metrics of an agent. Each input is the sum of the metrics that it names, of which at least
 * one must be there, each at the time of the sample; of several rows of one metric the first that has its inputs counts.
 */
export interface DerivedMetric {
  metric: string;
  /** The kind of the parts whose metric it is; without it, it is one of the host. */
  kind?: string;
  /** Names of metrics as they are stored; a `*` stands for any text within them. */
  inputs: Readonly<Record<string, readonly string[]>>;
  /** Computes it; undefined if the inputs make no sense. `time` is that of the sample, ms. */
  formula(inputs: Readonly<Record<string, number>>, time: number): number | undefined;
}

/** How the series of one kind of agent become metrics of a host and of its parts. */
export interface AgentFamily {
  name: string;
  matches(series: SentSeries): boolean;
  /** Between the name of a metric and the values that are folded into it. */
  joint: '_' | '.';
  /** Labels whose values become part of the metric's name, in this order. */
  folded: readonly string[];
  merged: readonly Merged[];
  /** Labels that are only named where the series is not one of the whole host. */
  ofHost?: readonly WholeHost[];
  /** Labels that say nothing. */
  ignored: readonly string[];
  places: readonly Place[];
  /** Whether a series is a counter, where the protocol does not say. */
  isCounter(name: string): boolean;
  /** Why series of this name are not stored; undefined for the others. */
  omissionOf(name: string): Omission | undefined;
  derived: readonly DerivedMetric[];
}
