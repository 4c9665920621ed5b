/** The type of events that no organization has: they find out whether the pipeline lets something through. */
export const PROBE_TYPE = 'pipeline.probe';

/** Up to when partitions of the topic of samples are evaluated: the newest heartbeat of each, ms by the gateways' clocks. */
export interface ProbeData {
  /** How many partitions the topic has. */
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
