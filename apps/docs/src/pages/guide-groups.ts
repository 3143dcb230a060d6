/** The guides by task, in the order of the menu. */
export const guideGroups: readonly { title: string; paths: readonly string[] }[] = [
  { title: "Start", paths: ["guides/first-call", "guides/webhooks", "guides/oauth"] },
  {
    title: "Build: calls",
    paths: [
      ...["guides/api-keys", "guides/roll-a-key", "guides/people", "guides/pagination", "guides/errors"],
      ...["guides/idempotency", "guides/rate-limits", "guides/failed-webhooks", "guides/generators"],
    ],
  },
  {
    title: "Build: money",
    paths: [
      ...["guides/move-money", "guides/payments", "guides/ledger", "guides/identity", "guides/custody"],
      "guides/approve-a-transfer",
    ],
  },
  {
    title: "Build: trading",
    paths: ["guides/market-data", "guides/orders", "guides/oracle", "guides/portfolio"],
  },
  { title: "Test", paths: ["guides/environments", "guides/test-values"] },
  {
    title: "Operate",
    paths: [
      ...["guides/going-live", "guides/production", "guides/settings", "guides/operators", "guides/direct-addresses"],
      "guides/upstreams",
    ],
  },
];
