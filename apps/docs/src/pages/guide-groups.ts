/** In the order in which they are best read. */
export const guideGroups: readonly { title: string; paths: readonly string[] }[] = [
  {
    title: "Get started",
    paths: ["guides/first-call", "guides/move-money", "guides/environments", "guides/test-values"],
  },
  { title: "Authenticate", paths: ["guides/api-keys", "guides/roll-a-key", "guides/people", "guides/oauth"] },
  {
    title: "Call the API",
    paths: [
      "guides/pagination",
      "guides/errors",
      "guides/rate-limits",
      "guides/idempotency",
      "guides/direct-addresses",
      "guides/generators",
    ],
  },
  {
    title: "Move money",
    paths: ["guides/ledger", "guides/custody", "guides/approve-a-transfer", "guides/payments", "guides/identity"],
  },
  { title: "Trade", paths: ["guides/market-data", "guides/orders", "guides/oracle", "guides/portfolio"] },
  { title: "Receive events", paths: ["guides/webhooks", "guides/failed-webhooks"] },
  { title: "Go live", paths: ["guides/going-live", "guides/production", "guides/upstreams"] },
];
