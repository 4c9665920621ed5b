import { useEffect, useRef, useState } from 'react';
import { usePreferences } from '../../preferences/preferences.ts';
import { useChartGroup, useCursor } from '../chart-group.tsx';
import type { Range } from '../data/range.ts';
import styles from '../time-chart.module.css';
import { attachGestures } from './gestures.ts';
import { paletteOf } from './palette.ts';
import type { Picture } from './picture.ts';
import { createPlot, type Plot } from './plot.ts';

export interface PlotCanvasProps {
  picture: Picture;
  /** Shows the chart with another range while it is dragged or pinched; null ends that. */
  onPreview: (range: Range | null) => void;
  /** The point that is nearest to a time, at which the cursor stands. */
  snap: (at: number) => number;
}

/** The canvas of a chart, with the pointer over it and the common cursor. */
export function PlotCanvas({ picture, onPreview, snap }: PlotCanvasProps) {
  const { cursor, zoom } = useChartGroup();
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(null);
  const [selection, setSelection] = useState<[number, number] | null>(null);
  const isDark = useThemeChange();
  const latest = useRef({ picture, onPreview, snap, zoom });
  latest.current = { picture, onPreview, snap, zoom };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the theme changes the colours of the tokens
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const palette = paletteOf(element);
    if (plot.current !== null) return plot.current.draw(picture, palette);
    plot.current = createPlot(element, picture, palette);
  }, [picture, isDark]);

  useEffect(() => {
    const { current: made } = plot;
    if (made === null) return;
    const stop = attachGestures(made.over, {
      range: () => latest.current.picture.range,
      hover: (at) => cursor.set(at === null ? null : latest.current.snap(at)),
      select: setSelection,
      preview: (range) => latest.current.onPreview(range),
      commit: (range) => {
        latest.current.onPreview(null);
        if (range !== null) latest.current.zoom(range);
      },
    });
    return () => {
      stop();
      made.destroy();
      plot.current = null;
    };
  }, [cursor]);

  const { left, top, plotWidth, plotHeight, height } = picture.layout;
  return (
    <div className={styles['plot']} style={{ height }}>
      <div ref={host} />
      {selection && (
        <div
          className={styles['selection']}
          style={{
            left: left + selection[0] * plotWidth,
            width: (selection[1] - selection[0]) * plotWidth,
            top,
            height: plotHeight,
          }}
        />
      )}
      <CursorLine picture={picture} />
    </div>
  );
}

function CursorLine({ picture: { layout, range } }: { picture: Picture }) {
  const at = useCursor();
  if (at === null || at < range.from || at > range.to) return null;
  const left = layout.left + ((at - range.from) / (range.to - range.from)) * layout.plotWidth;
  return <div className={styles['cursor']} style={{ left, top: layout.top, height: layout.plotHeight }} />;
}

/** Changes with the theme of the page, chosen or of the system. */
function useThemeChange(): string {
  const { theme } = usePreferences();
  const [isDark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const onChange = () => setDark(query.matches);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return `${theme} ${isDark}`;
}
