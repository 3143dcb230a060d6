import type { SigningKeyWithSecret } from "@gateway/platform";
import { expect, test } from "vitest";
import { startCurrentProvider } from "../src/provider/current-provider.ts";
import type { GatewayProvider } from "../src/provider/gateway-provider.ts";

test("of two readings at once the later counts, also when the earlier takes longer: a rolled key is not forgotten again", async () => {
  let stored = [keyOf("old")];
  let delaysMs = [0, 50, 0];
  const current = await startCurrentProvider({
    loadKeys: async () => {
      const read = stored;
      const [delayMs = 0, ...rest] = delaysMs;
      delaysMs = rest;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return read;
    },
    // Nothing here asks the library for anything.
    build: () => ({}) as GatewayProvider,
    clock: { now: () => 0 },
  });
  const slow = current.reload();
  await Promise.resolve();
  stored = [keyOf("rolled"), ...stored];
  await Promise.all([slow, current.reload()]);
  expect(current.keys().map(({ kid }) => kid)).toEqual(["old", "rolled"]);
});

test("a reading that fails stands in nobody's way", async () => {
  let answers: (() => SigningKeyWithSecret[])[] = [
    () => [keyOf("old")],
    () => {
      throw new Error("away");
    },
    () => [keyOf("rolled"), keyOf("old")],
  ];
  const current = await startCurrentProvider({
    loadKeys: async () => {
      const [answer, ...rest] = answers;
      answers = rest;
      return answer?.() ?? [];
    },
    build: () => ({}) as GatewayProvider,
    clock: { now: () => 0 },
  });
  const failing = current.reload();
  const next = current.reload();
  await expect(failing).rejects.toThrow("away");
  await next;
  expect(current.keys()).toHaveLength(2);
});

function keyOf(kid: string): SigningKeyWithSecret {
  const publicJwk = { kid, kty: "RSA", alg: "RS256", use: "sig", n: "n", e: "AQAB" };
  return {
    id: kid,
    algorithm: "RS256",
    publicJwk,
    privateJwk: { ...publicJwk, d: "", p: "", q: "", dp: "", dq: "", qi: "" },
    createdAt: new Date(0),
    signsFrom: new Date(kid === "rolled" ? 1000 : 0),
    retiresAt: null,
  };
}
