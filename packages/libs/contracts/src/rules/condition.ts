interface ConditionFacts {
  /** For which values the condition holds: on one side of the threshold, or inside or outside of a closed range. */
  holds: 'above' | 'below' | 'inside' | 'outside';
  /** Whether the range is from threshold to threshold_max; otherwise it is only the threshold. */
  isRange: boolean;
  /** Whether a value equal to the threshold also satisfies the condition. */
  isInclusive: boolean;
  /** The operator as the command line reads and prints it. */
  sign: string;
  /** The words after "is" in a message; the limits include their units. */
  words: (threshold: string, max: string) => string;
}

const FACTS = {
  greater_than: {
    holds: 'above',
    isRange: false,
    isInclusive: false,
    sign: '>',
    words: (threshold) => `above ${threshold}`,
  },
  greater_than_or_equal: {
    holds: 'above',
    isRange: false,
    isInclusive: true,
    sign: '>=',
    words: (threshold) => `at or above ${threshold}`,
  },
  less_than: {
    holds: 'below',
    isRange: false,
    isInclusive: false,
    sign: '<',
    words: (threshold) => `below ${threshold}`,
  },
  less_than_or_equal: {
    holds: 'below',
    isRange: false,
    isInclusive: true,
    sign: '<=',
    words: (threshold) => `at or below ${threshold}`,
  },
  equal: {
    holds: 'inside',
    isRange: false,
    isInclusive: true,
    sign: '=',
    words: (threshold) => `equal to ${threshold}`,
  },
  not_equal: {
    holds: 'outside',
    isRange: false,
    isInclusive: true,
    sign: '!=',
    words: (threshold) => `other than ${threshold}`,
  },
  between: {
    holds: 'inside',
    isRange: true,
    isInclusive: true,
    sign: 'in',
    words: (threshold, max) => `between ${threshold} and ${max}`,
  },
  not_between: {
    holds: 'outside',
    isRange: true,
    isInclusive: true,
    sign: 'not in',
    words: (threshold, max) => `not between ${threshold} and ${max}`,
  },
} satisfies Record<string, ConditionFacts>;

export type Condition = keyof typeof FACTS;
/** The properties of each condition, for rules, evaluation, previews, messages and the command line. */
export const CONDITION_FACTS: Readonly<Record<Condition, ConditionFacts>> = FACTS;
export const CONDITIONS = Object.keys(FACTS) as Condition[];

/** Whether a condition holds on one side of its threshold, so that it may have a recovery threshold. */
export function hasDirection(condition: Condition): boolean {
  const { holds } = CONDITION_FACTS[condition];
  return holds === 'above' || holds === 'below';
}
