import { hostName, metricName, type Plan } from './plan.ts';

const TEXTS = Array.from({ length: 10_001 }, (_, hundredths) => String(hundredths / 100));

/** Builds one payload's JSON from a walk's values. Cheap, since the generator shares the processor with the product. */
export function createBodyBuilder(
  plan: Plan,
): (host: number, tick: number, isoTime: string, values: Int32Array) => string {
  const names = Array.from(
    { length: plan.metrics },
    (_, index) => `${index === 0 ? '' : ','}"${metricName(index)}":`,
  );
  const hosts = Array.from({ length: plan.hosts }, (_, host) => `{"host":"${hostName(host)}","timestamp":"`);
  return (host, tick, isoTime, values) => {
    let body = `${hosts[host]}${isoTime}","metrics":{`;
    for (let metric = 0; metric < names.length; metric += 1) {
      body += names[metric] as string;
      body += TEXTS[values[metric] as number] as string;
    }
    return plan.rich ? `${body}}${company(host, tick)}}` : `${body}}}`;
  };
}

/** Tags, containers and processes whose figures move a little with each tick. */
function company(host: number, tick: number): string {
  const containers: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const cpu = ((tick * 7 + index * 13 + host) % 1000) / 10;
    const memory = 100_000_000 + ((tick * 4096 + host * 8192) % 50_000_000);
    containers.push(
      `{"name":"service-${index}","image":"registry.example/shop/service-${index}:1.4.2","status":"running","cpu_percent":${cpu},"memory_usage":${memory}}`,
    );
  }
  const processes: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    const cpu = ((tick * 3 + index * 17 + host) % 500) / 10;
    processes.push(
      `{"name":"process-${index}","pid":${1000 + index},"cpu_percent":${cpu},"memory_rss":${20_000_000 + index * 4096 + tick}}`,
    );
  }
  const tags = `{"environment":"production","service":"shop","region":"eu-${host % 4}","rack":"r${host % 40}"}`;
  return `,"tags":${tags},"docker_containers":[${containers.join(',')}],"processes":[${processes.join(',')}]`;
}
