import { median, spreadAround } from './robust.ts';

/** With fewer points than this, the range of the values is used instead of their spread, which would be unreliable. */
const FEW = 30;
/** The minimum number of points before a window with which the window is compared. */
const FEWEST = 5;
/** The max number of windows that are compared. */
const WINDOWS = 240;

/** The usual difference between the mean of `length` consecutive points and the mean of the two hours before. */
export function spreadOfWindows(past: Float64Array, length: number): number {
  const reach = Math.min(120, Math.floor(past.length / 3));
  const last = past.length - length;
  if (last <= reach || reach < FEWEST) {
    // A few values may be close together by chance, so their range stands for the usual spread.
    const reached = past.length < FEW ? (Math.max(...past) - Math.min(...past)) / 2 : 0;
    return Math.max(spreadAround(past, median(past)), reached);
  }
  const sums = new Float64Array(past.length + 1);
  for (let i = 0; i < past.length; i++) sums[i + 1] = (sums[i] as number) + (past[i] as number);
  const stride = Math.max(1, Math.ceil(length / 2), Math.ceil((last - reach) / WINDOWS));
  const differences: number[] = [];
  for (let start = last; start >= reach; start -= stride) {
    const window = ((sums[start + length] as number) - (sums[start] as number)) / length;
    const usual = ((sums[start] as number) - (sums[start - reach] as number)) / reach;
    differences.push(window - usual);
  }
  const windows = spreadAround(differences, 0);
  // Below twenty windows the spread of their differences may be small by chance, so single points are used.
  return differences.length >= 20
    ? windows
    : Math.max(windows, spreadAround(past, median(past)) / Math.sqrt(length));
}
