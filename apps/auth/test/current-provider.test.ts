import type { SigningKeyWithSecret } from "@gateway/platform/auth";
import { expect, test } from "vitest";
import { startCurrentProvider } from "../src/provider/current-provider.ts";
import type { GatewayProvider } from "../src/provider/gateway-provider.ts";

test("of two readings at once the later counts, also when the earlier takes longer: a rolled key is not forgotten again", async () => {
  let stored = [keyOf("old")];
  const opened = Promise.withResolvers<void>();
  let reads = 0;
  const current = await startCurrentProvider({
    loadKeys: async () => {
      const read = stored;
      reads += 1;
      await (reads === 2 && opened.promise);
      return read;
    },
    // This test does not call the library.
    build: () => ({}) as GatewayProvider,
    clock: { now: () => 0 },
  });
  const slow = current.reload();
  await nextTurn();
  stored = [keyOf("rolled"), ...stored];
  const quick = current.reload();
  await nextTurn();
  opened.resolve();
  await Promise.all([slow, quick]);
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

/** Resolves when all pending work is done that does not wait for external systems. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

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
