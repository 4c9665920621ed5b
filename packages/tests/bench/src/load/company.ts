export const CONTAINERS = 5;
const PROCESSES = 20;

export interface ContainerValues {
  cpu_percent: number;
  memory_usage: number;
}

/** Returns the values of one container of a rich payload; they change a little with each tick. */
export function containerValues(host: number, tick: number, index: number): ContainerValues {
  return {
    cpu_percent: ((tick * 7 + index * 13 + host) % 1000) / 10,
    memory_usage: 100_000_000 + ((tick * 4096 + host * 8192) % 50_000_000),
  };
}

export function containerName(index: number): string {
  return `service-${index}`;
}

/** Tags, containers and processes of a rich payload, as members of a JSON object. */
export function companyOf(host: number, tick: number): string {
  const containers: string[] = [];
  for (let index = 0; index < CONTAINERS; index += 1) {
    const { cpu_percent, memory_usage } = containerValues(host, tick, index);
    const name = containerName(index);
    containers.push(
      `{"name":"${name}","image":"registry.example/shop/${name}:1.4.2","status":"running","cpu_percent":${cpu_percent},"memory_usage":${memory_usage}}`,
    );
  }
  const processes: string[] = [];
  for (let index = 0; index < PROCESSES; index += 1) {
    const cpu = ((tick * 3 + index * 17 + host) % 500) / 10;
    processes.push(
      `{"name":"process-${index}","pid":${1000 + index},"cpu_percent":${cpu},"memory_rss":${20_000_000 + index * 4096 + tick}}`,
    );
  }
  const tags = `{"environment":"production","service":"shop","region":"eu-${host % 4}","rack":"r${host % 40}"}`;
  return `"tags":${tags},"docker_containers":[${containers.join(',')}],"processes":[${processes.join(',')}]`;
}
