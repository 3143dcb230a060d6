import { loneKey, useKeyDown } from "../page/keyboard.ts";
import type { News } from "../call/use-call.ts";

/** Says how many rows wait; pressed, or with the key `n`, they are put on top, and the list begins there. */
export function NewRows({ count, isMore, show }: News) {
  const isWaiting = count > 0;
  useKeyDown(
    (event) => {
      const isShown = loneKey(event) === "n";
      if (isShown) {
        show();
      }
      return isShown;
    },
    { isWanted: isWaiting },
  );
  return (
    <div className="new-rows" role="status">
      {isWaiting && (
        <button type="button" className="button small" onClick={show}>
          {count}
          {isMore && "+"} new <kbd>n</kbd>
        </button>
      )}
    </div>
  );
}
