import fc from "fast-check";
import { expect, test } from "vitest";
import { callOfLogged, pathValuesOf } from "../browser/data/logged-call.ts";

/** Fixed, so that a gate never fails by chance. */
const seed = 20_260_309;

const operations = {
  getWallet: { path: "/api/v1/wallets/{walletId}" },
  createPayment: { path: "/api/v1/payments" },
};

test("a request of the log is a call again: path, query, and the body of the documentation", () => {
  const request = { operationId: "getWallet", path: "/api/v1/wallets/wal_1", query: "limit=20&status=active" };
  expect(callOfLogged(request, operations, undefined)).toEqual({
    operationId: "getWallet",
    path: { walletId: "wal_1" },
    query: { limit: "20", status: "active" },
  });
  const created = { operationId: "createPayment", path: "/api/v1/payments", query: null };
  expect(callOfLogged(created, operations, { amount: 1 })).toMatchObject({ body: { amount: 1 } });
});

test("what reached no operation of this document is none", () => {
  expect(callOfLogged({ operationId: null, path: "/api/v1/x", query: null }, operations, undefined)).toBeNull();
  expect(callOfLogged({ operationId: "ofTomorrow", path: "/x", query: null }, operations, undefined)).toBeNull();
  expect(callOfLogged({ operationId: "getWallet", path: "/api/v1/other/a", query: null }, operations, 1)).toBeNull();
});

test("what stood in a path comes back, whatever it was", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (value) => {
      const path = `/api/v1/wallets/${encodeURIComponent(value)}`;
      expect(pathValuesOf("/api/v1/wallets/{walletId}", path)).toEqual({ walletId: value });
    }),
    { seed },
  );
  expect(pathValuesOf("/wallets/{walletId}", "/wallets/%E0%A4%A")).toEqual({ walletId: "%E0%A4%A" });
});
