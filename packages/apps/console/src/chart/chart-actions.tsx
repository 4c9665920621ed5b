import { useState } from 'react';
import buttonStyles from '../components/button.module.css';
import { Button } from '../components/button.tsx';
import { Copy } from '../components/copy.tsx';
import { zoneName } from '../components/time/time-format.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { useChartGroup } from './chart-group.tsx';
import { csvOf } from './data/csv.ts';
import { absoluteTexts } from './data/range.ts';
import { chartPng } from './plot/export-png.ts';
import type { ChartLine, Picture } from './plot/picture.ts';
import styles from './time-chart.module.css';

export interface ChartActionsProps {
  title: string;
  picture: Picture;
  provenance: string;
  /** Parameters of the link besides the range, such as the metric. */
  linkSearch: Readonly<Record<string, string>>;
  /** The address of the same data as CSV, where the API has one; otherwise the CSV is written here. */
  csvUrl: string | undefined;
  csvLines: readonly ChartLine[];
  isFitted: boolean;
  onFit: () => void;
  isTableOpen: boolean;
  onTable: () => void;
}

/** What one can do with a chart: share it, save it, read its data, and fit its axis. */
export function ChartActions(props: ChartActionsProps) {
  const { title, picture, provenance, linkSearch, csvUrl, csvLines, isFitted, onFit, isTableOpen, onTable } =
    props;
  const { range } = useChartGroup();
  const { zone } = usePreferences();
  const [failure, setFailure] = useState('');
  const link = chartLink(linkSearch, absoluteTexts(range));
  const fileName = `${title.replaceAll(/[^\w.-]+/g, '-')}-${absoluteTexts(range).from.slice(0, 16).replaceAll(':', '')}`;
  const savePng = async () => {
    setFailure('');
    try {
      const footers = [provenance, `Times in ${zoneName(range.to, zone)} · ${link}`];
      save(await chartPng(document.body, picture, { title, footers }), `${fileName}.png`);
    } catch (error) {
      setFailure(`The picture could not be made: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <div className={styles['actions']}>
      <Copy text={link} label="Copy link" showsText={false} />
      <Button onClick={() => void savePng()}>PNG</Button>
      {csvUrl === undefined ? (
        <Button onClick={() => save(new Blob([csvOf(csvLines)], { type: 'text/csv' }), `${fileName}.csv`)}>
          CSV
        </Button>
      ) : (
        <a className={buttonStyles['button']} href={csvUrl} download={`${fileName}.csv`}>
          CSV
        </a>
      )}
      <Button aria-pressed={isTableOpen} onClick={onTable}>
        Data table
      </Button>
      <Button aria-pressed={isFitted} onClick={onFit}>
        Fit
      </Button>
      {failure !== '' && <span role="alert">{failure}</span>}
    </div>
  );
}

/** The address of this page with a chart of it, and absolute times. */
export function chartLink(
  search: Readonly<Record<string, string>>,
  range: { from: string; to: string },
): string {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries({ ...search, ...range })) url.searchParams.set(name, value);
  return url.href;
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
