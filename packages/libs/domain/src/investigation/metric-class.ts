/** The kind of thing that a metric measures on its host, such as processor use; derived from the name of the metric. */
export type MetricClass = 'cpu' | 'memory' | 'space' | 'traffic' | 'work' | 'effect';

/**
 * Classifies a metric by its name as the use of a resource or as an effect such as latency, errors or queues. The USE
 * method (Gregg, Communications of the ACM, 2013) looks at the use of resources first.
 */
export function classOf(metric: string): MetricClass {
  const name = metric.toLowerCase();
  if (
    /latenc|duration|response|error|fail|retrans|drop|timeout|queue|backlog|wait|availab|stall|pressure/.test(
      name,
    )
  )
    return 'effect';
  if (/mem|swap|heap|rss/.test(name)) return 'memory';
  if (/disk|filesystem|inode|volume/.test(name) && !/read|write|io|util|busy/.test(name)) return 'space';
  if (/net|bandwidth|received?_|transmit|sent_|_rx|_tx|disk|io_|iops|read|write/.test(name)) return 'traffic';
  if (/request|query|queries|connection|session|rps|throughput|jobs|messages/.test(name)) return 'work';
  if (/steal/.test(name)) return 'effect';
  if (/cpu/.test(name)) return 'cpu';
  return 'effect';
}

/** Whether a metric is latency, errors or waiting as a client sees them, by its name: they show what is called, not the host itself. */
export function isOfClient(metric: string): boolean {
  return (
    classOf(metric) === 'effect' && /client|upstream|outgoing|outbound|egress/.test(metric.toLowerCase())
  );
}

/** The resources of a host that its processes share. */
export type Resource = 'cpu' | 'memory' | 'disk' | 'network';

/**
 * The resource of the host whose use or saturation a metric measures (USE method). Null for effects and for work, and for
 * steal time, which other virtual machines cause.
 */
export function resourceOf(metric: string): Resource | null {
  const name = metric.toLowerCase();
  if (isCpuLike(metric) || /cpu_pressure|run_?queue|throttl/.test(name)) return 'cpu';
  if (/io_?wait|io_pressure|disk_?queue/.test(name)) return 'disk';
  switch (classOf(metric)) {
    case 'memory':
      return 'memory';
    case 'space':
      return 'disk';
    case 'traffic':
      return /disk|io/.test(name) ? 'disk' : 'network';
    default:
      return /memory_pressure/.test(name) ? 'memory' : null;
  }
}

/** Words in the names of metrics that say how much of a device is used or waits, rather than how much passes. */
const USED = /util|busy|wait|queue|pressure|time|percent/;

/**
 * The resource of a host that explains trouble if more of it is used. What passes through the network or a disk is none:
 * bytes and operations are what others ask for, as requests are.
 */
export function reasonResourceOf(metric: string): Exclude<Resource, 'network'> | null {
  const resource = resourceOf(metric);
  const passes = classOf(metric) === 'traffic' && !USED.test(metric.toLowerCase());
  return resource === 'network' || passes ? null : resource;
}

/** Whether a metric is a percentage, by its name. */
export function isPercentage(metric: string): boolean {
  return /percent|_pct$/i.test(metric);
}

/** Whether a metric measures the processor or the load: load counts what waits for processors. */
export function isCpuLike(metric: string): boolean {
  return classOf(metric) === 'cpu' || isLoad(metric);
}

export function isLoad(metric: string): boolean {
  return /^load(_|$)|_load$/.test(metric);
}

/** Metrics whose names say that they count what is left, or what goes well: lower values of them are worse. */
const BETTER_HIGH = /free|(?<!un)avail|idle|remaining|success/;
/** Words in the names of metrics of trouble or use: higher values of them are worse. */
const WORSE_HIGH =
  /latenc|duration|response|error|fail|retrans|drop|timeout|queue|backlog|wait|unavail|stall|pressure|steal|throttl/;

/** The direction in which a metric gets worse, by its name: 1 up, -1 down, 0 where the name says nothing. */
export function worseOf(metric: string): 1 | -1 | 0 {
  const name = metric.toLowerCase();
  if (BETTER_HIGH.test(name)) return -1;
  if (WORSE_HIGH.test(name) || isCpuLike(name)) return 1;
  return classOf(name) === 'effect' ? 0 : 1;
}
