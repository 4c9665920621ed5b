import styles from './alert-dialogs.module.css';

export interface ChoiceFieldProps<Choice extends string> {
  label: string;
  name: string;
  choices: Readonly<Record<Choice, string>>;
  value: Choice;
  onChange: (value: Choice) => void;
}

/** One of a few choices, all of which are visible. */
export function ChoiceField<Choice extends string>(props: ChoiceFieldProps<Choice>) {
  const { label, name, choices, value, onChange } = props;
  return (
    <fieldset className={styles['choices']}>
      <legend>{label}</legend>
      {Object.entries<string>(choices).map(([choice, word]) => (
        <label key={choice} className={styles['choice']}>
          <input
            type="radio"
            name={name}
            checked={choice === value}
            onChange={() => onChange(choice as Choice)}
          />
          {word}
        </label>
      ))}
    </fieldset>
  );
}
