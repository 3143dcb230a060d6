import { useEffect } from "react";

const idleMs = 1_000;

/** Runs `work` once, a moment after the page has appeared: for work that can wait until then. */
export function useWhenIdle(work: () => void): void {
  useEffect(() => {
    const idle = setTimeout(work, idleMs);
    return () => clearTimeout(idle);
  }, []);
}
