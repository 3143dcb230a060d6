import { useEffect } from "react";

const idleMs = 1_000;

/** Once, when the page has been there for a moment: for what it can do without until then. */
export function useWhenIdle(work: () => void): void {
  useEffect(() => {
    const idle = setTimeout(work, idleMs);
    return () => clearTimeout(idle);
  }, []);
}
