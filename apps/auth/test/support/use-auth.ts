import { useAll } from "@gateway/testkit";
import { startTestAuth, type TestAuth, type TestAuthOptions } from "./test-auth.ts";

/** The identity provider of a suite. */
export function useAuth(options: TestAuthOptions = {}): TestAuth {
  return useAll(
    () => startTestAuth(options),
    (auth) => auth.stop(),
  );
}
