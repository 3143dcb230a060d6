import type { Schemas } from "@gateway/contract";

/** A page of twenty wallets as the gateway answers it: 5 kB of JSON. */
export const wallets: readonly Schemas["Wallet"][] = Array.from({ length: 20 }, (_, index) => ({
  id: `wal_01k${String(index).padStart(23, "0")}`,
  name: `Wallet number ${index}`,
  currency: "EUR",
  status: "active",
  balance: { available: 1_234_567 + index, pending: 1000, held: 0 },
  externalId: null,
  metadata: { team: "payments", costCentre: `C${index}` },
  createdAt: "2026-01-02T03:04:05.678Z",
}));

export const pageMeta = { hasMore: true, nextCursor: "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGhIjKlMnOpQrStUvWxYz" };

/** The whole answer, as long as the gateway's: its request id and its time have the same length each time. */
export const walletPage = {
  data: wallets,
  meta: { requestId: "req_01k00000000000000000000000", timestamp: "2026-01-02T03:04:05.678Z", ...pageMeta },
};
