import { expect, test } from "vitest";
import { maskSecrets } from "../src/index.ts";

test("to mask the secrets of a long hostile text costs little", () => {
  const startMs = performance.now();
  maskSecrets("gk_test_".repeat(20_000) + "gk%5ftest%5f".repeat(20_000) + "Bearer ".repeat(20_000));
  maskSecrets("eyJ".repeat(20_000) + "eyJ.%2E".repeat(20_000) + "eyJaaaaaaaa%2".repeat(20_000));
  expect(performance.now() - startMs).toBeLessThan(200);
});
