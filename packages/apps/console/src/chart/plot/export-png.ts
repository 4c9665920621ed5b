import { DASHES, type Palette, paletteOf } from './palette.ts';
import type { Picture } from './picture.ts';
import { createPlot } from './plot.ts';

export interface PngTexts {
  title: string;
  /** The lines below the chart: provenance, zone, address. */
  footers: readonly string[];
}

const MARGIN = 16;
const LINE = 18;

/** Draws a chart with title, legend and footers in the light theme; resolves to a PNG. */
export async function chartPng(parent: HTMLElement, picture: Picture, texts: PngTexts): Promise<Blob> {
  const palette = paletteOf(parent, true);
  const place = parent.appendChild(document.createElement('div'));
  place.hidden = true;
  const plot = createPlot(place, picture, palette);
  try {
    // uPlot draws in a microtask of its own.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return await encode(compose(plot.canvas, picture, texts, palette));
  } finally {
    plot.destroy();
    place.remove();
  }
}

function compose(drawn: HTMLCanvasElement, picture: Picture, { title, footers }: PngTexts, palette: Palette) {
  const { width, height } = picture.layout;
  const ratio = drawn.width / width;
  const legend = picture.lines.length > 1 ? picture.lines.length : 0;
  const canvas = document.createElement('canvas');
  canvas.width = (width + 2 * MARGIN) * ratio;
  canvas.height = (height + 3 * MARGIN + LINE * (1 + legend + footers.length)) * ratio;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser draws no canvas');
  context.scale(ratio, ratio);
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = palette.text;
  context.textBaseline = 'top';
  context.font = '600 15px system-ui, sans-serif';
  context.fillText(title, MARGIN, MARGIN, width);
  context.drawImage(drawn, MARGIN, MARGIN + LINE + 6, width, height);
  let y = MARGIN + LINE + 6 + height + 6;
  context.font = '12px system-ui, sans-serif';
  for (const [index, { name, shape }] of picture.lines.entries()) {
    if (legend === 0) break;
    context.strokeStyle = shape === 'peers' ? palette.muted : (palette.series[index] ?? palette.text);
    context.lineWidth = 2;
    context.setLineDash([...(DASHES[index] ?? [])]);
    context.beginPath();
    context.moveTo(MARGIN, y + 8);
    context.lineTo(MARGIN + 24, y + 8);
    context.stroke();
    context.fillStyle = palette.text;
    context.fillText(name, MARGIN + 32, y, width - 32);
    y += LINE;
  }
  context.fillStyle = palette.muted;
  for (const footer of footers) {
    context.fillText(footer, MARGIN, y, width);
    y += LINE;
  }
  return canvas;
}

function encode(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))),
      'image/png',
    );
  });
}
