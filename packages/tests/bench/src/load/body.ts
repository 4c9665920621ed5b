import { companyOf } from './company.ts';
import { partsOf } from './parts.ts';
import { hostName, metricName, type Plan } from './plan.ts';
import type { PlannedPayload } from './sequence.ts';

const TEXTS = Array.from({ length: 10_001 }, (_, hundredths) => String(hundredths / 100));

/**
 * Creates a function that writes payloads as JSON. Kept cheap, because the generator shares the processor with the product.
 */
export function createBodyBuilder(plan: Plan): (payload: PlannedPayload) => string {
  const names = Array.from(
    { length: plan.metrics },
    (_, index) => `${index === 0 ? '' : ','}"${metricName(index)}":`,
  );
  const hosts = Array.from({ length: plan.hosts }, (_, host) => `{"host":"${hostName(host)}","timestamp":"`);
  let lastTime = Number.NaN;
  let isoTime = '';
  return ({ host, tick, time, values }) => {
    if (time !== lastTime) {
      lastTime = time;
      isoTime = new Date(time).toISOString();
    }
    let body = `${hosts[host]}${isoTime}","metrics":{`;
    for (let metric = 0; metric < names.length; metric += 1) {
      body += names[metric] as string;
      body += TEXTS[values[metric] as number] as string;
    }
    body += '}';
    if (plan.rich) body += `,${companyOf(host, tick)}`;
    if (plan.parts > 0) body += `,${partsOf(host, tick, plan.parts)}`;
    return `${body}}`;
  };
}
