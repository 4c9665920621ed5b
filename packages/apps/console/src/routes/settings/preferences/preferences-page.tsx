import { type Preferences, setPreferences, usePreferences } from '../../../preferences/preferences.ts';
import styles from '../settings.module.css';
import { SettingsHeader } from '../settings-header.tsx';
import { PREFERENCE_TEXTS } from './preference-texts.ts';

/** What this browser prefers. Each choice takes effect at once, in all tabs. */
export function PreferencesPage() {
  const current = usePreferences();
  return (
    <>
      <SettingsHeader section="preferences" />
      <div className={styles['sheet']}>
        <p className={styles['muted']}>
          They are stored in this browser and take effect at once, in all of its tabs.
        </p>
        {PREFERENCE_TEXTS.map(({ name, title, choices }) => (
          <fieldset key={name} className={styles['choices']}>
            <legend>{title}</legend>
            {choices.map(([value, word]) => (
              <label key={value}>
                <input
                  type="radio"
                  name={name}
                  checked={current[name] === value}
                  onChange={() => setPreferences({ [name]: value } as Partial<Preferences>)}
                />
                {word}
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </>
  );
}
