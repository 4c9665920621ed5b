import { formatBytes, formatValue, NO_VALUE } from '../../../components/number/number-format.ts';
import { visibleText } from '../../../components/visible-text.ts';
import type { Alert } from '../alert-reads.ts';
import styles from './alert-page.module.css';

const MAX_SHOWN = 5;

interface Line {
  key: string;
  name: string;
  cpu: number | null;
  memory: number | null;
}

/** The top processes and containers of the sample that fired the alert. */
export function Processes({ alert: { context } }: { alert: Alert }) {
  const processes = context.processes.map(
    ({ name, pid, cpu_percent, memory_rss }): Line => ({
      key: `${pid}`,
      name,
      cpu: cpu_percent,
      memory: memory_rss,
    }),
  );
  const containers = context.containers.map(
    ({ name, cpu_percent, memory_usage }): Line => ({
      key: name,
      name,
      cpu: cpu_percent,
      memory: memory_usage,
    }),
  );
  return (
    <>
      <Lines title="Top processes at firing" lines={processes} />
      <Lines title="Top containers at firing" lines={containers} />
    </>
  );
}

function Lines({ title, lines }: { title: string; lines: Line[] }) {
  if (lines.length === 0) return null;
  return (
    <section className={styles['section']}>
      <table className={styles['lines']}>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">CPU</th>
            <th scope="col">Memory</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, MAX_SHOWN).map(({ key, name, cpu, memory }) => (
            <tr key={key}>
              <th scope="row">{visibleText(name)}</th>
              <td>{formatValue(cpu, 'percent')}</td>
              <td>{memory === null ? NO_VALUE : formatBytes(memory)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
