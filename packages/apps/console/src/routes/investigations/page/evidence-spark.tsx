import { useMemo } from 'react';
import type { Evidence } from '../investigation-reads.ts';
import { seriesPoints } from '../text/evidence-source.ts';
import { seriesPath } from '../text/series-path.ts';
import styles from './investigation-page.module.css';

/** The course of a series beside its finding; the chart and the table of its evidence have the values. */
export function EvidenceSpark({ piece }: { piece: Evidence }) {
  const path = useMemo(() => seriesPath(seriesPoints(piece)), [piece]);
  return (
    <svg className={styles['spark']} viewBox="0 0 60 20" preserveAspectRatio="none" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
