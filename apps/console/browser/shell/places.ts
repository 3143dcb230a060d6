import type { IconName } from "@gateway/design/icons";
import type { ScreenPath } from "../parts/page/destination.ts";

/** A screen of the navigation: a path, and the letter that leads there after `g`. */
export type Place = {
  path: ScreenPath;
  label: string;
  icon: IconName;
  letter: string;
  group: string;
  sandboxOnly?: boolean;
};

export const places: readonly Place[] = [
  { path: "/", label: "Overview", icon: "overview", letter: "h", group: "" },
  { path: "/inbox", label: "Inbox", icon: "inbox", letter: "i", group: "" },
  { path: "/wallets", label: "Wallets", icon: "wallet", letter: "w", group: "Money" },
  { path: "/payments", label: "Payments", icon: "payment", letter: "p", group: "Money" },
  { path: "/counterparties", label: "Counterparties", icon: "person", letter: "c", group: "Money" },
  { path: "/transfers", label: "Transfers", icon: "transfer", letter: "t", group: "Money" },
  { path: "/orders", label: "Orders", icon: "order", letter: "o", group: "Money" },
  { path: "/ledger", label: "Ledger", icon: "ledger", letter: "l", group: "Money" },
  { path: "/logs", label: "Logs", icon: "log", letter: "q", group: "Developers" },
  { path: "/usage", label: "Usage", icon: "usage", letter: "u", group: "Developers" },
  { path: "/webhooks", label: "Webhooks", icon: "webhook", letter: "b", group: "Developers" },
  { path: "/deliveries", label: "Deliveries", icon: "delivery", letter: "d", group: "Developers" },
  { path: "/events", label: "Events", icon: "event", letter: "e", group: "Developers" },
  { path: "/keys", label: "API keys", icon: "key", letter: "k", group: "Developers" },
  { path: "/applications", label: "OAuth applications", icon: "application", letter: "a", group: "Developers" },
  { path: "/try", label: "Try it", icon: "code", letter: "y", group: "Developers" },
  { path: "/sandbox", label: "Sandbox", icon: "sandbox", letter: "x", group: "Developers", sandboxOnly: true },
  { path: "/people", label: "People", icon: "people", letter: "r", group: "Account" },
  { path: "/settings", label: "Settings", icon: "settings", letter: "s", group: "Account" },
];

/** The entries of the bar at the bottom of a phone. All others are behind More. */
export const firstPlaces: readonly string[] = ["/", "/inbox", "/payments", "/wallets"];
