/** Where the area of the plot lies within a chart, px. */
export interface PlotLayout {
  width: number;
  height: number;
  left: number;
  top: number;
  plotWidth: number;
  plotHeight: number;
}

export const TOP = 10;
const RIGHT = 12;
/** The room of the axis of times. */
export const TIME_AXIS = 26;
const CHARACTER = 6.8;
const MIN_AXIS = 36;
const PIXELS_PER_TIME = 90;
const PIXELS_PER_VALUE = 36;

/** The layout of a chart whose axis of values has these labels. */
export function plotLayout(width: number, height: number, labels: readonly string[]): PlotLayout {
  const longest = Math.max(...labels.map((label) => label.length), 0);
  const left = Math.max(Math.ceil(longest * CHARACTER) + 14, MIN_AXIS);
  return {
    width,
    height,
    left,
    top: TOP,
    plotWidth: Math.max(width - left - RIGHT, 10),
    plotHeight: Math.max(height - TOP - TIME_AXIS, 10),
  };
}

export function maxTimeTicks(plotWidth: number): number {
  return Math.max(Math.floor(plotWidth / PIXELS_PER_TIME), 2);
}

export function maxValueTicks(height: number): number {
  return Math.min(Math.max(Math.floor((height - TOP - TIME_AXIS) / PIXELS_PER_VALUE), 2), 6);
}
