import { createContext, useContext } from 'react';
import styles from './hosts-page.module.css';

/** The paths of sparklines by `metric host`, beside the cells: when they arrive, nothing else of a row is rendered again. */
export const Sparklines = createContext<ReadonlyMap<string, string>>(new Map());

/** The last hour of a metric of a host of the table. */
export function HostSparkline({ name }: { name: string }) {
  return <Sparkline path={useContext(Sparklines).get(name)} />;
}

/** The last hour of a metric from 0 to 100 %. The number beside it says the newest value. */
export function Sparkline({ path }: { path: string | undefined }) {
  return (
    <svg className={styles['sparkline']} viewBox="0 0 60 20" preserveAspectRatio="none" aria-hidden="true">
      {path && <path d={path} />}
    </svg>
  );
}
