import { type ComponentProps, useId } from 'react';
import { visibleText } from './visible-text.ts';

/** Values with the words that are shown for them, of which what cannot be seen is escaped. */
export type Options = readonly (readonly [value: string, word: string])[];

interface SelectProps extends Omit<ComponentProps<'select'>, 'onChange' | 'children'> {
  /** Shown before the list; without it `aria-label` or a field names the list. */
  label?: string;
  options: Options;
  onChange: (value: string) => unknown;
}

/** A list of words of which one is chosen. */
export function Select({ label, options, onChange, ...rest }: SelectProps) {
  const id = useId();
  const select = (
    <select id={id} {...rest} onChange={({ target }) => onChange(target.value)}>
      {options.map(([value, word]) => (
        <option key={value} value={value}>
          {visibleText(word)}
        </option>
      ))}
    </select>
  );
  if (label === undefined) return select;
  return (
    <label htmlFor={id}>
      {label} {select}
    </label>
  );
}

interface FilterSelectProps<V extends string> extends Omit<SelectProps, 'value' | 'onChange'> {
  value: V | undefined;
  onChange: (value: V | undefined) => unknown;
}

/** A filter of a list. The option '' is for no filter, whose value is undefined. */
export function FilterSelect<V extends string>({ value, onChange, ...rest }: FilterSelectProps<V>) {
  return <Select {...rest} value={value ?? ''} onChange={(chosen) => onChange((chosen || undefined) as V)} />;
}
