import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { clockSkewMs } from '../components/time/clock.ts';
import { absoluteTexts, isLive, type Range, type RangeText, rangeOf } from './data/range.ts';

/** How often charts of a range that ends now go on, ms. */
const TICK_MS = 5_000;

/** What all charts of a page share: range, cursor, and how to change them. */
export interface ChartGroup {
  range: Range;
  /** The texts of the range, by which data are kept. */
  texts: RangeText & { from: string };
  isLive: boolean;
  /** The server's time at which the range was computed, ms; it goes on also while the console is not current. */
  now: number;
  zoom: (range: Range) => void;
  cursor: CursorStore;
  /** Says a sentence through the live region of the page. */
  announce: (sentence: string) => void;
}

/** The time under the cursor, which all charts of a page show; null without one. */
export interface CursorStore {
  get: () => number | null;
  set: (at: number | null) => void;
  subscribe: (listener: () => void) => () => void;
}

const Context = createContext<ChartGroup | null>(null);

/** The charts of the page. */
export function useChartGroup(): ChartGroup {
  const group = useContext(Context);
  if (group === null) throw new Error('a chart stands outside of <Charts>');
  return group;
}

/** The time under the common cursor; the component renders again when it moves. */
export function useCursor(): number | null {
  const { cursor } = useChartGroup();
  return useSyncExternalStore(cursor.subscribe, cursor.get);
}

export interface ChartsProps extends RangeText {
  /** The start of the range where the URL has none, relative to now. Default: an hour ago. */
  defaultFrom?: string;
  /** Changes the range in the URL, with an entry in the history. */
  onRange: (texts: { from: string; to: string }) => void;
  children: ReactNode;
}

/** What surrounds the charts of a page: they share range, zoom and cursor. The range is the one of the URL. */
export function Charts({ from, to, defaultFrom = '-1h', onRange, children }: ChartsProps) {
  const live = isLive({ to });
  const now = useTick(live);
  const [cursor] = useState(createCursor);
  const [sentence, announce] = useState('');
  const rangeListener = useRef(onRange);
  rangeListener.current = onRange;
  const zoom = useCallback((range: Range) => rangeListener.current(absoluteTexts(range)), []);
  const group = useMemo(
    () => ({
      range: rangeOf({ from, to }, defaultFrom, now),
      texts: { from: from ?? defaultFrom, to },
      isLive: live,
      now,
      zoom,
      cursor,
      announce,
    }),
    [from, to, defaultFrom, live, now, zoom, cursor],
  );
  return (
    <Context value={group}>
      {children}
      <div role="status" aria-label="Cursor" className="visually-hidden">
        {sentence}
      </div>
    </Context>
  );
}

/** The server's time now, in steps, while the page is visible and the range goes on. */
function useTick(live: boolean): number {
  const [now, setNow] = useState(currentTime);
  useEffect(() => {
    if (!live) return;
    const tick = () => document.visibilityState === 'visible' && setNow(currentTime());
    tick();
    const timer = setInterval(tick, TICK_MS);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [live]);
  return now;
}

/** The time of the server, which goes on while ages are held: the time without data grows. */
function currentTime(): number {
  return Date.now() - clockSkewMs();
}

function createCursor(): CursorStore {
  let current: number | null = null;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (at) => {
      if (at === current) return;
      current = at;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
