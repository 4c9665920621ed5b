import { createElement } from 'react';

/** The shapes of an icon in a square of 24: names of SVG elements with their attributes. */
export type Shapes = readonly (readonly [name: string, attributes: Readonly<Record<string, string>>])[];

export interface IconProps {
  /** Width and height, px. */
  size: number;
  /** An icon stands beside its word, or in a control that has a name. */
  'aria-hidden': 'true';
}

/** A component that draws the shapes in the colour of the text. */
export function lucideIcon(shapes: Shapes) {
  // biome-ignore lint/correctness/noComponentHookFactories: modules alone call it, once for each icon
  return function Icon({ size, ...props }: IconProps) {
    return (
      // biome-ignore lint/a11y/noSvgWithoutTitle: it is hidden from assistive technology, which has the word beside it
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        {...props}
      >
        {shapes.map(([name, attributes], index) => createElement(name, { key: index, ...attributes }))}
      </svg>
    );
  };
}
