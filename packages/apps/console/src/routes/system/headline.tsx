import { Status } from '../../components/status/status.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { useSession } from '../../session/session-state.ts';
import { READINESS, type Readiness } from './readiness.ts';
import styles from './system-page.module.css';
import type { System } from './system-reads.ts';
import { backendWords, overallState, processWords } from './system-words.ts';

/** The state in a line, with version, topology and the number of processes; below it what is missing. */
export function Headline({ readiness, system }: { readiness: Readiness; system: System | undefined }) {
  const session = useSession();
  const version = session.kind === 'signed-in' ? session.identity.server.version : undefined;
  const { status: state, reasons } = overallState(readiness, system);
  const { status, word, meaning } = READINESS[state];
  const versions = Object.entries((readiness['versions'] ?? {}) as Record<string, unknown>);
  return (
    <>
      <div className={styles['headline']}>
        <p className={styles['state']}>
          <Status status={status}>{word}</Status>
          {version !== undefined && <span>· {version}</span>}
          <span>· {String(readiness['topology'] ?? '')}</span>
        </p>
        {system !== undefined && <p className={styles['state']}>{processWords(system.processes)}</p>}
        <p className={styles['muted']}>
          {meaning} Storage backend {backendWords(readiness['edition'])}
          {versions.map(([name, value]) => ` · ${VERSION_NAMES[name] ?? name} ${String(value)}`).join('')}
        </p>
      </div>
      <section aria-labelledby="system-missing">
        <h2 id="system-missing">What is missing</h2>
        {reasons.length === 0 ? (
          <p className={styles['muted']}>Nothing is missing.</p>
        ) : (
          <>
            <ul className={styles['reasons']}>
              {reasons.map((reason) => (
                <li key={reason}>{visibleText(reason)}</li>
              ))}
            </ul>
            <p className={styles['muted']}>
              {readiness['topology'] === 'distributed'
                ? 'Start what is missing. The log of a process that a line names says why it does not work.'
                : 'The log of Tidewatch says why.'}
            </p>
          </>
        )}
      </section>
    </>
  );
}

const VERSION_NAMES: Readonly<Record<string, string>> = {
  node: 'Node',
  postgresql: 'PostgreSQL',
  schema: 'schema',
};
