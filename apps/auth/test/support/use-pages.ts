import { useAll } from "@gateway/testkit";
import { startPages, type TestPages } from "./pages.ts";

/** The pages of a suite. */
export function usePages(...options: Parameters<typeof startPages>): TestPages {
  return useAll(
    () => startPages(...options),
    (pages) => pages.stop(),
  );
}
