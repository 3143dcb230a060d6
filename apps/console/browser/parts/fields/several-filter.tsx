import { toggled, type Choice } from "./field-input.tsx";

type Options = { label: string; choices: readonly Choice[]; value: string; onChange(value: string): void };

/** Any number of a few: each a press, and in the address with commas between them, as operations take them. */
export function SeveralFilter({ label, choices, value, onChange }: Options) {
  const chosen = value.split(",").filter(Boolean);
  return (
    <div className="several" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className="filter"
          aria-pressed={chosen.includes(choice.value)}
          data-active={chosen.includes(choice.value)}
          onClick={() => onChange(toggled(choices, chosen, choice.value).join(","))}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
