/** The type of probe events, which belong to no organization and check whether the whole pipeline works. */
export const PROBE_TYPE = 'pipeline.probe';

/**
 * Up to when partitions of the topic of samples are evaluated: the newest heartbeat of each, ms by the clock of its
 * gateway.
 */
export interface ProbeData {
  /** The number of partitions of the topic. */
  partitions: number;
  heartbeats: Record<string, number>;
}

export interface ProbeEvent {
  specversion: '1.0';
  id: string;
  source: '/tidewatch';
  type: typeof PROBE_TYPE;
  subject: 'pipeline';
  time: string;
  datacontenttype: 'application/json';
  data: ProbeData;
}
