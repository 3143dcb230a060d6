import { setPreferences, usePreferences } from "../data/preferences.ts";
import { Modal } from "../parts/dialog/modal.tsx";
import { places } from "./places.ts";

const keys: readonly (readonly [string, string])[] = [
  ["Ctrl K", "Go to a screen, do something, open an id"],
  ["/", "To the first filter"],
  ["j  k", "Down and up in a list"],
  ["Enter", "Open the row"],
  ["Esc", "Close what is open"],
  ["n", "Show what is new"],
  ["c", "Copy the id of the row"],
  ["a  r", "In the inbox: approve, reject"],
  ["?", "This"],
];

export function Help({ onClose }: { onClose(): void }) {
  const { keys: isOn } = usePreferences();
  return (
    <Modal title="Keyboard" onClose={onClose} isWide>
      <div className="help">
        <dl>
          {keys.map(([key, does]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <dl>
          {places.map(({ letter, label }) => (
            <div key={letter}>
              <dt>
                <kbd>g</kbd> <kbd>{letter}</kbd>
              </dt>
              <dd>{label}</dd>
            </div>
          ))}
        </dl>
      </div>
      <label className="choice">
        <input type="checkbox" checked={isOn} onChange={() => setPreferences({ keys: !isOn })} />
        <span>
          Single keys do something
          <small>Off: only Ctrl K does. For people who dictate, or whose keyboard layout is in the way.</small>
        </span>
      </label>
    </Modal>
  );
}
