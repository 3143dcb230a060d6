import { useEffect } from "react";
import { isTyping, usesKeys } from "../page/keyboard.ts";
import type { News } from "../call/use-call.ts";

/** Says how many rows wait; pressed, or with the key `n`, they are put on top, and the list begins there. */
export function NewRows({ count, isMore, show }: News) {
  const isWaiting = count > 0;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "n" && usesKeys(event) && !isTyping(event)) {
        event.preventDefault();
        show();
      }
    };
    if (!isWaiting) {
      return undefined;
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isWaiting, show]);
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
