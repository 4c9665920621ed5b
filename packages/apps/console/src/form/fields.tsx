import { type ReactNode, useId, useState } from 'react';
import { type Options, Select } from '../components/select.tsx';
import { visibleText } from '../components/visible-text.ts';
import styles from './form.module.css';
import { useForm, valueAt } from './form-state.ts';

interface FieldProps {
  /** The JSON Pointer of the field in the rule, such as `/no_data/policy`. */
  path: string;
  label: ReactNode;
  help?: ReactNode;
}

/** The faults of a value itself, without those of its members. */
export function Faults({ path }: { path: string }) {
  const { faults } = useForm();
  const own = faults.filter((fault) => fault.path === path);
  return own.length === 0 ? null : (
    <p className={styles['fault']}>{own.map(({ message }) => message).join(' ')}</p>
  );
}

/** A label, its control, and the faults of the field in the words of the API. */
export function Field({
  path,
  label,
  help,
  children,
  ownsMembers = true,
}: FieldProps & {
  children: (ids: { id: string; describedBy: string | undefined; isInvalid: boolean }) => ReactNode;
  ownsMembers?: boolean;
}) {
  const id = useId();
  const { faults } = useForm();
  const own = faults.filter(
    (fault) => fault.path === path || (ownsMembers && fault.path.startsWith(`${path}/`)),
  );
  const describedBy = [own.length > 0 && `${id}-faults`, help && `${id}-help`].filter(Boolean).join(' ');
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <div>
        {children({ id, describedBy: describedBy || undefined, isInvalid: own.length > 0 })}
        {own.length > 0 && (
          <p id={`${id}-faults`} className={styles['fault']}>
            {[...new Set(own.map(({ message }) => message))].join(' ')}
          </p>
        )}
        {help && (
          <p id={`${id}-help`} className={styles['help']}>
            {help}
          </p>
        )}
      </div>
    </div>
  );
}

export function TextField({
  isLong = false,
  list,
  ...props
}: FieldProps & { isLong?: boolean; list?: string; isNullable?: boolean }) {
  const { draft, change } = useForm();
  const value = valueAt(draft, props.path);
  const set = (text: string) => change(props.path, text === '' && props.isNullable ? null : text);
  return (
    <Field {...props}>
      {({ id, describedBy, isInvalid }) =>
        isLong ? (
          <textarea
            id={id}
            rows={2}
            aria-describedby={describedBy}
            aria-invalid={isInvalid}
            value={String(value ?? '')}
            onChange={({ target }) => set(target.value)}
          />
        ) : (
          <input
            id={id}
            list={list}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={describedBy}
            aria-invalid={isInvalid}
            value={String(value ?? '')}
            onChange={({ target }) => set(target.value)}
          />
        )
      }
    </Field>
  );
}

/** A number with its unit; an empty field is null, which the schema accepts or refuses. */
export function NumberField({ unit, ...props }: FieldProps & { unit?: string }) {
  return (
    <Field {...props}>
      {(ids) => (
        <span className={styles['number']}>
          <NumberInput path={props.path} {...ids} /> {unit}
        </span>
      )}
    </Field>
  );
}

/** The control of a number alone, for rows of several. What is no number stays as it was typed, and is a fault. */
export function NumberInput(props: {
  path: string;
  id?: string | undefined;
  label?: string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
}) {
  const { draft, change } = useForm();
  const value = valueAt(draft, props.path);
  const [text, setText] = useState(() => String(value ?? ''));
  // A click on the curve, or the other version of a conflict, has changed the number.
  const shown = readNumber(text) === (value ?? null) ? text : String(value ?? '');
  return (
    <input
      id={props.id}
      aria-label={props.label}
      inputMode="decimal"
      autoComplete="off"
      aria-describedby={props.describedBy}
      aria-invalid={props.isInvalid}
      value={shown}
      onChange={({ target }) => {
        setText(target.value);
        change(props.path, readNumber(target.value));
      }}
    />
  );
}

/** The number that a text spells, null for an empty one, and the text itself where it is no number. */
export function readNumber(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^-?(\d+(\.\d*)?|\.\d+)$/.test(trimmed) ? Number(trimmed) : trimmed;
}

export function SelectField({ options, ...props }: FieldProps & { options: Options }) {
  const { draft, change } = useForm();
  return (
    <Field {...props}>
      {({ id, describedBy }) => (
        <Select
          id={id}
          aria-describedby={describedBy}
          value={String(valueAt(draft, props.path) ?? '')}
          options={options}
          onChange={(value) => change(props.path, value === '' ? null : value)}
        />
      )}
    </Field>
  );
}

interface SpelledFieldProps<V> extends FieldProps {
  placeholder: string;
  read: (text: string) => V;
  write: (value: V) => string;
}

/** A list or a set of tags as a text, which stays as it was typed while it spells the value. Nothing typed removes the value. */
function SpelledField<V extends object>({ placeholder, read, write, ...props }: SpelledFieldProps<V>) {
  const { draft, change } = useForm();
  const spelled = write((valueAt(draft, props.path) as V | undefined) ?? read(''));
  const [text, setText] = useState(spelled);
  return (
    <Field {...props}>
      {({ id, describedBy, isInvalid }) => (
        <input
          id={id}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          value={write(read(text)) === spelled ? text : spelled}
          onChange={({ target }) => {
            setText(target.value);
            const value = read(target.value);
            change(props.path, Object.keys(value).length === 0 ? undefined : value);
          }}
        />
      )}
    </Field>
  );
}

/** A form field for a list of patterns, or of addresses, which the user types with commas between them. */
export function PatternsField(props: FieldProps) {
  return <SpelledField {...props} placeholder="all" read={readPatterns} write={writePatterns} />;
}

/** A single pattern may stand without a list. */
function writePatterns(patterns: readonly string[] | string): string {
  return [patterns].flat().join(', ');
}

function readPatterns(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** `role=db, region=eu-* | us-1`: every tag must match, of its patterns any. */
export function TagsField({
  placeholder = 'role=db, region=eu-*',
  ...props
}: FieldProps & { placeholder?: string }) {
  return <SpelledField {...props} placeholder={placeholder} read={readTags} write={writeTags} />;
}

export function readTags(text: string): Record<string, string | string[]> {
  const entries = text.split(',').flatMap((part) => {
    const [name = '', ...rest] = part.split('=');
    if (name.trim() === '' || rest.length === 0) return [];
    const patterns = rest
      .join('=')
      .split('|')
      .map((each) => each.trim());
    return [[name.trim(), patterns.length === 1 ? (patterns[0] as string) : patterns] as const];
  });
  return Object.fromEntries(entries);
}

export function writeTags(tags: Readonly<Record<string, string | string[]>>): string {
  return Object.entries(tags)
    .map(([name, patterns]) => `${name}=${[patterns].flat().join(' | ')}`)
    .join(', ');
}

/** Several of a list; none chosen is an empty list. */
export function CheckboxesField({ options, ...props }: FieldProps & { options: Options }) {
  const { draft, change } = useForm();
  const chosen = (valueAt(draft, props.path) as readonly string[] | undefined) ?? [];
  return (
    <Field {...props}>
      {({ id, describedBy }) => (
        <fieldset id={id} aria-describedby={describedBy} className={styles['checkboxes']}>
          {options.map(([value, word]) => (
            <label key={value}>
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={({ target }) =>
                  change(
                    props.path,
                    target.checked ? [...chosen, value] : chosen.filter((each) => each !== value),
                  )
                }
              />
              {visibleText(word)}
            </label>
          ))}
        </fieldset>
      )}
    </Field>
  );
}
