/** Colours of a chart as a canvas takes them. */
export interface Palette {
  surface: string;
  text: string;
  muted: string;
  grid: string;
  series: readonly string[];
  critical: string;
  warning: string;
  info: string;
  maintenance: string;
}

/** The max number of lines of one chart. */
export const MAX_LINES = 6;
/** Lines with the same colour differ in their dashes, as all do. */
export const DASHES: readonly (readonly number[])[] = [
  [],
  [6, 3],
  [2, 3],
  [10, 3, 2, 3],
  [4, 4],
  [8, 3, 2, 3, 2, 3],
];

const palettes = new Map<string, Palette>();

/** The colours of the tokens as they are now at `element`, or those of the light theme. */
export function paletteOf(element: HTMLElement, isLight = false): Palette {
  const scheme = isLight ? 'light' : getComputedStyle(element).colorScheme;
  const isDark =
    scheme !== 'light' && (scheme === 'dark' || matchMedia('(prefers-color-scheme: dark)').matches);
  const key = isDark ? 'dark' : 'light';
  const known = palettes.get(key);
  if (known !== undefined) return known;
  const probe = element.appendChild(document.createElement('span'));
  probe.hidden = true;
  probe.style.colorScheme = key;
  const colour = (token: string) => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const palette: Palette = {
    surface: colour('surface'),
    text: colour('text'),
    muted: colour('muted'),
    grid: colour('line'),
    series: [1, 2, 3, 4, 1, 2].map((number) => colour(`series-${number}`)),
    critical: colour('critical-fill'),
    warning: colour('warning-fill'),
    info: colour('info-fill'),
    maintenance: colour('maintenance-fill'),
  };
  probe.remove();
  palettes.set(key, palette);
  return palette;
}
